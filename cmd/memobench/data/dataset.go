// Package data implements the subcommands of "memobench data": it writes
// generated datasets to files and reads them again, and it validates, summarizes,
// shows and downloads data.
//
// Write makes a directory with a header, dataset.json, and one of two forms of data:
//
//   - examples: what a model sees under a protocol, training batches and the questions
//     of validation and test, in one or more formats: JSON Lines (train.jsonl, ...),
//     NumPy (train.npz), Parquet, and plain language; with embeddings also the items
//     that the examples name (train_items.npy);
//   - files: data in the task's own format, which it reads: bAbI stories, tables of
//     embeddings with their classes.
//
// SCHEMA.md explains every key and is written into the directory. The directory
// exists with all of its files or not at all. The header names the task, all
// settings, the protocol, the seed and the fingerprint of the data, and the size and
// SHA-256 of every file; the same ones give the same files, and those of fewer steps
// are the beginning of those of more. What is read is checked against
// the header: an error names file and line, and bad input never takes more memory
// than a line.
package data

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"memobench/benchmarks/config"
	"memobench/benchmarks/record"
	"memobench/benchmarks/suggest"
	"memobench/datasets"
	"memobench/datasets/binfile"
)

// Tick reports progress: the file that is read or written, and how much of the total is
// done.
type Tick func(what string, done, total int64)

func (t Tick) show(what string, done, total int) {
	if t != nil {
		t(what, int64(done), int64(total))
	}
}

// Dataset is a directory written by Write.
type Dataset struct {
	Dir    string
	Header *Header
}

// Open reads the header in dir.
func Open(dir string) (*Dataset, error) {
	h, err := record.ReadParsed(filepath.Join(dir, headerName), maxHeader, parseHeader)
	if err != nil {
		return nil, err
	}
	return &Dataset{dir, h}, nil
}

// isDataset reports whether dir has a header.
func isDataset(dir string) bool {
	info, err := os.Stat(filepath.Join(dir, headerName))
	return err == nil && info.Mode().IsRegular()
}

// path returns where a file of the dataset is.
func (d *Dataset) path(f *File) string { return filepath.Join(d.Dir, f.Name) }

// Verify compares a file's size and SHA-256 with those in the header. progress is called for
// each block; its error ends the reading.
func (d *Dataset) Verify(f *File, progress func() error) error {
	in, size, err := binfile.OpenRegular(d.path(f))
	if err != nil {
		return err
	}
	defer in.Close()
	if size != f.Bytes {
		return fmt.Errorf("%s: %d bytes, the header says %d", d.path(f), size, f.Bytes)
	}
	sum := sha256.New()
	for err == nil {
		if err = progress(); err == nil {
			_, err = io.CopyN(sum, in, 1<<20)
		}
	}
	if err != io.EOF {
		return err
	}
	if got := hex.EncodeToString(sum.Sum(nil)); got != f.SHA256 {
		return fmt.Errorf("%s: SHA-256 %s, the header says %s: the file was changed", d.path(f), got, f.SHA256)
	}
	return nil
}

// maxLine is the maximum size of a line in bytes. The longest line of Write, with 10,000
// rows, has a fiftieth of it.
const maxLine = 16 << 20

// scan reads a file of examples to its end. It calls visit for each example that fits the
// header, as a batch of one; its items, if any, are numbered in order and have a single
// feature without meaning. Errors, also those of visit, go to report with file and line.
// scan returns the number of lines.
func (d *Dataset) scan(f *File, visit func(b *datasets.Batch) error, report func(error)) int {
	in, _, err := binfile.OpenRegular(d.path(f))
	if err != nil {
		report(err)
		return 0
	}
	defer in.Close()
	items := 0
	if table, ok := d.Header.find(ContentItems, f.Split); ok {
		items = table.Count
	}
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, maxLine)
	var b datasets.Batch
	n := 0
	for lines.Scan() {
		n++
		e, err := parseExample(lines.Bytes())
		if id := f.IDs + strconv.Itoa(n-1); err == nil && e.ID != id {
			err = fmt.Errorf("id %q, want %q", e.ID, id)
		}
		if err == nil {
			err = e.batch(&b, d.Header, items)
		}
		if err == nil {
			err = visit(&b)
		}
		if err != nil {
			report(fmt.Errorf("%s:%d: %w", d.path(f), n, err))
		}
	}
	if err := lines.Err(); errors.Is(err, bufio.ErrTooLong) {
		report(fmt.Errorf("%s:%d: a line of more than %d bytes", d.path(f), n+1, maxLine))
	} else if err != nil {
		report(fmt.Errorf("%s:%d: %w", d.path(f), n+1, err))
	}
	return n
}

// source returns this program's generator of the data that the header names. If its
// fingerprint differs, same is false: its examples may differ.
func (d *Dataset) source() (src datasets.Source, same bool, err error) {
	h := d.Header
	entry, ok := datasets.Lookup(h.Task)
	if !ok {
		return nil, false, fmt.Errorf("%s: %w", d.Dir, &suggest.UnknownError{What: "task", Name: h.Task, Known: datasets.Names()})
	}
	settings := entry.Defaults()
	for _, key := range slices.Sorted(maps.Keys(h.Settings)) {
		if err := config.SetTask(settings, key+"="+h.Settings[key]); err != nil {
			return nil, false, fmt.Errorf("%s: %w", d.Dir, err)
		}
	}
	src, err = entry.New(settings, datasets.Options{})
	if err != nil {
		return nil, false, fmt.Errorf("%s: %w", d.Dir, err)
	}
	if have := shapeOf(src.Shape()); have != h.Shape {
		return nil, false, fmt.Errorf("%s: the header says shape %+v, its settings give %+v", d.Dir, h.Shape, have)
	}
	return src, src.Spec().Hash == h.Fingerprint, nil
}
