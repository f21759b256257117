package data

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"memobench/benchmarks/printable"
	"memobench/datasets"
	"memobench/datasets/babi"
	"memobench/datasets/pai"
)

// Validation is the result of Validate.
type Validation struct {
	Path   string   `json:"path"`
	Parts  []*Part  `json:"parts"`
	Errors int      `json:"errors"` // of all parts
	First  []string `json:"first"`  // the first of them
	Notes  []string `json:"notes"`  // what is no error, and may matter
}

// Part has the files of one form.
type Part struct {
	Form   string  `json:"form"` // "bAbI stories", ...
	Files  int     `json:"files"`
	Counts []Count `json:"counts"`
	Errors int     `json:"errors"`
}

// Count is a number of something.
type Count struct {
	What string `json:"what"` // "stories"
	N    int    `json:"n"`
}

// Validate reads the data at a path completely, or as far as possible, and looks for
// errors. Errors in the data are part of the result; a path that does not exist or has no
// known data is an error. tick gets numbers of files.
func Validate(ctx context.Context, path string, tick Tick) (*Validation, error) {
	found, err := findData(path)
	if err != nil {
		return nil, err
	}
	c := &checker{ctx: ctx, tick: tick, report: &Validation{Path: path, First: []string{}, Notes: []string{}}}
	if found.dataset != "" {
		err = c.dataset(found.dataset, found.only)
	} else {
		c.released(found.released)
		c.arrays(path, found.arrays)
		c.stories(found.stories, found.simulated)
	}
	if err == nil {
		err = ctx.Err() // the last errors may be of this
	}
	if err != nil {
		return nil, err
	}
	return c.report, nil
}

// contents are the kinds of data at a path.
type contents struct {
	// dataset is the directory of a dataset written by Write; only is the file of it that the
	// path names, empty for all. If there is a dataset, the other fields are empty.
	dataset, only string

	released  []string    // directories with released PAI shards
	arrays    []string    // .npy files
	stories   []babi.File // bAbI files
	simulated bool        // the stories are
}

// findData looks for data at a path. It fails if it finds none.
func findData(path string) (*contents, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("reading data: %w; name a file or a directory of data", err)
	}
	dir, base := path, ""
	if !info.IsDir() {
		dir, base = filepath.Dir(path), filepath.Base(path)
	}
	switch lines := strings.HasSuffix(base, ".jsonl"); {
	case (base == "" || lines || base == headerName) && isDataset(dir):
		return &contents{dataset: dir, only: strings.TrimSuffix(base, headerName)}, nil
	case lines:
		return nil, fmt.Errorf("%s: examples are read with their header, %s, which is not in their directory", path, headerName)
	case strings.HasSuffix(base, ".npy"):
		return &contents{arrays: []string{path}}, nil
	}
	f := &contents{}
	if base == "" {
		if f.released, err = pai.ReleasedDirs(path); err != nil {
			return nil, err
		}
		entries, err := os.ReadDir(path)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			if strings.HasSuffix(e.Name(), ".npy") {
				f.arrays = append(f.arrays, filepath.Join(path, e.Name()))
			}
		}
	}
	f.stories, f.simulated, err = babi.Files(path)
	switch {
	case err == nil || len(f.released)+len(f.arrays) > 0:
		return f, nil
	case base == "":
		return nil, fmt.Errorf("%s: no data there: no %s, no folders of shards trials-NNNNN-of-NNNNN, no .npy files; %w", path, headerName, err)
	}
	return nil, err
}

// checker checks one path.
type checker struct {
	ctx    context.Context
	tick   Tick
	report *Validation
	part   *Part // that is being checked
}

// begin begins a part.
func (c *checker) begin(form string, files int) *Part {
	c.part = &Part{Form: form, Files: files}
	c.report.Parts = append(c.report.Parts, c.part)
	return c.part
}

// fail counts an error, unless it is the context's.
func (c *checker) fail(err error) {
	c.part.Errors++
	if c.report.Errors++; len(c.report.First) < shown {
		c.report.First = append(c.report.First, printable.Error(err))
	}
}

// shown is the maximum number of errors in a report.
const shown = 10

func (c *checker) note(format string, args ...any) {
	c.report.Notes = append(c.report.Notes, fmt.Sprintf(format, args...))
}

// next reports that file i of n is being read; it returns false when the context has
// ended.
func (c *checker) next(file string, i, n int) bool {
	c.tick.show(file, i, n)
	return c.ctx.Err() == nil
}

// released checks directories of released shards.
func (c *checker) released(dirs []string) {
	for i, dir := range dirs {
		if !c.next(dir, i, len(dirs)) {
			return
		}
		p := c.begin("released PAI shards", 0)
		files, records := pai.CheckReleased(dir, c.ctx.Err, c.fail)
		p.Files = files
		p.count("records", records)
	}
}

// stories checks bAbI files.
func (c *checker) stories(list []babi.File, simulated bool) {
	if len(list) == 0 {
		return
	}
	form := "bAbI stories"
	if simulated {
		form = "simulated bAbI stories"
	}
	c.begin(form, len(list))
	for i, f := range list {
		if !c.next(f.Name, i, len(list)) {
			return
		}
		c.countStories(f)
	}
	if info, err := os.Stat(c.report.Path); err == nil && !info.IsDir() && len(list) < 2 { // a file of its own, not an archive
		return
	}
	for _, split := range []datasets.Split{datasets.Train, datasets.Test} {
		if note := babi.NoteMissing(list, split); note != "" {
			c.note("%s", note)
		}
	}
}

func (c *checker) countStories(f babi.File) (questions int) {
	stories, questions := f.Check(c.fail)
	c.part.count("stories", stories)
	c.part.count("questions", questions)
	return questions
}

// count adds n to a part's count of something.
func (p *Part) count(what string, n int) {
	for i := range p.Counts {
		if p.Counts[i].What == what {
			p.Counts[i].N += n
			return
		}
	}
	p.Counts = append(p.Counts, Count{what, n})
}

// WriteText writes the report as text.
func (r *Validation) WriteText(w io.Writer) error {
	var b strings.Builder
	for _, p := range r.Parts {
		fmt.Fprintf(&b, "%s: %s, %s", r.Path, p.Form, printable.Count(p.Files, "files"))
		for _, c := range p.Counts {
			fmt.Fprintf(&b, ", %s", printable.Count(c.N, c.What))
		}
		errors := "no errors"
		if p.Errors > 0 {
			errors = printable.Count(p.Errors, "errors")
		}
		fmt.Fprintf(&b, ": %s\n", errors)
	}
	for _, e := range r.First {
		fmt.Fprintf(&b, "  %s\n", e)
	}
	if more := r.Errors - len(r.First); more > 0 {
		fmt.Fprintf(&b, "  and %d more\n", more)
	}
	for _, n := range r.Notes {
		fmt.Fprintf(&b, "note: %s\n", n)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// exists reports whether a file exists; true if that is unknown.
func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil || !os.IsNotExist(err)
}
