package data

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"memobench/benchmarks/record"
	"memobench/datasets"
)

// Plan says what to write.
type Plan struct {
	Task   string          // registry name
	Source datasets.Source // a generator; nil for files in the task's own format
	Seed   uint64

	// Counts are the examples of each split. Of stories they are the training and
	// test questions of each task; validation is a part of training.
	Counts [3]int

	// AllItems writes all items of generated embeddings, not only those that the
	// examples name.
	AllItems bool

	entry    datasets.Entry
	settings any
}

// NewPlan plans to write the generated data of a task.
func NewPlan(task string, entry datasets.Entry, settings any) (Plan, error) {
	p := Plan{Task: task, entry: entry, settings: settings}
	var err error
	switch {
	case entry.Generate != nil:
		_, err = entry.Generate(settings, 0, 1, 1) // the settings
	case entry.ReadsData:
		err = fmt.Errorf("%s reads files and generates none; tasks that are generated: %s", task, strings.Join(generated(), ", "))
	default:
		p.Source, err = entry.New(settings, datasets.Options{})
	}
	return p, err
}

// generated lists the tasks whose data can be written.
func generated() []string {
	return slices.DeleteFunc(datasets.Names(), func(name string) bool {
		e, _ := datasets.Lookup(name)
		return e.ReadsData && e.Generate == nil
	})
}

// pool returns the items of a split; nil where the examples name none.
func (p *Plan) pool(split datasets.Split) datasets.Pool {
	if src, ok := p.Source.(datasets.Pooled); ok {
		return src.Pool(split)
	}
	return nil
}

// HasItems reports whether the examples name items, which are written next to them.
func (p *Plan) HasItems() bool { return p.pool(datasets.Train) != nil }

// batchSize is that of Header.Batch.
const batchSize = 64

// Write writes the plan's dataset into dir, which must be empty or not exist,
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
		if err := w.file(File{Name: SchemaName, Content: ContentText}, text(schemaText)); err != nil {
			return err
		}
		data, err := w.header.marshal()
		if err != nil {
			return err
		}
		_, err = w.create(headerName, text(string(data))) // the last file: it does not list itself
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("writing %s: %w", dir, err)
	}
	return &w.header, nil
}

func text(s string) func(io.Writer) error {
	return func(out io.Writer) error {
		_, err := io.WriteString(out, s)
		return err
	}
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
	if w.plan.HasItems() {
		return w.embeddings()
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
