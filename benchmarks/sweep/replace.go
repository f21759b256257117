package sweep

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"memobench/benchmarks/evaluate"
	"memobench/benchmarks/record"
	"memobench/benchmarks/train"
	"memobench/datasets/binfile"
	"memobench/models/checkpoint"
)

// Names of what a merge keeps in the result while it works: a run's new directory
// before it takes its place, and the old one after.
const (
	newPrefix = ".merge-new-"
	oldPrefix = ".merge-old-"
)

// leftover is the name of what a killed merge leaves, of one of the two kinds.
var leftover = regexp.MustCompile(`^\.merge-(new|old)-[A-Za-z0-9._-]+-s[0-9]+-[0-9a-f]{8}$`)

// begin locks a result against other merges and ends what one that was killed
// left: a run that it had moved away gets its place back unless the new one has
// taken it.
func begin(out string) (io.Closer, error) {
	lock, err := train.Lock(out, "sweep merge")
	if err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(out)
	for _, e := range entries {
		if err != nil {
			break
		}
		if !leftover.MatchString(e.Name()) {
			continue
		}
		at := filepath.Join(out, e.Name())
		if name, old := strings.CutPrefix(e.Name(), oldPrefix); old {
			to := filepath.Join(out, name)
			if _, err = os.Lstat(to); errors.Is(err, fs.ErrNotExist) {
				err = os.Rename(at, to)
			} else if err == nil {
				err = os.RemoveAll(at)
			}
		} else {
			err = os.RemoveAll(at)
		}
	}
	if err != nil {
		lock.Close()
		return nil, err
	}
	return lock, nil
}

// replace copies a run's directory to a place that may hold another copy of the
// run, a shorter one or one without a record, and nothing else. No process may
// work on either.
func replace(to, from string) error {
	for _, dir := range []string{from, to} {
		switch lock, err := train.Lock(dir, ""); {
		case err == nil:
			defer lock.Close()
		case !errors.Is(err, fs.ErrNotExist):
			return err
		}
	}
	info, err := os.Lstat(to)
	there := err == nil
	switch {
	case there && !info.IsDir():
		return fmt.Errorf("%s: in its place is something that is not a directory", to)
	case there:
		if err := train.OnlyRun(to); err != nil {
			return err
		}
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	out, name := filepath.Split(to)
	fresh, old := filepath.Join(out, newPrefix+name), filepath.Join(out, oldPrefix+name)
	err = copyDir(fresh, from)
	if err == nil && there {
		err = os.Rename(to, old)
	}
	if err == nil {
		if err = os.Rename(fresh, to); err != nil && there {
			err = errors.Join(err, os.Rename(old, to))
		}
	}
	if err == nil {
		err = checkpoint.SyncDir(filepath.Clean(out))
	}
	if err == nil && there {
		err = os.RemoveAll(old)
	}
	if err != nil {
		os.RemoveAll(fresh)
	}
	return err
}

// copyDir copies a run's directory durably. It follows links to files; anything
// but files and directories is an error.
func copyDir(to, from string) error {
	entries, err := os.ReadDir(from)
	if err != nil {
		return err
	}
	if err := os.Mkdir(to, 0o755); err != nil {
		return err
	}
	for _, e := range entries {
		src, dst := filepath.Join(from, e.Name()), filepath.Join(to, e.Name())
		info, err := os.Stat(src)
		switch {
		case err != nil:
		case e.Name() == train.LockName:
		case e.IsDir():
			err = copyDir(dst, src)
		case !info.Mode().IsRegular():
			err = fmt.Errorf("%s: neither a file nor a directory", src)
		default:
			err = copyFile(dst, src)
		}
		if err != nil {
			return err
		}
	}
	return checkpoint.SyncDir(to)
}

func copyFile(to, from string) error {
	f, _, err := binfile.OpenRegular(from)
	if err != nil {
		return err
	}
	defer f.Close()
	return checkpoint.WriteFile(to, func(w io.Writer) error {
		_, err := io.Copy(w, f)
		return err
	})
}

// weights is what a run's directory holds of trained weights.
type weights struct {
	sum string // SHA-256 of the file, empty without one
	err error  // why they are damaged
}

func (w weights) intact() bool { return w.sum != "" && w.err == nil }

// conflict reports whether both are intact, and different.
func (w weights) conflict(v weights) bool { return w.intact() && v.intact() && w.sum != v.sum }

// readWeights reads the weights of the run in a directory, and compares them with
// their SHA-256 in its record, where that has one.
func readWeights(dir string, rec *record.Record) (w weights) {
	path := filepath.Join(dir, evaluate.WeightsName)
	w.sum, w.err = sumOf(path)
	switch {
	case errors.Is(w.err, fs.ErrNotExist):
		return weights{}
	case w.err == nil:
		if w.err = rec.CheckFile(dir, evaluate.WeightsName); w.err == nil {
			_, _, w.err = checkpoint.LoadWeights(path)
		}
	}
	return w
}

func sumOf(path string) (string, error) {
	f, _, err := binfile.OpenRegular(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}
