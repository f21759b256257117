package data

import (
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strconv"

	"memobench/benchmarks/suggest"
	"memobench/datasets"
	"memobench/datasets/babi"
	"memobench/datasets/babi/format"
)

// Pick says which examples to show.
type Pick struct {
	Split datasets.Split
	Kind  string // query type, or number of a bAbI task; empty for any
	Seed  uint64
	N     int
}

// each calls visit for the examples: of a kind those that Examine takes with the
// seed, else the first of a batch with the seed.
func (p Pick) each(src datasets.Source, visit func(b *datasets.Batch, i int) error) error {
	if p.Kind == "" {
		var b datasets.Batch
		if err := src.Batch(&b, p.Split, p.Seed, 0, p.N); err != nil {
			return err
		}
		for i := range p.N {
			if err := visit(&b, i); err != nil {
				return err
			}
		}
		return nil
	}
	kind := slices.Index(src.Kinds(), p.Kind)
	if kind < 0 {
		return &suggest.UnknownError{What: "kind", Name: p.Kind, Known: src.Kinds()}
	}
	left := p.N
	for b, err := range src.Examine(p.Split, p.Seed, p.N, p.N) {
		if err != nil {
			return err
		}
		for i, k := range b.Kinds {
			if int(k) != kind {
				continue
			}
			if err := visit(b, i); err != nil {
				return err
			}
			if left--; left == 0 {
				return nil
			}
		}
	}
	return nil
}

// DrawExamples returns the examples as they are written to files. Words of dense
// items are lines of a table that is not shown.
func DrawExamples(src datasets.Source, p Pick) ([]Example, error) {
	list := []Example{}
	err := p.each(src, func(b *datasets.Batch, i int) error {
		list = append(list, exampleOf(b, i, src.Kinds()))
		return nil
	})
	return list, err
}

// WriteExamples writes the examples for a reader, as the source prints them.
func WriteExamples(w io.Writer, src datasets.Source, p Pick) error {
	printer, ok := src.(datasets.Printer)
	if !ok {
		return fmt.Errorf("%s: its examples cannot be printed; ask for JSON", src.Spec().Task)
	}
	if err := heading(w, src.Spec().Task, p.Split, src.Spec().Caveats.Texts()); err != nil {
		return err
	}
	return p.each(src, func(b *datasets.Batch, i int) error {
		if _, err := fmt.Fprintln(w); err != nil {
			return err
		}
		return printer.Print(w, b, i)
	})
}

// heading says what is shown, and its labels.
func heading(w io.Writer, task string, split datasets.Split, labels []string) error {
	text := fmt.Sprintf("%s, %v split\n", task, split)
	for _, l := range labels {
		text += "label: " + l + "\n"
	}
	_, err := io.WriteString(w, text)
	return err
}

// Story is a question with the story before it.
type Story struct {
	Task       int         `json:"task"`
	Title      string      `json:"title"`
	File       string      `json:"file"`
	Line       int         `json:"line"` // of the question in the file
	Simulated  bool        `json:"simulated"`
	Statements []Statement `json:"statements"`
	Question   string      `json:"question"`
	Answer     string      `json:"answer"`

	story format.Story
	index int // of the question in the story, from 0
}

// Statement is a line of a story.
type Statement struct {
	Number   int    `json:"number"` // in the story
	Text     string `json:"text"`
	Supports bool   `json:"supports"` // the answer
}

// DrawStories draws questions of bAbI files: for each a task, of those that are there
// or the one chosen, and a question of it, all equally likely.
func DrawStories(list []babi.File, simulated bool, p Pick) ([]Story, error) {
	list = slices.DeleteFunc(slices.Clone(list), func(f babi.File) bool { return f.Split != p.Split })
	if len(list) == 0 {
		return nil, noStories(p.Split)
	}
	if p.Kind != "" {
		var known []string
		kept := list[:0:0]
		for _, f := range list {
			known = append(known, kindOf(f))
			if kindOf(f) == p.Kind {
				kept = append(kept, f)
			}
		}
		if list = kept; len(list) == 0 {
			return nil, &suggest.UnknownError{What: "kind", Name: p.Kind, Known: known}
		}
	}
	rng := rand.New(rand.NewPCG(datasets.StreamSeed("show stories", p.Split, p.Seed, 0)))
	read := map[string][]format.Story{}
	out := []Story{}
	for range p.N {
		f := list[rng.IntN(len(list))]
		if _, ok := read[f.Name]; !ok {
			stories, err := f.Stories()
			if err != nil {
				return nil, err
			}
			read[f.Name] = stories
		}
		s := drawQuestion(rng, read[f.Name])
		s.Task, s.Title, s.File, s.Simulated = f.Task, babi.TaskTitle(f.Task), f.Name, simulated
		out = append(out, s)
	}
	return out, nil
}

// kindOf is the number of a file's task, or the file's name.
func kindOf(f babi.File) string {
	if f.Task == 0 {
		return filepath.Base(f.Name)
	}
	return strconv.Itoa(f.Task)
}

// drawQuestion draws a question.
func drawQuestion(rng *rand.Rand, stories []format.Story) Story {
	total := 0
	for _, s := range stories {
		total += questions(s)
	}
	i := rng.IntN(total) // a file has a question or more
	for _, s := range stories {
		n := questions(s)
		if i >= n {
			i -= n
			continue
		}
		return question(s, i)
	}
	panic("data: drew a question beyond the last")
}

func questions(s format.Story) int {
	n := 0
	for i := range s {
		if s[i].IsQuestion() {
			n++
		}
	}
	return n
}

// question returns question i of a story.
func question(s format.Story, i int) Story {
	out := Story{Statements: []Statement{}, story: s, index: i}
	for _, l := range s {
		if !l.IsQuestion() {
			out.Statements = append(out.Statements, Statement{Number: l.Number, Text: l.Text})
			continue
		}
		if i--; i >= 0 {
			continue
		}
		out.Line, out.Question, out.Answer = l.FileLine, l.Text, l.Answer
		for n := range out.Statements {
			out.Statements[n].Supports = slices.Contains(l.Support, out.Statements[n].Number)
		}
		break
	}
	return out
}

// WriteStories writes questions for a reader.
func WriteStories(w io.Writer, list []Story, split datasets.Split) error {
	var labels []string
	if len(list) > 0 && list[0].Simulated {
		labels = []string{babi.SimulatedText}
	}
	if err := heading(w, "babi", split, labels); err != nil {
		return err
	}
	for _, s := range list {
		title := s.File
		if s.Task > 0 {
			title = fmt.Sprintf("task %d, %s; %s", s.Task, s.Title, s.File)
		}
		if _, err := fmt.Fprintf(w, "\n%s:%d (* supports the answer)\n", title, s.Line); err != nil {
			return err
		}
		if err := s.story.Print(w, s.index); err != nil {
			return err
		}
	}
	return nil
}
