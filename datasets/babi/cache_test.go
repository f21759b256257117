package babi

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"memobench/datasets"
)

// Tests must not find what the user has fetched: the cache is an empty directory.
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
	// A cache of another place, so that other tests do not find it.
	dir := t.TempDir()
	for _, name := range []string{"XDG_CACHE_HOME", "HOME", "LocalAppData"} {
		t.Setenv(name, dir)
	}
	cache, err := CacheDir()
	if err != nil {
		t.Fatal(err)
	}
	files := with("1")
	files.Source = sourceOf(fromFiles)
	if _, err := Open(files, datasets.Options{}); err == nil || !strings.Contains(err.Error(), filepath.Join(cache, ArchiveName)) ||
		!strings.Contains(err.Error(), "memobench data fetch babi") {
		t.Errorf("an empty cache is not named: %v", err)
	}
	text := "1 Mary went to the office.\n2 Where is Mary?\toffice\t1\n"
	archived := archive(t, map[string]string{"tasks_1-20_v1-2/en-10k/qa1_train.txt": text, "tasks_1-20_v1-2/en-10k/qa1_test.txt": text})
	if err := os.MkdirAll(cache, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(cache, ArchiveName), []byte(archived), 0o644); err != nil {
		t.Fatal(err)
	}
	src := mustOpen(t, with("1"), datasets.Options{Splits: []datasets.Split{datasets.Test}})
	if l := src.Spec().Caveats.Texts(); slices.Contains(l, SimulatedText) {
		t.Errorf("the archive is passed over: labels %q", l)
	}
	// Files of the working directory go first.
	if err := os.MkdirAll("data/babi", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("data/babi/qa2_test.txt", []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if found, _, err := Files(""); err != nil || len(found) != 1 || found[0].Task != 2 {
		t.Errorf("found %+v (%v)", found, err)
	}
}
