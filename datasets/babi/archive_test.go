package babi

import (
	"archive/tar"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memobench/datasets"
	"memobench/datasets/must"
)

// zeros is an endless reader of zeros.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// A small archive may unpack to more than a machine's memory.
func TestArchivesThatUnpackToTooMuch(t *testing.T) {
	path := filepath.Join(t.TempDir(), "babi.tar.gz")
	f := must.Get(os.Create(path))(t)
	z := must.Get(gzip.NewWriterLevel(f, gzip.BestSpeed))(t)
	w := tar.NewWriter(z)
	must.Do(t, w.WriteHeader(&tar.Header{Name: "en-10k/notes.bin", Mode: 0o644, Size: 1 << 40, Typeflag: tar.TypeReg}))
	must.Get(io.CopyN(w, zeros{}, maxArchive+1))(t)
	must.Do(t, z.Close())
	must.Do(t, f.Close())
	if _, err := Open(with("1"), datasets.Options{DataPath: path}); err == nil || !strings.Contains(err.Error(), path+": unpacks to more than 1024 MiB") {
		t.Error(err)
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
