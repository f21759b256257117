package train

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memobench/benchmarks/record"
)

// A run whose directory is moved, removed or replaced while it trains or is
// evaluated stops with an error, saves next to it, writes nothing into what is
// there now, and ends after a resume as if nothing had happened.
func TestRunSavesNextToADirectoryThatWasMoved(t *testing.T) {
	unstable := []string{"selection=best-validation", "soft.learning_rate=9", "soft.momentum=0.9"}
	cell := toyCell(t, unstable...)
	want := finish(t, cell, t.TempDir())
	replace := func(t *testing.T, dir string) {
		if err := os.Rename(dir, dir+" elsewhere"); err != nil {
			t.Error(err)
		}
		other, err := openDir(dir, "another run")
		if err != nil {
			t.Error(err)
			return
		}
		t.Cleanup(func() { other.close() })
	}
	for name, lose := range map[string]func(t *testing.T, dir string){
		"moved": func(t *testing.T, dir string) {
			if err := os.Rename(dir, dir+" elsewhere"); err != nil {
				t.Error(err)
			}
		},
		"removed with its parent": func(t *testing.T, dir string) {
			if err := os.RemoveAll(filepath.Dir(dir)); err != nil {
				t.Error(err)
			}
		},
		"replaced": replace,
		"lock removed": func(t *testing.T, dir string) {
			if err := os.Remove(filepath.Join(dir, LockName)); err != nil {
				t.Error(err)
			}
		},
	} {
		for when, watch := range map[string]func(then func()) *watcher{
			"training": func(then func()) *watcher {
				return &watcher{stepped: func(u Update) {
					if u.Step == 95 {
						then()
					}
				}}
			},
			"evaluation": func(then func()) *watcher { return &watcher{evaluating: then} },
		} {
			t.Run(name+" during "+when, func(t *testing.T) {
				dir := filepath.Join(t.TempDir(), "runs", "one")
				var left map[string]string // what is there now
				w := watch(func() {
					lose(t, dir)
					if _, err := os.Stat(dir); err == nil {
						left = tree(t, dir)
					}
				})
				rec, err := Run(t.Context(), cell, watched(Options{Dir: dir, CheckpointSteps: 10}, w))
				var e *DirError
				if rec != nil || !errors.As(err, &e) || e.Problem != dirMoved || e.Dir != dir {
					t.Fatalf("error %v, want the directory %s to be moved", err, dir)
				}
				if left != nil {
					if d := cmp.Diff(left, tree(t, dir)); d != "" {
						t.Errorf("written into what is there now:\n%s", d)
					}
				} else if _, err := os.Stat(dir); err == nil {
					t.Error("the directory was made again")
				}
				saved, err := filepath.Glob(dir + "-saved-*")
				if err != nil || len(saved) != 1 {
					t.Fatalf("saved in %q, %v", saved, err)
				}
				_, finished := os.Stat(filepath.Join(saved[0], record.FileName))
				if (finished == nil) != (when == "evaluation") {
					t.Errorf("record: %v", finished)
				}
				w = new(watcher)
				mustRun(t, cell, watched(Options{Dir: saved[0], Resume: true}, w))
				if d := cmp.Diff(want, finish(t, cell, saved[0])); d != "" {
					t.Errorf("-whole +resumed:\n%s", d)
				}
				if len(w.warned) > 0 {
					t.Errorf("warned %q", w.warned)
				}
			})
		}
	}
}

// A directory that was named without its parent is saved next to it as well.
func TestMovedDirectoryWithARelativeName(t *testing.T) {
	t.Chdir(t.TempDir())
	w := &watcher{stepped: func(u Update) {
		if u.Step == 95 {
			if err := os.Rename("one", "elsewhere"); err != nil {
				t.Error(err)
			}
		}
	}}
	_, err := Run(t.Context(), toyCell(t), watched(Options{Dir: "one", CheckpointSteps: 10}, w))
	var e *DirError
	if !errors.As(err, &e) || e.Problem != dirMoved {
		t.Fatalf("error %v", err)
	}
	if saved, _ := filepath.Glob("one-saved-*"); len(saved) != 1 {
		t.Errorf("saved in %q", saved)
	}
}
