package train

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"memobench/models"
)

// LockName is the name of a directory's lock.
const LockName = "lock"

// Lock locks a directory against other processes until the returned file is closed. The
// content of the lock says who holds it. If work, which says what this process does, is empty,
// the lock file must exist (else the error wraps fs.ErrNotExist) and is not changed. The error
// is a *DirError when another process has the lock. On a file system without locks it is
// always taken.
func Lock(dir, work string) (*os.File, error) {
	name, flags := filepath.Join(dir, LockName), os.O_RDONLY
	if work != "" {
		flags = os.O_RDWR | os.O_CREATE
	}
	f, err := os.OpenFile(name, flags, 0o644)
	if err != nil {
		return nil, err
	}
	ok, err := tryLock(f)
	if err == nil && !ok {
		text := make([]byte, 1000)
		n, _ := f.ReadAt(text, 0) // empty while its holder starts
		err = &DirError{Dir: dir, Problem: dirLocked, Detail: strings.Join(strings.Fields(string(text[:n])), " ")}
	} else if err == nil && work != "" {
		host, _ := os.Hostname()
		if err = f.Truncate(0); err == nil {
			_, err = fmt.Fprintf(f, "process %d on %s: %s, since %s\n", os.Getpid(), host, work, time.Now().UTC().Format(time.RFC3339))
		}
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// CPUSeconds returns the CPU time that this process has used so far, and the time that
// models in other processes took for their answers.
func CPUSeconds() float64 {
	return processSeconds() + time.Duration(models.TimeElsewhere.Load()).Seconds()
}
