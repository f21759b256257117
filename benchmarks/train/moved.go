package train

import (
	"fmt"
	"os"
	"path/filepath"
)

// inPlace reports whether the lock that d holds is the one at d's path. It is not
// when the directory was moved or removed, whether or not there is another one now.
func (d *runDir) inPlace() bool {
	held, err := d.lock.Stat()
	if err != nil {
		return false
	}
	there, err := os.Lstat(d.file(LockName))
	return err == nil && os.SameFile(held, there)
}

// leaveIfMoved comes before every save. If the directory is not in place any
// more, the run continues in a new one next to it, with its configuration and
// curve. moved is the error with which the run must end after that save, nil if
// the directory is in place.
func (t *trainer) leaveIfMoved() (moved, err error) {
	if t.dir.inPlace() {
		return nil, nil
	}
	old := *t.dir
	fail := func(err error) (error, error) {
		return nil, fmt.Errorf("%w, and nothing can be saved next to it: %w", &DirError{Dir: old.path, Problem: dirMoved}, err)
	}
	parent, name := filepath.Dir(old.path), filepath.Base(old.path) // Dir's "." is not MkdirTemp's ""
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return fail(err)
	}
	path, err := os.MkdirTemp(parent, name+"-saved-*")
	if err != nil {
		return fail(err)
	}
	if err := os.Chmod(path, 0o755); err != nil { // MkdirTemp's is for its owner alone
		return fail(err)
	}
	fresh, err := openDir(path, t.cell.Name())
	if err != nil {
		return fail(err)
	}
	*t.dir = *fresh
	old.close()
	if err := t.curve.moveTo(t.dir.file(CurveName)); err != nil {
		return fail(err)
	}
	if err := t.writeConfig(); err != nil {
		return fail(err)
	}
	return &DirError{Dir: old.path, Problem: dirMoved, Detail: fmt.Sprintf("saved at step %d in %s, where it can be resumed", t.step, path)}, nil
}
