package export

import (
	"bufio"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"

	"memobench/datasets"
	"memobench/datasets/binfile"
	"memobench/datasets/npz"
)

// Plan says what to export.
type Plan struct {
	Task     string // registry name
	Seed     uint64 // of the training examples
	Protocol Protocol
	Code     string // version of the program
	Source   datasets.Source

	// IDs returns the beginning of the ids of a split's examples.
	IDs func(split datasets.Split) string

	// Batches yields the examples of a split. Training batches may be without end.
	Batches func(ctx context.Context, split datasets.Split) iter.Seq2[*datasets.Batch, error]

	Splits  []datasets.Split // to write, in order
	Formats []string         // some of FormatNames
}

// Tick reports progress: the file that is written or downloaded, and how much of it is done of
// how much, which is 0 where it is not known.
type Tick func(file string, done, total int64)

// Header describes the examples without their files.
func (p *Plan) Header() Header {
	spec := p.Source.Spec()
	h := Header{
		Schema: version, Task: p.Task, Form: "examples", Protocol: &p.Protocol, Settings: spec.Settings, Seed: p.Seed, Fingerprint: spec.Hash,
		Labels: append([]string{}, spec.Caveats.Texts()...), Kinds: p.Source.Kinds(), Code: p.Code,
		Shape: Shape(p.Source.Shape()),
	}
	if v, ok := p.Source.(datasets.Vocabularied); ok {
		h.Vocabulary = v.Vocabulary()
	}
	return h
}

// Write writes the plan's examples into dir, which must be empty or not exist, and returns their
// header. After an error, also the context's, nothing is left.
func Write(ctx context.Context, dir string, p Plan, tick Tick) (*Header, error) {
	w := &writer{ctx: ctx, plan: p, tick: tick, header: p.Header()}
	err := Stage(dir, func(staged string) error {
		w.dir = staged
		if err := w.examples(); err != nil {
			return err
		}
		if err := w.file(&File{Name: SchemaName, Content: Text}, text(schemaText)); err != nil {
			return err
		}
		header, err := json.MarshalIndent(&w.header, "", "  ")
		if err == nil {
			_, _, err = create(filepath.Join(staged, HeaderName), text(string(header)+"\n"))
		}
		return err
	})
	return &w.header, err
}

func text(s string) func(io.Writer) error {
	return func(out io.Writer) error {
		_, err := io.WriteString(out, s)
		return err
	}
}

// CheckNew returns an error unless dir does not exist or is an empty directory.
func CheckNew(dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil && len(entries) > 0 {
		err = fmt.Errorf("the directory %s is not empty; name another one, or remove it", dir)
	}
	return err
}

// Stage calls fill with a new directory next to dir, which it renames to dir if fill succeeds, else
// removes. dir must not exist, or be empty. What a killed process left is removed; another process
// that writes the same directory is an error.
func Stage(dir string, fill func(staged string) error) (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("writing %s: %w", dir, err)
		}
	}()
	if err := CheckNew(dir); err != nil {
		return err
	}
	if target, err := filepath.EvalSymlinks(dir); err == nil { // else a link would be replaced
		dir = target
	}
	if dir, err = filepath.Abs(dir); err != nil { // "." has another name
		return err
	}
	parent := filepath.Dir(dir)
	if err := os.MkdirAll(parent, 0o777); err != nil {
		return err
	}
	staged := filepath.Join(parent, ".writing-"+filepath.Base(dir))
	lock, err := takeOver(staged)
	if err != nil {
		return err
	}
	defer lock.Close()
	defer os.RemoveAll(staged) // after the rename there is nothing
	if err := fill(staged); err != nil {
		return err
	}
	os.Remove(dir) // empty, or not there; not every system renames over it
	return os.Rename(staged, dir)
}

