package train

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// lockForm matches the content of a lock: a line with the process number and one with
// what it does; it is empty while its holder starts.
var lockForm = regexp.MustCompile(`^([0-9]+\n[^\n]*\n)?$`)

// lockText is the content of a lock that this process holds; work says what it does.
func lockText(work string) string {
	text := fmt.Sprintf("%d\n%s, since %s", os.Getpid(), work, time.Now().UTC().Format(time.RFC3339))
	if host, err := os.Hostname(); err == nil {
		text += " on " + host
	}
	return text + "\n"
}

// LockName is the name of a directory's lock.
const LockName = "lock"

// Lock locks a directory against other processes until the returned file is closed. The
// lock file is created if it is missing, and work, which says what this process does, is
// written into it. If work is empty, the lock file must exist (else the error wraps
// fs.ErrNotExist) and is not changed. The error is a *DirError when another process has
// the lock, and when the file is not a lock.
func Lock(dir, work string) (*os.File, error) {
	flags := os.O_RDONLY
	if work != "" {
		flags = os.O_RDWR | os.O_CREATE
	}
	f, err := takeLock(dir, flags)
	if err != nil || work == "" {
		return f, err
	}
	if err = f.Truncate(0); err == nil {
		_, err = f.WriteString(lockText(work))
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

func takeLock(path string, flags int) (*os.File, error) {
	name := filepath.Join(path, LockName)
	info, err := os.Lstat(name) // never through a link: the lock is written to
	if err == nil && !info.Mode().IsRegular() {
		return nil, &DirError{Dir: path, Problem: dirForeign, Detail: LockName + " is not a regular file"}
	}
	f, err := os.OpenFile(name, flags, 0o644)
	if err != nil {
		return nil, err
	}
	ok, err := tryLock(f)
	// InUse in another process may hold it for an instant.
	for wait := time.Millisecond; !ok && err == nil && wait < 100*time.Millisecond; wait *= 2 {
		time.Sleep(wait)
		ok, err = tryLock(f)
	}
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("locking %s: %w", name, err)
	}
	text := make([]byte, 4096)
	n, _ := f.ReadAt(text, 0) // empty while its holder starts
	text = text[:n]
	switch {
	case !lockForm.Match(text):
		err = &DirError{Dir: path, Problem: dirForeign, Detail: LockName + " is not a run's"}
	case !ok:
		process, work, _ := bytes.Cut(text, []byte("\n"))
		detail := strings.TrimSuffix(fmt.Sprintf("process %s: %s", process, bytes.TrimSpace(work)), ": ")
		err = &DirError{Dir: path, Problem: dirLocked, Detail: detail}
	default:
		return f, nil
	}
	f.Close()
	return nil, err
}

// InUse returns a *DirError when another process works in a run's directory, else nil.
func InUse(path string) error {
	f, err := Lock(path, "")
	if err == nil {
		return f.Close()
	}
	var dir *DirError
	if errors.As(err, &dir) && dir.Problem == dirLocked {
		return dir
	}
	return nil // no lock yet, or an error that the run itself will report
}
