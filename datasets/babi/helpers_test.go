package babi

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"testing"

	"memobench/datasets"
	"memobench/datasets/must"
)

// smallDir holds hand-written files of tasks 1 and 2, and of task 3 the test
// file and a substitute training file.
const smallDir = "testdata/small"

func mustOpen(t testing.TB, s Settings, opts datasets.Options) *Source {
	t.Helper()
	return must.Get(Open(s, opts))(t)
}

// with returns the default settings for the given tasks.
func with(tasks string) Settings {
	s := *Defaults()
	s.Tasks = tasks
	return s
}

// writeFiles writes files below a new directory and returns it.
func writeFiles(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, data := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		must.Do(t, os.MkdirAll(filepath.Dir(path), 0o755))
		must.Do(t, os.WriteFile(path, []byte(data), 0o644))
	}
	return dir
}

// archive returns a .tar.gz of the given files.
func archive(t testing.TB, files map[string]string) string {
	t.Helper()
	var b bytes.Buffer
	zipped := gzip.NewWriter(&b)
	w := tar.NewWriter(zipped)
	for name, data := range files {
		must.Do(t, w.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: int64(len(data)), Typeflag: tar.TypeReg}))
		must.Get(w.Write([]byte(data)))(t)
	}
	must.Do(t, w.Close())
	must.Do(t, zipped.Close())
	return b.String()
}

// smallFiles returns the files of smallDir/en-10k below the given directory.
func smallFiles(t testing.TB, below string) map[string]string {
	t.Helper()
	paths, err := filepath.Glob(smallDir + "/en-10k/*.txt")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no files: %v", err)
	}
	files := map[string]string{}
	for _, p := range paths {
		data := must.Get(os.ReadFile(p))(t)
		files[below+filepath.Base(p)] = string(data)
	}
	return files
}

// Questions returns the number of questions of split, by kind.
func (src *Source) Questions(split datasets.Split) ([]int, error) {
	if err := src.absent[split]; err != nil {
		return nil, err
	}
	var n []int
	for _, p := range src.pools[split] {
		n = append(n, len(p.questions))
	}
	return n, nil
}
