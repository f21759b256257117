package data

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"

	"memobench/datasets"
	"memobench/datasets/babi"
	"memobench/datasets/npy"
	"memobench/datasets/pai"
)

// arrays adds .npy files, and how those in a directory fit together.
func (c *checker) arrays(path string, paths []string) {
	part := c.part("arrays", len(paths))
	faulty := false
	for _, file := range paths {
		c.check(part, file, 1, func(p *Part, report func(error)) {
			c.array(file, nil, p, func(err error) { faulty = true; report(err) })
		})
	}
	if path != paths[0] && hasTables(path) {
		c.check(part, path, 0, func(_ *Part, report func(error)) {
			if !faulty { // else the same errors would come again
				c.tables(path, report)
			}
		})
	}
}

// hasTables reports whether a directory has a file of one of the names that
// package pai reads.
func hasTables(dir string) bool {
	for _, name := range []string{"embeddings", datasets.Train.String(), datasets.Validation.String(), datasets.Test.String()} {
		if _, err := os.Stat(filepath.Join(dir, name+".npy")); err == nil {
			return true
		}
	}
	return false
}

// tables lets package pai read the directory, for the smallest task.
func (c *checker) tables(dir string, report func(error)) {
	s := pai.NpyDefaults(3)
	s.Sequences = 2
	src, err := pai.OpenNpy(*s, datasets.Options{DataPath: dir, Splits: []datasets.Split{}})
	if err != nil {
		report(err)
		return
	}
	for _, caveat := range src.Spec().Caveats {
		if caveat.Kind != datasets.ReducedSize {
			c.report.note("%s", caveat.Text)
		}
	}
}

const (
	valuesAtOnce = 1 << 14
	maxClass     = 1_000_000 // as package pai has it
)

// array reads a file to its end: numbers must be finite, and classes not
// negative. want is the shape, or nil for any.
func (c *checker) array(path string, want []int, p *Part, report func(error)) {
	a, err := npy.Open(path)
	if err != nil {
		report(err)
		return
	}
	defer a.Close()
	if want != nil && fmt.Sprint(a.Shape()) != fmt.Sprint(want) {
		report(fmt.Errorf("%s: shape %v, the header says %v", path, a.Shape(), want))
		return
	}
	p.count("numbers", int(a.Len()))
	classes := strings.HasSuffix(path, "classes.npy")
	if classes && !a.Type().Integer() {
		report(fmt.Errorf("%s: classes of type %v, want integers", path, a.Type()))
		return
	}
	var values [valuesAtOnce]float32
	var ids [valuesAtOnce]int64
	for at := int64(0); at < a.Len(); at += valuesAtOnce {
		n := int(min(valuesAtOnce, a.Len()-at))
		if classes {
			err = a.Int64(ids[:n], at)
		} else {
			err = a.Float32(values[:n], at)
		}
		if err != nil {
			report(err)
			return
		}
		for i := range n {
			problem := ""
			if x := float64(values[i]); !classes && (math.IsNaN(x) || math.IsInf(x, 0)) {
				problem = fmt.Sprintf("value %d is %v as float32", at+int64(i), x)
			}
			if classes && (ids[i] < 0 || ids[i] >= maxClass) {
				problem = fmt.Sprintf("class %d of item %d, want 0 to %d", ids[i], at+int64(i), maxClass-1)
			}
			if problem != "" {
				report(&npy.Error{File: path, Offset: a.Offset(at + int64(i)), Problem: problem})
			}
		}
		if c.read(int(a.Offset(int64(n))-a.Offset(0))) != nil {
			return
		}
	}
}

// dataset adds what Write wrote; only, if not empty, is the only file of
// it that is asked for.
func (c *checker) dataset(dir, only string) error {
	header := filepath.Join(dir, headerName)
	d, err := Open(dir)
	if err != nil {
		c.check(c.part("generated dataset", 1), header, 0, func(_ *Part, report func(error)) { report(err) })
		return nil
	}
	p := c.part(fmt.Sprintf("generated dataset %s, seed %d", d.Header.Task, d.Header.Seed), 0)
	verify, err := c.verifier(d)
	if err != nil {
		c.check(p, header, 0, func(_ *Part, report func(error)) { report(err) })
	}
	if only == "" {
		p.Files = 1 // the header
	}
	listed := map[string]bool{headerName: true}
	for i := range d.Header.Files {
		f := &d.Header.Files[i]
		listed[f.Name] = true
		if only == "" || only == f.Name {
			p.Files++
			c.check(p, d.Path(f), 2, func(p *Part, report func(error)) { c.file(d, f, verify, p, report) })
		}
	}
	if !listed[only] && only != "" {
		return fmt.Errorf("%s: %s does not list it", filepath.Join(dir, only), headerName)
	}
	if entries, err := os.ReadDir(dir); err == nil && only == "" {
		for _, e := range entries {
			if !listed[e.Name()] {
				c.report.note("%s is not of the dataset: the header does not list it", filepath.Join(dir, e.Name()))
			}
		}
	}
	return nil
}

// verifier returns what checks the answers of examples; with an error of the
// header, nothing does.
func (c *checker) verifier(d *Dataset) (func(b *datasets.Batch) error, error) {
	none := func(*datasets.Batch) error { return nil }
	if d.Header.Form == FormStories {
		return none, nil
	}
	src, same, err := d.Source()
	if err != nil {
		return none, err
	}
	if !same {
		c.report.note("%s: made by another version of the generator than this program has: fingerprint %s, here %s", d.Dir, d.Header.Fingerprint, src.Spec().Hash)
	}
	switch src := src.(type) {
	case interface {
		Verify(b *datasets.Batch, i int) error
	}:
		return func(b *datasets.Batch) error { return src.Verify(b, 0) }, nil
	case datasets.Tolerant:
		each := make([]bool, src.(datasets.Source).Shape().Answers)
		return func(b *datasets.Batch) error {
			if !src.Accepts(b, 0, b.Targets, each) {
				return fmt.Errorf("targets %v are not a right answer", b.Targets)
			}
			return nil
		}, nil
	}
	return none, nil
}

// file checks one file of a dataset.
func (c *checker) file(d *Dataset, f *File, verify func(b *datasets.Batch) error, p *Part, report func(error)) {
	err := d.Verify(f, c.read)
	if err != nil {
		report(err)
	}
	if errors.Is(err, fs.ErrNotExist) { // one error, not one for each way to read it
		return
	}
	path := d.Path(f)
	n := f.Count
	switch f.Content {
	case ContentExamples:
		line := int(f.Bytes) / max(f.Count, 1)
		n = d.Scan(f, func(b *datasets.Batch) error {
			if err := c.read(line); err != nil {
				return err
			}
			return verify(b)
		}, report)
		p.count("examples", n)
	case ContentItems:
		c.array(path, []int{f.Count, d.Header.Shape.ItemDim}, p, report)
	case ContentClasses:
		c.array(path, []int{f.Count}, p, report)
	case ContentStories:
		list, _, err := babi.Files(path)
		if err != nil {
			report(err)
			return
		}
		n = 0
		for _, s := range list {
			n += countStories(s, p, report)
		}
	}
	if n != f.Count {
		what := "examples"
		if f.Content == ContentStories {
			what = "questions"
		}
		report(fmt.Errorf("%s: %d %s, the header says %d", path, n, what, f.Count))
	}
}
