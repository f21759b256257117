package data

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"

	"memobench/benchmarks/train"
)

// stage calls fill with a new directory next to dir, which it renames to dir if fill
// succeeds, else removes. dir must not exist, or be empty. A lock in the new directory
// distinguishes it from those of killed processes.
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
	if err := removeLeftovers(parent); err != nil {
		return err
	}
	staged, err := os.MkdirTemp(parent, stagePrefix+filepath.Base(dir)+"-")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.RemoveAll(staged)
		}
	}()
	lock, err := train.Lock(staged, "data gen")
	if err != nil {
		return err
	}
	defer lock.Close()                              // closing twice only returns an error
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
	lock.Close() // not every system renames a directory with an open file
	if err := os.Rename(staged, dir); err != nil {
		return err
	}
	return os.Remove(filepath.Join(dir, train.LockName))
}

// stagePrefix begins the names of directories that are being written; the final name and
// digits follow.
const stagePrefix = ".writing-"

var stageForm = regexp.MustCompile(`^\.writing-.+-[0-9]+$`)

// removeLeftovers removes the directories that killed processes left in parent: those with
// such a name whose lock is free.
func removeLeftovers(parent string) error {
	entries, err := os.ReadDir(parent)
	for _, e := range entries {
		if !stageForm.MatchString(e.Name()) || !e.IsDir() {
			continue
		}
		dir := filepath.Join(parent, e.Name())
		lock, locked := train.Lock(dir, "")
		if locked != nil { // in use, or not ours
			continue
		}
		err = errors.Join(err, lock.Close(), os.RemoveAll(dir))
	}
	return err
}

// checkFree reports whether dir exists. It fails unless dir is empty.
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
	what := "is not empty"
	if isDataset(dir) {
		what = "contains a dataset already"
	}
	return true, fmt.Errorf("directory %s: it %s; name another one, or remove it", dir, what)
}
