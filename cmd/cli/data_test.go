package cli

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"testing"

	"memobench/datasets/must"
)

// cacheAt makes dir the user's directory for cached data.
func cacheAt(t *testing.T, dir string) {
	t.Helper()
	for _, name := range []string{"XDG_CACHE_HOME", "HOME", "LocalAppData"} { // of Unix, macOS and Windows
		t.Setenv(name, dir)
	}
	t.Setenv("MEMOBENCH_BABI", "")
}

// storyArchive returns a .tar.gz like the official one, with made-up stories of
// the first task.
func storyArchive(t *testing.T) []byte {
	t.Helper()
	dir := t.TempDir()
	writeStories(t, dir)
	var b bytes.Buffer
	zipped := gzip.NewWriter(&b)
	w := tar.NewWriter(zipped)
	for _, path := range glob(filepath.Join(dir, "*.txt")) {
		data := must.Get(os.ReadFile(path))(t)
		must.Do(t, w.WriteHeader(&tar.Header{Name: "tasks_1-20_v1-2/en-10k/" + filepath.Base(path), Mode: 0o644, Size: int64(len(data)), Typeflag: tar.TypeReg}))
		must.Get(w.Write(data))(t)
	}
	must.Do(t, w.Close())
	must.Do(t, zipped.Close())
	return b.Bytes()
}
