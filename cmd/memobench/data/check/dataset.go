package check

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"memobench/cmd/memobench/data/files"
	"memobench/datasets"
	"memobench/datasets/babi"
)

// dataset adds what package files wrote; only, if not empty, is the only file of
// it that is asked for.
func (c *checker) dataset(dir, only string) error {
	p := part{Part: Part{Form: "generated dataset"}}
	d, err := files.Open(dir)
	if err != nil {
		p.Files = 1
		p.units = []unit{{dir, 0, func(_ *Part, report func(error)) { report(err) }}}
		c.parts = append(c.parts, p)
		return nil
	}
	p.Form = fmt.Sprintf("generated dataset %s, seed %d", d.Header.Task, d.Header.Seed)
	verify, err := c.verifier(d)
	if err != nil {
		p.units = append(p.units, unit{filepath.Join(dir, files.HeaderName), 0, func(_ *Part, report func(error)) { report(err) }})
	}
	if only == "" {
		p.Files = 1 // the header
	}
	listed := map[string]bool{files.HeaderName: true}
	for i := range d.Header.Files {
		f := &d.Header.Files[i]
		listed[f.Name] = true
		if only == "" || only == f.Name {
			p.Files++
			p.units = append(p.units, unit{d.Path(f), 2, func(p *Part, report func(error)) { c.file(d, f, verify, p, report) }})
		}
	}
	if !listed[only] && only != "" {
		return fmt.Errorf("%s: %s does not list it", filepath.Join(dir, only), files.HeaderName)
	}
	if entries, err := os.ReadDir(dir); err == nil && only == "" {
		for _, e := range entries {
			if !listed[e.Name()] {
				c.report.note("%s is not of the dataset: the header does not list it", filepath.Join(dir, e.Name()))
			}
		}
	}
	c.parts = append(c.parts, p)
	return nil
}

// verifier returns what checks the answers of examples; with an error of the
// header, nothing does.
func (c *checker) verifier(d *files.Dataset) (func(b *datasets.Batch) error, error) {
	none := func(*datasets.Batch) error { return nil }
	if d.Header.Form == files.FormStories {
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
func (c *checker) file(d *files.Dataset, f *files.File, verify func(b *datasets.Batch) error, p *Part, report func(error)) {
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
	case files.ContentExamples:
		line := int(f.Bytes) / max(f.Count, 1)
		n = d.Scan(f, func(b *datasets.Batch) error {
			if err := c.read(line); err != nil {
				return err
			}
			return verify(b)
		}, report)
		p.count("examples", n)
	case files.ContentItems:
		c.array(path, []int{f.Count, d.Header.Shape.ItemDim}, p, report)
	case files.ContentClasses:
		c.array(path, []int{f.Count}, p, report)
	case files.ContentStories:
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
		if f.Content == files.ContentStories {
			what = "questions"
		}
		report(fmt.Errorf("%s: %d %s, the header says %d", path, n, what, f.Count))
	}
}
