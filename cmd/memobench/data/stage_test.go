package data

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// entries lists a directory.
func entries(t *testing.T, dir string) string {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range list {
		names = append(names, e.Name())
	}
	return fmt.Sprint(names)
}

func TestAnInterruptionLeavesNothing(t *testing.T) {
	for task, set := range map[string][]string{"pai3": {"classes=60"}, "pai3-embeddings": smallEmbeddings, "babi": {"tasks=1,2"}} {
		parent := t.TempDir()
		ctx, cancel := context.WithCancel(context.Background())
		ticks := 0
		_, err := Write(ctx, filepath.Join(parent, "d"), plan(t, task, [3]int{100, 10, 10}, set...), func(string, int64, int64) {
			if ticks++; ticks == 2 {
				if len(entries(t, parent)) < 5 {
					t.Errorf("%s: nothing is being written", task)
				}
				cancel()
			}
		})
		if err == nil || context.Cause(ctx) == nil || ticks != 2 || entries(t, parent) != "[]" {
			t.Errorf("%s: %v after %d ticks; left: %s", task, err, ticks, entries(t, parent))
		}
	}
}

func TestOnlyAFreeDirectoryIsTaken(t *testing.T) {
	parent := t.TempDir()
	p := plan(t, "sp10-2-2", [3]int{1, 1, 1})
	empty := filepath.Join(parent, "empty")
	if err := os.Mkdir(empty, 0o755); err != nil {
		t.Fatal(err)
	}
	mustWrite(t, empty, p)
	before := entries(t, empty)
	full := filepath.Join(parent, "full")
	if err := os.Mkdir(full, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(full, "mine"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for dir, want := range map[string]string{
		empty: "it contains a dataset already", full: "it is not empty", filepath.Join(full, "mine"): "not a directory",
		filepath.Join(full, "mine", "below"): "not a directory",
	} {
		if _, err := Write(context.Background(), dir, p, nil); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), dir) {
			t.Errorf("%s: %v, want ...%s...", dir, err, want)
		}
	}
	if entries(t, empty) != before || entries(t, full) != "[mine]" || entries(t, parent) != "[empty full]" {
		t.Errorf("left: %s, %s, %s", entries(t, parent), entries(t, empty), entries(t, full))
	}
}
