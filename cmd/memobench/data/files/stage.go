package files

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// DirError says that the directory to write to is not free.
type DirError struct{ Dir, Problem string }

func (e *DirError) Error() string { return fmt.Sprintf("directory %s: %s", e.Dir, e.Problem) }

// stage lets fill write into a new directory beside dir, and gives that the name
// dir when all went well; else nothing is left of it. dir must not be there, or
// be empty.
func stage(dir string, fill func(staged string) error) (err error) {
	dir, err = filepath.Abs(dir)
	if err != nil {
		return err
	}
	exists, err := checkFree(dir)
	if err != nil {
		return err
	}
	parent := filepath.Dir(dir)
	if err := os.MkdirAll(parent, 0o777); err != nil {
		return err
	}
	staged, err := os.MkdirTemp(parent, ".writing-"+filepath.Base(dir)+"-")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.RemoveAll(staged)
		}
	}()
	if err := os.Chmod(staged, 0o755); err != nil { // MkdirTemp makes directories private
		return err
	}
	if err := fill(staged); err != nil {
		return err
	}
	if exists { // and is empty; not every system renames over it
		if err := os.Remove(dir); err != nil {
			return err
		}
	}
	return os.Rename(staged, dir)
}

// checkFree reports whether dir is there, which it may be only when it is empty.
func checkFree(dir string) (exists bool, err error) {
	entries, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, err
	case len(entries) == 0:
		return true, nil
	}
	problem := "it is not empty; name another one, or remove it"
	for _, e := range entries {
		if e.Name() == HeaderName {
			problem = "it holds a dataset already; name another one, or remove it"
		}
	}
	return true, &DirError{dir, problem}
}
