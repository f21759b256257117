package train

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"memobench/datasets/binfile"
	"memobench/models"
)

// lockName is the name of a directory's lock.
const lockName = "lock"

// lock locks a directory against other processes until the returned file is closed. The
// content of the lock says which process has it, and with work what it does. On a file system
// without locks it is always taken.
func lock(dir, work string) (*os.File, error) {
	f, err := os.OpenFile(filepath.Join(dir, lockName), os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	ok, err := binfile.TryLock(f)
	if err == nil && !ok {
		text := make([]byte, 1000)
		n, _ := f.ReadAt(text, 0) // empty while its holder starts
		err = refuse(dir, errLocked, strings.Join(strings.Fields(string(text[:n])), " "))
	}
	if err == nil {
		err = f.Truncate(0)
	}
	if err == nil {
		host, _ := os.Hostname()
		_, err = fmt.Fprintf(f, "process %d on %s: %s, since %s\n", os.Getpid(), host, work, time.Now().UTC().Format(time.RFC3339))
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
