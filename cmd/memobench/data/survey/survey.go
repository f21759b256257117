package survey

import (
	"context"
	"fmt"
	"io"

	"memobench/cmd/memobench/data/files"
	"memobench/datasets"
	"memobench/datasets/babi"
	"memobench/datasets/pai"
)

// Survey is what is at a path, or what a task's examples are like.
type Survey struct {
	Examples []*Examples  `json:"examples,omitempty"`
	Stories  *Stories     `json:"stories,omitempty"`
	Released []pai.Survey `json:"released,omitempty"`
	Arrays   []Array      `json:"arrays,omitempty"`
	Notes    []string     `json:"notes,omitempty"` // what may be missing or changed
}

// Options say how much is looked at.
type Options struct {
	Split    string // train, validation or test; empty for train, or what there is
	Seed     uint64 // of a generator's examples
	Examples int    // of a generator
	PerShard int    // records of each released shard; 0 for all
	Tick     Tick   // may be nil
}

// Tick is told how much of all is done, in words and in numbers.
type Tick func(words string, done, total int)

// tick says how far what is: so many of the given things.
func (o *Options) tick(what string, done, total int, things string) {
	if o.Tick != nil {
		o.Tick(fmt.Sprintf("%s, %d of %d %s", what, done, total, things), done, total)
	}
}

// Path describes the data at a path.
func Path(ctx context.Context, path string, o Options) (*Survey, error) {
	found, err := files.Find(path)
	if err != nil {
		return nil, err
	}
	s := &Survey{}
	if found.Dataset != "" {
		return s, s.dataset(ctx, found, o)
	}
	if len(found.Shards) > 0 {
		s.Released, err = pai.SurveyReleasedFunc(path, o.PerShard, func(shard string, done, total int) error {
			o.tick(shard, done, total, "shards")
			return ctx.Err()
		})
		if err != nil {
			return nil, err
		}
	}
	for _, file := range found.Arrays {
		a, err := array(ctx, file, &o)
		if err != nil {
			return nil, err
		}
		s.Arrays = append(s.Arrays, *a)
	}
	if len(found.Stories) > 0 {
		if s.Stories, err = stories(ctx, found.Stories, found.Simulated, o); err != nil {
			return nil, err
		}
		s.noteMissing(found.Stories)
	}
	return s, ctx.Err()
}

// noteMissing names the tasks of which files have nothing of the split described.
func (s *Survey) noteMissing(list []babi.File) {
	if len(list) < 2 { // a file of its own
		return
	}
	split, err := datasets.ParseSplit(s.Stories.Split)
	if err != nil {
		return
	}
	if note := babi.NoteMissing(list, split); note != "" {
		s.Notes = append(s.Notes, note)
	}
}

// batch is how many examples are drawn at a time, as package files does.
const batch = 64

// Task describes the examples that a source draws.
func Task(ctx context.Context, src datasets.Source, o Options) (*Survey, error) {
	if o.Split == "" {
		o.Split = datasets.Train.String()
	}
	split, err := datasets.ParseSplit(o.Split)
	if err != nil {
		return nil, err
	}
	e := newExamples(src)
	e.Split, e.Seed = o.Split, o.Seed
	var b datasets.Batch
	for step := 0; e.Examples < o.Examples; step++ {
		o.tick(e.Task, e.Examples, o.Examples, "examples")
		if err := src.Batch(&b, split, o.Seed, step, batch); err != nil {
			return nil, err
		}
		if err := e.add(&b, min(batch, o.Examples-e.Examples)); err != nil {
			return nil, err
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	return &Survey{Examples: []*Examples{e.finish()}}, nil
}

// WriteText writes the survey for a reader.
func (s *Survey) WriteText(w io.Writer) error {
	var parts []interface{ WriteText(io.Writer) error }
	for _, e := range s.Examples {
		parts = append(parts, e)
	}
	if s.Stories != nil {
		parts = append(parts, s.Stories)
	}
	for _, r := range s.Released {
		parts = append(parts, r)
	}
	if len(s.Arrays) > 0 {
		parts = append(parts, arrays(s.Arrays))
	}
	for i, p := range parts {
		if i > 0 {
			if _, err := fmt.Fprintln(w); err != nil {
				return err
			}
		}
		if err := p.WriteText(w); err != nil {
			return err
		}
	}
	for _, n := range s.Notes {
		if _, err := fmt.Fprintf(w, "note: %s\n", n); err != nil {
			return err
		}
	}
	return nil
}

// Babi describes the bAbI files that package babi finds for a path, or without
// one; where there are none, simulated stories alone.
func Babi(ctx context.Context, path string, o Options) (*Survey, error) {
	list, simulated, err := babi.Files(path)
	if err != nil {
		return nil, err
	}
	s, err := stories(ctx, list, simulated, o)
	if err != nil {
		return nil, err
	}
	survey := &Survey{Stories: s}
	survey.noteMissing(list)
	return survey, nil
}
