package benchmarks

import (
	"io"
	"os"
	"strings"

	"memobench/benchmarks/record"
	"memobench/models/checkpoint"
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

// OnlyRun refuses a directory with files that no run makes, hidden ones too, and one
// without a record, a checkpoint or a lock, in which no run has been; with a *DirError.
func OnlyRun(dir string) error {
	if err := onlyOurs(dir); err != nil {
		return err
	}
	entries, err := os.ReadDir(dir)
	begun := len(entries) == 0
	for _, e := range entries {
		name := e.Name()
		if strings.HasPrefix(name, ".") && !checkpoint.IsOurs(name) {
			return &DirError{Dir: dir, Problem: DirForeign, Detail: name}
		}
		begun = begun || name == record.FileName || name == CheckpointName || name == lockName
	}
	if err == nil && !begun {
		err = &DirError{Dir: dir, Problem: DirForeign, Detail: entries[0].Name() + ", without a record or a checkpoint"}
	}
	return err
}
