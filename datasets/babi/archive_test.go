package babi

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"memobench/datasets"
	"memobench/datasets/must"
)

// zeros is an endless reader of zeros.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

func TestADirectoryOfTooManyLargeFiles(t *testing.T) {
	dir := t.TempDir()
	for i := range 18 { // the files are sparse: all holes
		path := filepath.Join(dir, fmt.Sprintf("qa%d_a_train.txt", i+1))
		must.Do(t, errors.Join(os.WriteFile(path, nil, 0o644), os.Truncate(path, 60<<20)))
	}
	_, err := Open(with("1"), datasets.Options{DataPath: dir})
	if err == nil || !strings.Contains(err.Error(), dir+": its bAbI files take more than 1024 MiB in all") {
		t.Error(err)
	}
}

// A small archive may unpack to more than a machine's memory.
func TestArchivesThatUnpackToTooMuch(t *testing.T) {
	for name, c := range map[string]struct {
		file  string
		files int
		size  int64
		want  string
	}{
		"skipped": {"en-10k/notes.bin", 1, 1 << 40, "unpacks to more than 1024 MiB"},
		"a file":  {"en-10k/qa1_a_train.txt", 1, maxFileSize + 1, "more than 64 MiB"},
		"files":   {"en-10k/qa@_a_train.txt", 5, 15 << 20, "its bAbI files take more than 64 MiB"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "babi.tar.gz")
			f := must.Get(os.Create(path))(t)
			z := must.Get(gzip.NewWriterLevel(f, gzip.BestSpeed))(t)
			w := tar.NewWriter(z)
			for i := range c.files {
				h := &tar.Header{Name: strings.Replace(c.file, "@", string(rune('1'+i)), 1), Mode: 0o644, Size: c.size, Typeflag: tar.TypeReg}
				must.Do(t, w.WriteHeader(h))
				must.Get(io.CopyN(w, zeros{}, min(c.size, maxArchive+1)))(t)
			}
			z.Close() // cut short where the size is a lie
			f.Close()
			if _, err := Open(with("1"), datasets.Options{DataPath: path}); err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), path) {
				t.Errorf("error %v, want %q", err, c.want)
			}
		})
	}
}

// Tests use an empty cache directory instead of the user's.
func TestMain(m *testing.M) {
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "memobench-babi-")
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer os.RemoveAll(dir)
		for _, name := range []string{"XDG_CACHE_HOME", "HOME", "LocalAppData"} { // of Unix, macOS and Windows
			os.Setenv(name, dir)
		}
		return m.Run()
	}())
}

func TestTheFetchedArchiveIsFound(t *testing.T) {
	t.Setenv(EnvPath, "")
	t.Chdir(t.TempDir())
	// Another cache directory, which other tests do not use.
	dir := t.TempDir()
	for _, name := range []string{"XDG_CACHE_HOME", "HOME", "LocalAppData"} {
		t.Setenv(name, dir)
	}
	cache := must.Get(cacheDir())(t)
	files := with("1")
	files.Source = sourceOf(fromFiles)
	if _, err := Open(files, datasets.Options{}); err == nil || !strings.Contains(err.Error(), filepath.Join(cache, archiveName)) ||
		!strings.Contains(err.Error(), "memobench data fetch babi") {
		t.Errorf("an empty cache is not named: %v", err)
	}
	text := "1 Mary went to the office.\n2 Where is Mary?\toffice\t1\n"
	archived := archive(t, map[string]string{"tasks_1-20_v1-2/en-10k/qa1_train.txt": text, "tasks_1-20_v1-2/en-10k/qa1_test.txt": text})
	must.Do(t, os.MkdirAll(cache, 0o755))
	must.Do(t, os.WriteFile(filepath.Join(cache, archiveName), []byte(archived), 0o644))
	src := mustOpen(t, with("1"), datasets.Options{Splits: []datasets.Split{datasets.Test}})
	if l := src.Spec().Caveats.Texts(); slices.Contains(l, simulatedText) {
		t.Errorf("the archive is passed over: labels %q", l)
	}
	// Files in the working directory have precedence.
	must.Do(t, os.MkdirAll("data/babi", 0o755))
	must.Do(t, os.WriteFile("data/babi/qa2_test.txt", []byte(text), 0o644))
	if found, _, err := Files(""); err != nil || len(found) != 1 || found[0].Task != 2 {
		t.Errorf("found %+v (%v)", found, err)
	}
}
