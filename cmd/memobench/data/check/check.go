package check

import (
	"context"
	"os"
	"path/filepath"

	"memobench/cmd/memobench/data/files"
	"memobench/datasets"
	"memobench/datasets/babi"
	"memobench/datasets/pai"
)

// Tick is told which file is being read, and how many bytes of all are done.
type Tick func(file string, done, total int64)

// Path checks what is at a path. Faulty data are no error but a part of the
// report; a path that is not there, or that holds nothing known, is one.
func Path(ctx context.Context, path string, tick Tick) (*Report, error) {
	c := &checker{ctx: ctx, tick: tick, report: &Report{Path: path, First: []string{}, Notes: []string{}}}
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
	report *Report
	parts  []part

	reading     string // the file
	done, total int64  // bytes
}

// part is a Part with what is to be done for it.
type part struct {
	Part
	units []unit
}

// unit is the check of one file.
type unit struct {
	file   string
	passes int64 // how often it is read
	check  func(p *Part, report func(error))
}

// weight is the number of bytes that a unit reads, as far as that is known.
func (u *unit) weight() int64 {
	if info, err := os.Stat(u.file); err == nil && info.Mode().IsRegular() {
		return u.passes * info.Size()
	}
	return 0
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
	found, err := files.Find(path)
	if err != nil {
		return err
	}
	if found.Dataset != "" {
		return c.dataset(found.Dataset, found.Only)
	}
	if len(found.Shards) > 0 {
		c.shards(found.Shards)
	}
	if len(found.Arrays) > 0 {
		c.arrays(path, found.Arrays)
	}
	if len(found.Stories) > 0 {
		c.stories(found.Stories, found.Simulated)
	}
	return nil
}

// run checks all parts.
func (c *checker) run() error {
	for i := range c.parts {
		for _, u := range c.parts[i].units {
			c.total += u.weight()
		}
	}
	for i := range c.parts {
		p := &c.parts[i]
		before := c.report.Errors
		for _, u := range p.units {
			end := c.done + u.weight()
			c.reading = u.file
			if err := c.read(0); err != nil {
				return err
			}
			u.check(&p.Part, c.report.add)
			if err := c.ctx.Err(); err != nil { // the last errors may be of this
				return err
			}
			c.done = end
		}
		p.Errors = c.report.Errors - before
		c.report.Parts = append(c.report.Parts, p.Part)
	}
	return nil
}

// shards adds the released shards.
func (c *checker) shards(paths []string) {
	p := part{Part: Part{Form: "released PAI shards", Files: len(paths)}}
	byLength := map[string]*pai.ShardChecker{} // shards below one folder belong together
	for _, path := range paths {
		set := filepath.Dir(filepath.Dir(path))
		if byLength[set] == nil {
			byLength[set] = new(pai.ShardChecker)
		}
		p.units = append(p.units, unit{path, 1, func(p *Part, report func(error)) {
			p.count("records", byLength[set].Check(path, report))
		}})
	}
	c.parts = append(c.parts, p)
}

// stories adds bAbI files.
func (c *checker) stories(list []babi.File, simulated bool) {
	p := part{Part: Part{Form: "bAbI stories", Files: len(list)}}
	if simulated {
		p.Form = "simulated bAbI stories"
	}
	for _, f := range list {
		p.units = append(p.units, unit{f.Name, 1, func(p *Part, report func(error)) { countStories(f, p, report) }})
	}
	c.parts = append(c.parts, p)
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
