package train

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A run whose directory is moved, removed or replaced while it trains or is evaluated ends
// with an error, writes nothing into the new directory at the path, and can be resumed
// from the new path.
func TestRunEndsWhereItsDirectoryWasMoved(t *testing.T) {
	cell := toyCell(t, "selection=best-validation")
	want := finish(t, cell, t.TempDir())
	move := func(dir string) error { return os.Rename(dir, dir+"-moved") }
	for name, lose := range map[string]func(dir string) error{
		"moved":                   move,
		"removed with its parent": func(dir string) error { return os.RemoveAll(filepath.Dir(dir)) },
		"replaced": func(dir string) error {
			if err := move(dir); err != nil {
				return err
			}
			other, err := openDir(dir, "another run")
			if err == nil {
				err = other.close()
			}
			return err
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
				left := map[string]string{} // what is there now
				_, err := Run(t.Context(), cell, watched(Options{Dir: dir, CheckpointSteps: 10}, watch(func() {
					if err := lose(dir); err != nil {
						t.Error(err)
					}
					if name == "replaced" {
						left = tree(t, dir)
					}
				})))
				var e *DirError
				if !errors.As(err, &e) || e.Problem != dirMoved || e.Dir != dir {
					t.Fatalf("error %v, want that the directory %s was moved", err, dir)
				}
				if name == "replaced" {
					if d := cmp.Diff(left, tree(t, dir)); d != "" {
						t.Errorf("written into what is there now:\n%s", d)
					}
				} else if _, err := os.Stat(dir); err == nil {
					t.Error("the directory was made again")
				}
				if name == "moved" {
					mustRun(t, cell, Options{Dir: dir + "-moved", Resume: true})
					if d := cmp.Diff(want, finish(t, cell, dir+"-moved")); d != "" {
						t.Errorf("-whole +resumed:\n%s", d)
					}
				}
			})
		}
	}
}
