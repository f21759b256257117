package data

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"

	"memobench/benchmarks"
	"memobench/benchmarks/record"
	"memobench/datasets"
	"memobench/datasets/babi"
	"memobench/datasets/pai"
)

// Plan says what to write.
type Plan struct {
	Task   string          // registry name
	Source datasets.Source // a generator; nil for stories
	Babi   *babi.Settings  // for stories: the tasks; else nil
	Seed   uint64

	// Counts are the examples of each split. Of stories they are the training and
	// test questions of each task; validation is a part of training.
	Counts [3]int

	// AllItems writes all items of generated embeddings, not only those that the
	// examples name.
	AllItems bool
}

// batchSize is that of Header.Batch.
const batchSize = 64

// Write writes the plan's dataset into dir, which must be empty or not there,
// and returns its header. After an error, the context's too, nothing is left.
// tick gets numbers of examples and items.
func Write(ctx context.Context, dir string, p Plan, tick Tick) (*Header, error) {
	w := &writer{ctx: ctx, plan: p, tick: tick}
	w.header = Header{Schema: schemaVersion, Task: p.Task, Seed: p.Seed, Code: record.CodeVersion(), Labels: []string{}}
	err := stage(dir, func(staged string) error {
		w.dir = staged
		if err := w.data(); err != nil {
			return err
		}
		if err := w.file(File{Name: SchemaName, Content: ContentText}, func(out io.Writer) error {
			_, err := io.WriteString(out, schemaMarkdown())
			return err
		}); err != nil {
			return err
		}
		data, err := w.header.marshal()
		if err != nil {
			return err
		}
		// The last file: nothing of the header is written into itself.
		_, err = w.create(headerName, func(out io.Writer) error {
			_, err := out.Write(data)
			return err
		})
		return err
	})
	var taken *dirError
	if err != nil && !errors.As(err, &taken) {
		err = fmt.Errorf("writing %s: %w", dir, err)
	}
	if err != nil {
		return nil, err
	}
	return &w.header, nil
}

// writer writes one dataset.
type writer struct {
	ctx         context.Context
	plan        Plan
	tick        Tick
	dir         string
	header      Header
	done, total int
}

// data writes the data and fills the header.
func (w *writer) data() error {
	if w.plan.Source == nil {
		return w.stories()
	}
	w.header.describe(w.plan.Source)
	w.header.Batch = batchSize
	w.header.Form = formExamples
	for _, n := range w.plan.Counts {
		w.total += n
	}
	if src, ok := w.plan.Source.(*pai.Source); ok {
		if _, ok := src.Pool(datasets.Train); ok {
			return w.embeddings(src)
		}
	}
	for split, count := range w.plan.Counts {
		if err := w.examples(datasets.Split(split), count, w.plan.Source.Batch, nil); err != nil {
			return err
		}
	}
	return nil
}

// describe takes over what a source says of itself.
func (h *Header) describe(src datasets.Source) {
	spec := src.Spec()
	h.Settings, h.Fingerprint = spec.Settings, spec.Hash
	h.Labels = append(h.Labels, spec.Caveats.Texts()...)
	h.Kinds, h.Shape = src.Kinds(), shapeOf(src.Shape())
}

// step says that n more examples or items of a file are written.
func (w *writer) step(file string, n int) error {
	w.done += n
	w.tick.show(file, w.done, w.total)
	return w.ctx.Err()
}

// file writes a file and lists it in the header.
func (w *writer) file(f File, fill func(io.Writer) error) error {
	sum, err := w.create(f.Name, fill)
	if err != nil {
		return err
	}
	f.Bytes, f.SHA256 = sum.n, hex.EncodeToString(sum.hash.Sum(nil))
	w.header.Files = append(w.header.Files, f)
	return nil
}

// create writes a file and makes it durable.
func (w *writer) create(name string, fill func(io.Writer) error) (_ *digest, err error) {
	f, err := os.Create(filepath.Join(w.dir, name))
	if err != nil {
		return nil, err
	}
	defer func() {
		if closed := f.Close(); err == nil {
			err = closed
		}
	}()
	sum := &digest{hash: sha256.New()}
	out := bufio.NewWriterSize(io.MultiWriter(f, sum), 1<<16)
	if err := fill(out); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if err := out.Flush(); err != nil {
		return nil, err
	}
	return sum, f.Sync()
}

// digest counts and hashes what is written to it.
type digest struct {
	hash hash.Hash
	n    int64
}

func (d *digest) Write(p []byte) (int, error) {
	d.n += int64(len(p))
	return d.hash.Write(p)
}

// dirError says that the directory to write to is not free.
type dirError struct{ Dir, Problem string }

func (e *dirError) Error() string { return fmt.Sprintf("directory %s: %s", e.Dir, e.Problem) }

// stage lets fill write into a new directory next to dir, and gives that the name
// dir when all went well; else nothing is left of it. dir must not exist, or be
// empty. A lock in the new directory tells it from what a killed process left.
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
	lock, err := benchmarks.Hold(staged, "data gen")
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
	return os.Remove(filepath.Join(dir, benchmarks.LockName))
}

// stagePrefix begins the names of directories that are being written; the name of
// the final one and digits follow.
const stagePrefix = ".writing-"

var stageForm = regexp.MustCompile(`^\.writing-.+-[0-9]+$`)

// removeLeftovers removes the directories that killed processes left in parent:
// those of our form whose lock nobody holds.
func removeLeftovers(parent string) error {
	entries, err := os.ReadDir(parent)
	for _, e := range entries {
		if !stageForm.MatchString(e.Name()) || !e.IsDir() {
			continue
		}
		dir := filepath.Join(parent, e.Name())
		lock, locked := benchmarks.Hold(dir, "")
		if locked != nil { // in use, or not ours
			continue
		}
		err = errors.Join(err, lock.Close(), os.RemoveAll(dir))
	}
	return err
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
		if e.Name() == headerName {
			problem = "it contains a dataset already; name another one, or remove it"
		}
	}
	return true, &dirError{dir, problem}
}