// takeOver makes a directory, or empties one that a killed process left, and locks it until the returned
// file is closed.
func takeOver(dir string) (lock *os.File, err error) {
	if err := os.Mkdir(dir, 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	if info, err := os.Lstat(dir); err != nil || !info.IsDir() {
		return nil, fmt.Errorf("%s is not a directory (%v)", dir, err)
	}
	if lock, err = os.Open(dir); err != nil {
		return nil, err
	}
	free, err := binfile.TryLock(lock)
	if err == nil && !free {
		err = fmt.Errorf("another process is writing %s", dir)
	}
	var left []fs.DirEntry
	if err == nil {
		left, err = os.ReadDir(dir)
	}
	for _, e := range left {
		err = cmp.Or(err, os.RemoveAll(filepath.Join(dir, e.Name())))
	}
	if err != nil {
		lock.Close()
	}
	return lock, err
}

// writer writes one dataset.
type writer struct {
	ctx    context.Context
	plan   Plan
	tick   Tick
	dir    string
	header Header
}

// examples writes the examples of all splits in all formats.
func (w *writer) examples() error {
	for _, split := range w.plan.Splits {
		var items *datasets.Items // of the split, in the order of their first use
		if dim := w.header.Shape.ItemDim; dim > 0 {
			items = &datasets.Items{Dim: dim}
		}
		for _, name := range w.plan.Formats {
			if err := w.split(formats[name], split, items); err != nil {
				return err
			}
		}
		if items != nil {
			f := &File{Name: split.String() + "_items.npy", Content: Items, Split: split.String(), Count: items.Len()}
			if err := w.file(f, func(out io.Writer) error { return npz.Write(out, items.Data, items.Len(), items.Dim) }); err != nil {
				return err
			}
		}
	}
	if slices.Contains(w.plan.Formats, "text") {
		return w.harness()
	}
	return nil
}

// split writes the examples of a split in a format.
func (w *writer) split(f format, split datasets.Split, items *datasets.Items) error {
	file := File{Name: split.String() + f.ending, Content: f.content, Split: split.String(), IDs: w.plan.IDs(split)}
	list := func(yield func(*datasets.Batch, error) bool) {
		for b, err := range w.plan.Batches(w.ctx, split) {
			if err == nil {
				renamed := datasets.Batch{Items: items}
				renamed.Append(b)
				b = &renamed
				file.Count += b.Size()
				if w.tick != nil {
					w.tick(file.Name, int64(file.Count), 0)
				}
			}
			if !yield(b, err) || err != nil {
				return
			}
		}
	}
	return w.file(&file, func(out io.Writer) error { return f.write(out, w.plan.Source, file.IDs, list) })
}

// file writes a file and adds it to the header.
func (w *writer) file(f *File, fill func(io.Writer) error) (err error) {
	f.Bytes, f.SHA256, err = create(filepath.Join(w.dir, f.Name), fill)
	w.header.Files = append(w.header.Files, *f)
	return err
}

// create writes a file durably and returns its size and SHA-256.
func create(path string, fill func(io.Writer) error) (size int64, sum string, err error) {
	f, err := os.Create(path)
	if err != nil {
		return 0, "", err
	}
	defer f.Close() // closing twice only returns an error
	hash := sha256.New()
	out := bufio.NewWriterSize(io.MultiWriter(f, hash), 1<<16)
	if err := fill(out); err != nil {
		return 0, "", fmt.Errorf("%s: %w", filepath.Base(path), err)
	}
	if err := cmp.Or(out.Flush(), f.Sync()); err != nil {
		return 0, "", err
	}
	size, err = f.Seek(0, io.SeekCurrent)
	return size, hex.EncodeToString(hash.Sum(nil)), cmp.Or(err, f.Close())
}

// Stream writes the examples of a split as JSON lines until they end, with header after a line that
// is the header.
func (p *Plan) Stream(ctx context.Context, out io.Writer, split datasets.Split, header bool) error {
	if p.Source.Shape().ItemDim > 0 {
		return fmt.Errorf("the items of %s are vectors; --out DIR writes their table next to the examples", p.Task)
	}
	if header {
		if err := json.NewEncoder(out).Encode(p.Header()); err != nil {
			return err
		}
	}
	return writeLines(out, p.Source, p.IDs(split), p.Batches(ctx, split))
}
