package data

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"memobench/benchmarks/config"
	"memobench/benchmarks/record"
	"memobench/datasets"
)

// Plan is a plan of a dataset to write.
type Plan struct {
	Task string // registry name
	Seed uint64 // of the training examples, or of the stories

	// For files in the task's own format: training and test questions of each task; validation
	// is a part of training.
	Train, Test int

	*Export // the examples under a protocol; nil for files in the task's own format

	entry    datasets.Entry
	settings any
}

// FilesOf plans to write the generated data of a task in its own format.
func FilesOf(task string, entry datasets.Entry, settings any) (Plan, error) {
	p := Plan{Task: task, entry: entry, settings: settings}
	if entry.Generate == nil {
		return p, fmt.Errorf("%s has no files of its own format; memobench data export %s writes its examples; tasks with files that are generated: %s",
			task, task, strings.Join(datasets.NamesOf(func(e datasets.Entry) bool { return e.Generate != nil }), ", "))
	}
	_, err := entry.Generate(settings, 0, 1, 1) // the settings
	return p, err
}

// Size estimates how many bytes Write writes, from a few examples or stories.
func (p *Plan) Size() (int64, error) {
	if p.Export != nil {
		return p.Export.size(p.Seed)
	}
	files, err := p.entry.Generate(p.settings, p.Seed, sampled, 1)
	if err != nil {
		return 0, err
	}
	var size int64
	var stories bytes.Buffer
	for _, f := range files {
		size += f.Bytes
		if f.Content == ContentStories {
			if err := f.Write(&stories); err != nil {
				return 0, err
			}
		}
	}
	return size + int64(float64(stories.Len())/(sampled+1)*float64(p.Train+p.Test)), nil
}

// sampled is the number of questions of a story task that Size generates.
const sampled = 50

// Write writes the plan's dataset into dir, which must be empty or not exist, and returns
// its header. After an error, also the context's, nothing is left. tick gets numbers of
// examples and items.
func Write(ctx context.Context, dir string, p Plan, tick Tick) (*Header, error) {
	w := &writer{ctx: ctx, plan: p, tick: tick}
	w.header = Header{Schema: schemaVersion, Task: p.Task, Seed: p.Seed, Code: record.CodeVersion(), Labels: []string{}}
	var header []byte
	err := stage(dir, func(staged string) (err error) {
		w.dir = staged
		data := w.files
		if p.Export != nil {
			data = w.examples
		}
		if err := data(); err != nil {
			return err
		}
		if err := w.file(&File{Name: SchemaName, Content: ContentText}, text(schemaText)); err != nil {
			return err
		}
		if header, err = w.header.marshal(); err != nil {
			return err
		}
		_, _, err = w.create(headerName, text(string(header))) // the last file: it does not list itself
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("writing %s: %w", dir, err)
	}
	return parseHeader(header)
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

// files writes files in the task's own format, and fills the header from them.
func (w *writer) files() error {
	w.header.Form = formFiles
	files, err := w.plan.entry.Generate(w.plan.settings, w.plan.Seed, w.plan.Train, w.plan.Test)
	if err != nil {
		return err
	}
	for _, file := range files {
		w.total += file.Count
	}
	for _, file := range files {
		f := &File{Name: file.Name, Content: file.Content, Split: file.Split.String(), Count: file.Count}
		if file.Content == ContentText {
			f.Split = ""
		}
		if err := w.file(f, func(out io.Writer) error { return file.Write(interruptible{w, out}) }); err != nil {
			return err
		}
		if err := w.step(f.Name, f.Count); err != nil {
			return err
		}
	}
	src, err := w.plan.entry.New(w.plan.settings, datasets.Options{DataPath: w.dir})
	if err != nil {
		return err
	}
	w.header.describe(src)
	return nil
}

// interruptible is a writer that fails when the context has ended.
type interruptible struct {
	*writer
	out io.Writer
}

func (w interruptible) Write(p []byte) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	return w.out.Write(p)
}

// describe copies the description of a source.
func (h *Header) describe(src datasets.Source) {
	spec := src.Spec()
	h.Settings, h.Fingerprint = spec.Settings, spec.Hash
	h.Labels = append(h.Labels, spec.Caveats.Texts()...)
	h.Kinds, h.Shape, h.Vocabulary = src.Kinds(), shapeOf(src.Shape()), config.Vocabulary(src)
}

// step reports that n more examples or items of a file are written.
func (w *writer) step(file string, n int) error {
	w.done += n
	w.tick.show(file, w.done, w.total)
	return w.ctx.Err()
}

// file writes a file and adds it to the header. fill may set the other fields of f.
func (w *writer) file(f *File, fill func(io.Writer) error) error {
	var err error
	f.Bytes, f.SHA256, err = w.create(f.Name, fill)
	w.header.Files = append(w.header.Files, *f)
	return err
}

// create writes a file durably and returns its size and SHA-256.
func (w *writer) create(name string, fill func(io.Writer) error) (size int64, sum string, err error) {
	f, err := os.Create(filepath.Join(w.dir, name))
	if err != nil {
		return 0, "", err
	}
	defer func() {
		if closed := f.Close(); err == nil {
			err = closed
		}
	}()
	hash := sha256.New()
	out := bufio.NewWriterSize(io.MultiWriter(f, hash), 1<<16)
	if err := fill(out); err != nil {
		return 0, "", fmt.Errorf("%s: %w", name, err)
	}
	if err := cmp.Or(out.Flush(), f.Sync()); err != nil {
		return 0, "", err
	}
	size, err = f.Seek(0, io.SeekCurrent)
	return size, hex.EncodeToString(hash.Sum(nil)), err
}
