package sweep

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"memobench/benchmarks/evaluate"
	"memobench/benchmarks/record"
	"memobench/benchmarks/train"
	"memobench/datasets/binfile"
	"memobench/models/checkpoint"
)

// newPrefix begins the name of an incomplete copy of a run's directory.
const newPrefix = ".merge-new-"

// copyRun copies a run's directory to a path that does not exist. No process may work on
// the run.
func copyRun(to, from string) error {
	lock, err := train.Lock(from, "")
	if err == nil {
		defer lock.Close()
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	out, name := filepath.Split(to)
	fresh := filepath.Join(out, newPrefix+name)
	err = os.RemoveAll(fresh) // of a merge that was killed
	if err == nil {
		err = copyDir(fresh, from)
	}
	if err == nil {
		err = os.Rename(fresh, to)
	}
	if err == nil {
		return checkpoint.SyncDir(filepath.Clean(out))
	}
	os.RemoveAll(fresh)
	return err
}

// copyDir copies a run's directory durably. It follows links to files; other entries than
// files and directories are errors.
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

// weights is the state of the weights in a run's directory.
type weights struct {
	sum string // SHA-256 of the file, empty without one
	err error  // nil unless they are damaged
}

func (w weights) intact() bool { return w.sum != "" && w.err == nil }

// conflict reports whether both are intact, and different.
func (w weights) conflict(v weights) bool { return w.intact() && v.intact() && w.sum != v.sum }

// readWeights reads the weights of the run in a directory, and compares them with the
// SHA-256 in its record, if it has one.
func readWeights(dir string, rec *record.Record) (w weights) {
	path := filepath.Join(dir, evaluate.WeightsName)
	w.sum, w.err = record.SHA256(path)
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
