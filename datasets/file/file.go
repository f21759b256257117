// Package file is the task on data of others: it reads what "memobench data export" writes, or another
// program in that format (see package export and its SCHEMA.md).
//
// The splits are those of the export. Training batches are drawn uniformly from all examples of a split,
// or with a weight per kind; evaluations read the examples of each kind in the order of the file.
package file

import (
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"memobench/datasets"
	"memobench/datasets/export"
)

// Settings of the task: it has none, the files say everything.
type Settings struct{}

// version is part of the hash; increase it when the same files give other batches.
const version = "file reader 1"

// Source serves the examples of files; it implements datasets.Source, datasets.MultiAnswer,
// datasets.Mixer and datasets.Printer.
type Source struct {
	datasets.Described
	*reader
	parts [3]*part // by split; nil if it has no file

	datasets.Finite // implements Batch, BatchMixed and Examine
}

// worded is a Source whose words have names.
type worded struct{ *Source }

// Vocabulary implements datasets.Vocabularied.
func (src worded) Vocabulary() []string { return slices.Clone(src.header.Vocabulary) }

// Open reads the files at opts.DataPath: a directory with dataset.json, or one file of examples in it.
// A split of opts.Splits without a file is an error. With opts.Trained the sizes and the words must be
// those of the model, which may take longer memories.
func Open(_ Settings, opts datasets.Options) (datasets.Source, error) {
	src, err := open(opts)
	if err != nil {
		return nil, fmt.Errorf("file: %w", err)
	}
	if src.header.Vocabulary != nil {
		return worded{src}, nil
	}
	return src, nil
}

func open(opts datasets.Options) (*Source, error) {
	if opts.DataPath == "" {
		return nil, fmt.Errorf("no data given: --data names a directory in the format of memobench data export")
	}
	r, err := newReader(opts.DataPath)
	if err != nil {
		return nil, err
	}
	src := &Source{Described: datasets.Described{Dimensions: r.shape, KindNames: r.header.Kinds}, reader: r}
	src.Finite = datasets.Finite{Name: "file", Sizes: src.count, Put: src.put,
		Reset: func(b *datasets.Batch) { b.ResetFor(r.shape, max(r.choices, 0)) }}
	for split := range datasets.Test + 1 {
		if f := r.file(split, export.Examples, export.Arrays); f != nil {
			if src.parts[split], err = r.load(split, f); err != nil {
				return nil, err
			}
		} else if opts.Needs(split) {
			return nil, src.absent(split)
		}
	}
	settings := map[string]string{"task": r.header.Task, "answers": strconv.Itoa(r.shape.Answers), "choices": strconv.Itoa(max(r.choices, 0))}
	src.Data = datasets.Spec{Task: "file", Settings: settings, Caveats: datasets.Caveats{{Kind: datasets.SubstituteData, Brief: "from files",
		Text: fmt.Sprintf("examples of the task %s from files", r.header.Task)}}}
	if unread, err := r.unread(); err != nil {
		return nil, err
	} else if len(unread) > 0 {
		src.Data.Caveats = append(src.Data.Caveats, datasets.Caveat{Kind: datasets.Remark,
			Text: fmt.Sprintf("files that %s does not list are not read: %s", export.HeaderName, strings.Join(unread, ", "))})
	}
	for _, label := range r.header.Labels {
		src.Data.Caveats = append(src.Data.Caveats, datasets.Caveat{Kind: datasets.SubstituteData, Text: label})
	}
	about := fmt.Sprintf("%+v %q %q", r.shape, r.header.Kinds, r.header.Vocabulary)
	src.Data.Hash = datasets.Fingerprint(version, settings, append(r.digests, about)...)
	if t := opts.Trained; t != nil {
		if !slices.Equal(t.Vocabulary, r.header.Vocabulary) {
			return nil, fmt.Errorf("%s: the vocabulary is not that of the model", r.dir)
		}
		src.Dimensions.MaxRows = max(src.Dimensions.MaxRows, t.Shape.MaxRows)
	}
	return src, datasets.CheckTrained(src.Dimensions, opts)
}

func (src *Source) absent(split datasets.Split) error {
	return fmt.Errorf("%s: no file of %v examples; memobench data export writes training examples with --steps", src.dir, split)
}

// AnswerNames implements datasets.MultiAnswer: "answer 1", "answer 2", ...
func (src *Source) AnswerNames() []string { return datasets.Numbered("answer", src.Dimensions.Answers) }

// count implements datasets.Finite.
func (src *Source) count(split datasets.Split) ([]int, error) {
	p := src.parts[split]
	if p == nil {
		return nil, src.absent(split)
	}
	var sizes []int
	for _, examples := range p.ofKind {
		sizes = append(sizes, len(examples))
	}
	return sizes, nil
}

// put implements datasets.Finite.
func (src *Source) put(dst *datasets.Batch, split datasets.Split, kind, i int, _ *rand.Rand) error {
	p := src.parts[split]
	var one datasets.Batch
	p.examples.Part(&one, p.ofKind[kind][i], p.ofKind[kind][i]+1)
	dst.Append(&one)
	return nil
}

// Print implements datasets.Printer: the kind, the rows of the memory, the query and the answers.
func (src *Source) Print(w io.Writer, b *datasets.Batch, i int) error {
	e := export.ExampleOf(b, i, src.Kinds())
	fmt.Fprintln(w, e.Kind)
	for r, row := range e.Rows {
		fmt.Fprintf(w, "%3d  %s\n", r+1, src.names(row, b.Items != nil))
	}
	choices := ""
	if e.Choices != nil {
		choices = fmt.Sprintf(" (of %s)", src.names(e.Choices, false))
	}
	_, err := fmt.Fprintf(w, "     %s?  %s%s\n", src.names(e.Query, b.Items != nil), src.names(e.Targets, false), choices)
	return err
}

// names returns words as text: "#3" for item 3, else the word or its number.
func (src *Source) names(words []int32, items bool) string {
	var list []string
	for _, word := range words {
		switch {
		case word == datasets.NoWord:
		case items:
			list = append(list, fmt.Sprintf("#%d", word))
		case src.header.Vocabulary != nil:
			list = append(list, src.header.Vocabulary[word])
		default:
			list = append(list, strconv.Itoa(int(word)))
		}
	}
	return strings.Join(list, " ")
}

func init() {
	datasets.Register(datasets.Entry{
		Name: "file", Title: "Questions from files",
		About:     "questions from files in the format of memobench data export (--data)",
		ReadsData: true,
		Defaults:  func() any { return new(Settings) },
		New:       datasets.Opener(Open),
		Present:   present,
	})
}

// present returns how reports show the task.
func present(task string, settings map[string]string) datasets.Presentation {
	p := datasets.Presentation{Title: fmt.Sprintf("Questions of %s from files (%s)", datasets.Choice(settings, "task", nil), task), Row: "kind", Files: true}
	if n, err := strconv.Atoi(settings["answers"]); err == nil && n > 1 {
		p.Whole = "all answers"
	}
	if n, err := strconv.Atoi(settings["choices"]); err == nil && n > 0 {
		p.Choice, p.Chance = "the answer chosen among those that the query offers", 100/float64(n)
	}
	return p
}
