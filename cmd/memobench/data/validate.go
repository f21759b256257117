package data

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"memobench/datasets"
	"memobench/datasets/babi"
	"memobench/datasets/pai"
)

// Validate reads what is at a path to its end, or to where nothing more can be
// read, and looks for errors. Faulty data are no error but a part of the result; a
// path that is not there, or that holds nothing known, is one. tick gets numbers
// of bytes.
func Validate(ctx context.Context, path string, tick Tick) (*Validation, error) {
	c := &checker{ctx: ctx, tick: tick, report: &Validation{Path: path, First: []string{}, Notes: []string{}}}
	if err := c.find(path); err != nil {
		return nil, err
	}
	if err := c.run(); err != nil {
		return nil, err
	}
	return c.report, nil
}

// checker checks one path.
type checker struct {
	ctx    context.Context
	tick   Tick
	report *Validation
	checks []fileCheck

	reading     string // the file
	done, total int64  // bytes
}

// fileCheck is the check of one file.
type fileCheck struct {
	part  *Part
	file  string
	bytes int64 // to read, as far as that is known
	run   func(p *Part, report func(error))
}

// part adds a part.
func (c *checker) part(form string, files int) *Part {
	p := &Part{Form: form, Files: files}
	c.report.Parts = append(c.report.Parts, p)
	return p
}

// check adds the check of a file that is read so many times.
func (c *checker) check(p *Part, file string, passes int64, run func(p *Part, report func(error))) {
	size := int64(0)
	if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() {
		size = passes * info.Size()
	}
	c.total += size
	c.checks = append(c.checks, fileCheck{p, file, size, run})
}

// read says that n more bytes of the present file are read. Its error is that of
// the context.
func (c *checker) read(n int) error {
	c.done += int64(n)
	if c.tick != nil {
		c.tick(c.reading, c.done, c.total)
	}
	return c.ctx.Err()
}

// find lists the parts that there are.
func (c *checker) find(path string) error {
	found, err := findData(path)
	if err != nil {
		return err
	}
	if found.dataset != "" {
		return c.dataset(found.dataset, found.only)
	}
	if len(found.shards) > 0 {
		c.shards(found.shards)
	}
	if len(found.arrays) > 0 {
		c.arrays(path, found.arrays)
	}
	if len(found.stories) > 0 {
		c.stories(found.stories, found.simulated)
	}
	return nil
}

// run runs all checks.
func (c *checker) run() error {
	for _, one := range c.checks {
		end := c.done + one.bytes
		c.reading = one.file
		if err := c.read(0); err != nil {
			return err
		}
		one.run(one.part, func(err error) {
			one.part.Errors++
			c.report.add(err)
		})
		if err := c.ctx.Err(); err != nil { // the last errors may be of this
			return err
		}
		c.done = end
	}
	return nil
}

// shards adds the released shards.
func (c *checker) shards(paths []string) {
	part := c.part("released PAI shards", len(paths))
	byLength := map[string]*pai.ShardChecker{} // shards below one folder belong together
	for _, path := range paths {
		set := filepath.Dir(filepath.Dir(path))
		if byLength[set] == nil {
			byLength[set] = new(pai.ShardChecker)
		}
		c.check(part, path, 1, func(p *Part, report func(error)) { p.count("records", byLength[set].Check(path, report)) })
	}
}

// stories adds bAbI files.
func (c *checker) stories(list []babi.File, simulated bool) {
	form := "bAbI stories"
	if simulated {
		form = "simulated bAbI stories"
	}
	part := c.part(form, len(list))
	for _, f := range list {
		c.check(part, f.Name, 1, func(p *Part, report func(error)) { countStories(f, p, report) })
	}
	c.noteMissing(list)
}

func countStories(f babi.File, p *Part, report func(error)) (questions int) {
	stories, questions := f.Check(report)
	p.count("stories", stories)
	p.count("questions", questions)
	return questions
}

// noteMissing names the tasks of which no file is there.
func (c *checker) noteMissing(list []babi.File) {
	if len(list) < 2 { // a file of its own
		return
	}
	for _, split := range []datasets.Split{datasets.Train, datasets.Test} {
		if note := babi.NoteMissing(list, split); note != "" {
			c.report.note("%s", note)
		}
	}
}

// Validation is what Validate found at a path.
type Validation struct {
	Path   string   `json:"path"`
	Parts  []*Part  `json:"parts"`
	Errors int      `json:"errors"` // of all parts
	First  []string `json:"first"`  // the first of them
	Notes  []string `json:"notes"`  // what is no error, and may matter
}

// Part is the files of one form.
type Part struct {
	Form   string  `json:"form"` // "bAbI stories", ...
	Files  int     `json:"files"`
	Counts []Count `json:"counts"`
	Errors int     `json:"errors"`
}

// Count says how many there are of something.
type Count struct {
	What string `json:"what"` // "stories"
	N    int    `json:"n"`
}

// shown is how many errors a report keeps.
const shown = 10

// add counts an error.
func (r *Validation) add(err error) {
	if r.Errors++; len(r.First) < shown {
		r.First = append(r.First, err.Error())
	}
}

func (r *Validation) note(format string, args ...any) {
	r.Notes = append(r.Notes, fmt.Sprintf(format, args...))
}

// count adds n to what a part has of something.
func (p *Part) count(what string, n int) {
	for i := range p.Counts {
		if p.Counts[i].What == what {
			p.Counts[i].N += n
			return
		}
	}
	p.Counts = append(p.Counts, Count{what, n})
}

// WriteText writes the report for a reader.
func (r *Validation) WriteText(w io.Writer) error {
	var b strings.Builder
	for _, p := range r.Parts {
		fmt.Fprintf(&b, "%s: %s, %d %s", r.Path, p.Form, p.Files, plural("file", p.Files))
		for _, c := range p.Counts {
			fmt.Fprintf(&b, ", %d %s", c.N, counted(c.What, c.N))
		}
		fmt.Fprintf(&b, ": %s\n", errorsOf(p.Errors))
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

func errorsOf(n int) string {
	if n == 0 {
		return "no errors"
	}
	return fmt.Sprintf("%d %s", n, plural("error", n))
}

// counted returns a plural word in the form that n of them need.
func counted(words string, n int) string {
	if n != 1 {
		return words
	}
	if stem, ok := strings.CutSuffix(words, "ies"); ok {
		return stem + "y"
	}
	return strings.TrimSuffix(words, "s")
}

func plural(word string, n int) string {
	if n == 1 {
		return word
	}
	return word + "s"
}
