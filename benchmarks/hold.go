package benchmarks

import (
	"io"
	"os"
)

// LockName is the name of a directory's lock.
const LockName = lockName

// Hold locks a directory against runs and what else holds it until it is closed.
// A name makes the lock where there is none, and says what this process does;
// without one the error then wraps fs.ErrNotExist. It is a *DirError when another
// process has the lock.
func Hold(dir, name string) (io.Closer, error) {
	if name == "" {
		return lockDir(dir, os.O_RDONLY)
	}
	lock, err := lockDir(dir, os.O_RDWR|os.O_CREATE)
	if err != nil {
		return nil, err
	}
	if err = lock.Truncate(0); err == nil {
		_, err = lock.WriteString(holder(name))
	}
	if err != nil {
		lock.Close()
		return nil, err
	}
	return lock, nil
}

// OnlyRun refuses a directory with files that no run makes, with a *DirError.
func OnlyRun(dir string) error { return onlyOurs(dir) }
