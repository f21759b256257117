package data

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"memobench/datasets"
	"memobench/datasets/babi"
	"memobench/datasets/npy"
	"memobench/datasets/pai"
)

// arrays checks .npy files, and whether those in a directory are consistent.
func (c *checker) arrays(path string, paths []string) {
	if len(paths) == 0 {
		return
	}
	p := c.begin("arrays", len(paths))
	for i, file := range paths {
		if !c.next(file, i, len(paths)) {
			return
		}
		c.array(file, nil)
	}
	if path != paths[0] && p.Errors == 0 && hasTables(path) { // else the same errors would come again
		c.tables(path)
	}
}

// hasTables reports whether a directory has a file with a name that package pai reads.
func hasTables(dir string) bool {
	names := []string{"embeddings", datasets.Train.String(), datasets.Validation.String(), datasets.Test.String()}
	return slices.ContainsFunc(names, func(name string) bool { return exists(filepath.Join(dir, name+".npy")) })
}

// tables reads the directory with package pai, for the smallest task.
func (c *checker) tables(dir string) {
	s := pai.NpyDefaults(3)
	s.Sequences = 2
	src, err := pai.OpenNpy(*s, datasets.Options{DataPath: dir, Splits: []datasets.Split{}})
	if err != nil {
		c.fail(err)
		return
	}
	for _, caveat := range src.Spec().Caveats {
		if caveat.Kind != datasets.ReducedSize {
			c.note("%s", caveat.Text)
		}
	}
}

const (
	valuesAtOnce = 1 << 14
	maxClass     = 1_000_000 // as package pai has it
)

// array reads a file to its end: numbers must be finite, and classes not
// negative. want is the shape, or nil for any.
func (c *checker) array(path string, want []int) {
	a, err := npy.Open(path)
	if err != nil {
		c.fail(err)
		return
	}
	defer a.Close()
	if want != nil && fmt.Sprint(a.Shape()) != fmt.Sprint(want) {
		c.fail(fmt.Errorf("%s: shape %v, the header says %v", path, a.Shape(), want))
		return
	}
	c.part.count("numbers", int(a.Len()))
	classes := strings.HasSuffix(path, "classes.npy")
	if classes && !a.Type().Integer() {
		c.fail(fmt.Errorf("%s: classes of type %v, want integers", path, a.Type()))
		return
	}
	var values [valuesAtOnce]float32
	var ids [valuesAtOnce]int64
	for at := int64(0); at < a.Len() && c.ctx.Err() == nil; at += valuesAtOnce {
		n := int(min(valuesAtOnce, a.Len()-at))
		if classes {
			err = a.Int64(ids[:n], at)
		} else {
			err = a.Float32(values[:n], at)
		}
		if err != nil {
			c.fail(err)
			return
		}
		for i := range n {
			problem := ""
			if x := float64(values[i]); math.IsNaN(x) || math.IsInf(x, 0) {
				problem = fmt.Sprintf("value %d is %v as float32", at+int64(i), x)
			}
			if ids[i] < 0 || ids[i] >= maxClass {
				problem = fmt.Sprintf("class %d of item %d, want 0 to %d", ids[i], at+int64(i), maxClass-1)
			}
			if problem != "" {
				c.fail(&npy.Error{File: path, Offset: a.Offset(at + int64(i)), Problem: problem})
			}
		}
	}
}

// dataset checks the files written by Write; only, if not empty, is the only one to check.
func (c *checker) dataset(dir, only string) error {
	d, err := Open(dir)
	if err != nil {
		c.begin("dataset", 1)
		c.fail(err)
		return nil
	}
	p := c.begin(fmt.Sprintf("%s of %s, seed %d", d.Header.Form, d.Header.Task, d.Header.Seed), 0)
	verify, err := c.verifier(d)
	if err != nil {
		c.fail(err)
	}
	if only == "" {
		p.Files = 1 // the header
	}
	listed := map[string]bool{headerName: true}
	for i := range d.Header.Files {
		f := &d.Header.Files[i]
		listed[f.Name] = true
		if only != "" && only != f.Name {
			continue
		}
		p.Files++
		if !c.next(d.path(f), i, len(d.Header.Files)) {
			return nil
		}
		c.file(d, f, verify)
	}
	if !listed[only] && only != "" {
		return fmt.Errorf("%s: %s does not list it", filepath.Join(dir, only), headerName)
	}
	if entries, err := os.ReadDir(dir); err == nil && only == "" {
		for _, e := range entries {
			if !listed[e.Name()] {
				c.note("%s is not of the dataset: the header does not list it", filepath.Join(dir, e.Name()))
			}
		}
	}
	return nil
}

// verifier returns a function that checks the answers of examples. After an error it accepts
// all.
func (c *checker) verifier(d *Dataset) (func(b *datasets.Batch) error, error) {
	none := func(*datasets.Batch) error { return nil }
	if entry, ok := datasets.Lookup(d.Header.Task); d.Header.Form == formFiles || ok && entry.ReadsData {
		return none, nil
	}
	src, same, err := d.source()
	if err != nil {
		return none, err
	}
	if !same {
		c.note("%s: made by another version of the generator than this program has: fingerprint %s, here %s", d.Dir, d.Header.Fingerprint, src.Spec().Hash)
	}
	switch src := src.(type) {
	case datasets.Verifier:
		return func(b *datasets.Batch) error { return src.Verify(b, 0) }, nil
	case datasets.AnswerChecker:
		each := make([]bool, d.Header.Shape.Answers)
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
func (c *checker) file(d *Dataset, f *File, verify func(b *datasets.Batch) error) {
	path := d.path(f)
	if err := d.Verify(f, c.ctx.Err); err != nil {
		c.fail(err)
		if !exists(path) { // one error, not one for each way to read it
			return
		}
	}
	n, what := f.Count, "examples"
	switch f.Content {
	case contentExamples:
		n = d.scan(f, func(b *datasets.Batch) error {
			if err := c.ctx.Err(); err != nil {
				return err
			}
			return verify(b)
		}, c.fail)
		c.part.count(what, n)
	case contentArrays, contentParquet, contentPlain:
		c.part.count(what, n) // their SHA-256 is that of what was written
	case ContentItems:
		c.array(path, []int{f.Count, d.Header.Shape.ItemDim})
	case ContentClasses:
		c.array(path, []int{f.Count})
	case ContentStories:
		list, _, err := babi.Files(path)
		if err != nil {
			c.fail(err)
			return
		}
		n, what = c.countStories(list[0]), "questions"
	}
	if n != f.Count {
		c.fail(fmt.Errorf("%s: %d %s, the header says %d", path, n, what, f.Count))
	}
}
