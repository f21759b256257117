package binfile

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"memobench/datasets/must"
)

func TestFilesAreReadAtAnyPlace(t *testing.T) {
	path := filepath.Join(t.TempDir(), "some")
	must.Do(t, os.WriteFile(path, []byte("0123456789"), 0o666))
	f, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	buf := make([]byte, 4)
	if err := f.Fill(buf, 3); err != nil || string(buf) != "3456" || f.Size() != 10 || f.Name() != path {
		t.Errorf("%q of %s, %d bytes: %v", buf, f.Name(), f.Size(), err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	err = f.Fill(buf, 0)
	if !errors.Is(err, os.ErrClosed) || !strings.HasPrefix(err.Error(), path+": offset 0: ") {
		t.Errorf("a closed file: %v", err)
	}
}

func TestShortFilesNameTheOffset(t *testing.T) {
	path := filepath.Join(t.TempDir(), "some")
	must.Do(t, os.WriteFile(path, []byte("0123456789"), 0o666))
	f := must.Get(Open(path))(t)
	must.Do(t, os.Truncate(path, 4))
	err := f.Fill(make([]byte, 4), 2)
	var where *Error
	if !errors.As(err, &where) || where.File != path || where.Offset != 4 {
		t.Errorf("got %v", err)
	}
	if want := path + ": offset 4: the file ends here, though its size was 10"; err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
}

func TestOpenRefusesWhatIsNoFile(t *testing.T) {
	dir := t.TempDir()
	if _, err := Open(dir); err == nil || !strings.Contains(err.Error(), "is a directory, want a regular file") {
		t.Errorf("a directory: %v", err)
	}
	if _, err := Open(filepath.Join(dir, "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
}

// Opening a pipe without a writer would block, and reading /dev/zero would not end.
func TestWhatIsNotAFileIsNotOpened(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	paths := []string{"/dev/zero"}
	if exec.Command("mkfifo", pipe).Run() == nil {
		paths = append(paths, pipe)
	}
	for _, path := range paths {
		if _, err := os.Stat(path); err != nil {
			continue
		}
		if _, err := Open(path); err == nil || !strings.HasPrefix(err.Error(), path+" is a ") || !strings.HasSuffix(err.Error(), ", want a regular file") {
			t.Errorf("%s: %v", path, err)
		}
		if _, err := ReadFile(path, 10); err == nil || !strings.HasPrefix(err.Error(), path+" is a ") || !strings.HasSuffix(err.Error(), ", want a regular file") {
			t.Errorf("%s, whole: %v", path, err)
		}
	}
}

func TestReadFileHasALimit(t *testing.T) {
	path := filepath.Join(t.TempDir(), "some")
	must.Do(t, os.WriteFile(path, []byte("0123456789"), 0o666))
	if data, err := ReadFile(path, 10); err != nil || string(data) != "0123456789" {
		t.Errorf("%q, %v", data, err)
	}
	if _, err := ReadFile(path, 9); err == nil || err.Error() != path+" is larger than 9 bytes, the most that is read of such a file" {
		t.Errorf("one byte more: %v", err)
	}
}
