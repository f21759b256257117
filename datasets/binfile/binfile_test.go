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

func TestOpenRefusesWhatIsNoFile(t *testing.T) {
	dir := t.TempDir()
	if _, _, err := OpenRegular(dir); err == nil || !strings.Contains(err.Error(), "is a directory, want a regular file") {
		t.Errorf("a directory: %v", err)
	}
	if _, _, err := OpenRegular(filepath.Join(dir, "none")); !errors.Is(err, os.ErrNotExist) {
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
		if _, _, err := OpenRegular(path); err == nil || !strings.HasPrefix(err.Error(), path+" is a ") || !strings.HasSuffix(err.Error(), ", want a regular file") {
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
