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

// lockForm is the content of a lock: the process, and what it does; only the
// former in locks of earlier versions.
var lockForm = regexp.MustCompile(`^([0-9]+\n([^\n]*\n)?)?$`)

// holder is the content of the lock of this process while it works on a run.
func holder(name string) string {
	text := fmt.Sprintf("%d\n%s, since %s", os.Getpid(), name, time.Now().UTC().Format(time.RFC3339))
	if host, err := os.Hostname(); err == nil {
		text += " on " + host
	}
	return text + "\n"
}

// LockName is the name of a directory's lock.
const LockName = "lock"

// Lock locks a directory against runs and other users of it until it is closed. work says
// what this process does; the lock is made where there is none. Without work an existing
// lock is taken as it is; where there is none the error wraps fs.ErrNotExist. It is a
// *DirError when another process has the lock, saying what that does, and when the file
// is not a lock.
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
		_, err = f.WriteString(holder(work))
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
	// Another process may hold it for an instant, to see whether it is free.
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

// InUse returns the *DirError that says what another process does in a run's
// directory; nil when none does.
func InUse(path string) error {
	f, err := Lock(path, "")
	if err == nil {
		return f.Close()
	}
	var dir *DirError
	if errors.As(err, &dir) && dir.Problem == dirLocked {
		return dir
	}
	return nil // no lock yet, or something of which the run itself will complain
}
