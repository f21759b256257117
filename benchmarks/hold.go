package benchmarks

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// LockName is the name of the file in a run's directory that the process locks
// that works on the run.
const LockName = lockName

// Hold locks an existing file until it is closed. The error is a *DirError when
// another process has locked it, and wraps fs.ErrNotExist without the file.
func Hold(path string) (io.Closer, error) {
	info, err := os.Lstat(path)
	if err == nil && !info.Mode().IsRegular() { // a link's target is not ours
		err = fmt.Errorf("%s: not a regular file", path)
	}
	if err != nil {
		return nil, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	ok, err := tryLock(f)
	if err == nil && !ok {
		pid, _ := io.ReadAll(io.LimitReader(f, 32)) // empty while its process starts
		err = &DirError{Dir: filepath.Dir(path), Problem: DirLocked, Detail: strings.TrimSpace("process " + strings.TrimSpace(string(pid)))}
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// OnlyRun refuses a directory with files that no run makes, with a *DirError.
func OnlyRun(dir string) error { return onlyOurs(dir) }
