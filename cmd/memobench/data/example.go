package data

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"memobench/benchmarks/suggest"
	"memobench/datasets"
	"memobench/datasets/strictjson"
)

// Example is a question with its memory: one line of a file of examples. Words are numbers
// of the vocabulary or, with embeddings, lines of the split's table of items, both from 0;
// -1 is no word. Answers are numbers of the vocabulary.
type Example struct {
	ID      string    `json:"id,omitempty" doc:"names the example: split, fingerprint of protocol and data, and number from 0"`
	Kind    string    `json:"kind" doc:"query type, one of the header's kinds"`
	Rows    [][]int32 `json:"rows" doc:"the memory: rows of words, -1 for no word; with embeddings words are lines of the split's table of items, from 0"`
	Query   []int32   `json:"query" doc:"words of the query; for shortest path source and destination"`
	Targets []int32   `json:"targets" doc:"the right answers: a word or class, or for shortest path the nodes between source and destination in order"`
	Choices []int32   `json:"choices,omitempty" doc:"answers offered in the query; absent where a task offers none"`
}

// exampleOf returns example i of a batch. It shares no storage with the batch.
func exampleOf(b *datasets.Batch, i int, kinds []string) Example {
	part := func(list []int32, width int) []int32 { return slices.Clone(list[i*width : (i+1)*width]) }
	e := Example{
		Kind:    kinds[b.Kinds[i]],
		Query:   part(b.Queries, b.QueryWidth),
		Targets: part(b.Targets, b.Answers),
		Choices: part(b.Choices, b.NumChoices),
	}
	for r := b.Offsets[i]; r < b.Offsets[i+1]; r++ {
		e.Rows = append(e.Rows, slices.Clone(b.Rows[r*b.RowWidth:(r+1)*b.RowWidth]))
	}
	return e
}

// parseExample reads a line.
func parseExample(line []byte) (*Example, error) {
	e := new(Example)
	if err := strictjson.Decode(line, e); err != nil {
		return nil, fmt.Errorf("not an example: %w", err)
	}
	return e, nil
}

// batch makes b a batch of only this example, and checks it. items is the number of items
// that words may name; 0 without items. Its items have one feature without meaning, so
// that no line makes a large table.
func (e *Example) batch(b *datasets.Batch, h *Header, items int) error {
	shape := h.Shape.dataShape()
	kind := slices.Index(h.Kinds, e.Kind)
	if kind < 0 {
		return fmt.Errorf("kind %q: want one of %q", e.Kind, h.Kinds)
	}
	if n := len(e.Rows); n < 1 || n > shape.MaxRows {
		return fmt.Errorf("%d rows, want 1 to %d", n, shape.MaxRows)
	}
	table := b.Items
	b.Reset(shape.RowWidth, shape.QueryWidth, shape.Answers, len(e.Choices))
	for r, row := range e.Rows {
		if len(row) != shape.RowWidth {
			return fmt.Errorf("row %d has %d words, want %d", r+1, len(row), shape.RowWidth)
		}
		b.Rows = append(b.Rows, row...)
	}
	b.Offsets = append(b.Offsets, len(e.Rows))
	b.Queries, b.Targets, b.Choices = append(b.Queries, e.Query...), append(b.Targets, e.Targets...), append(b.Choices, e.Choices...)
	b.Kinds = append(b.Kinds, int32(kind))
	if shape.ItemDim > 0 {
		shape.ItemDim = 1
		if table == nil {
			table = &datasets.Items{Dim: 1}
		}
		if err := intern(b, table, items); err != nil {
			return err
		}
	}
	if err := b.Validate(shape); err != nil {
		return err
	}
	for _, t := range e.Targets {
		if len(e.Choices) > 0 && !slices.Contains(e.Choices, t) {
			return fmt.Errorf("target %d is none of the choices %v", t, e.Choices)
		}
	}
	return nil
}

// intern gives b a table of its items and replaces its words by lines of the table.
func intern(b *datasets.Batch, table *datasets.Items, items int) error {
	known := map[int32]int32{}
	for _, words := range [][]int32{b.Rows, b.Queries} {
		for i, w := range words {
			if w == datasets.NoWord {
				continue
			}
			if w < 0 || int(w) >= items {
				return fmt.Errorf("item %d, want 0 to %d", w, items-1)
			}
			id, ok := known[w]
			if !ok {
				id = int32(len(known))
				known[w] = id
			}
			words[i] = id
		}
	}
	table.Data = slices.Grow(table.Data[:0], len(known))[:len(known)]
	b.Items = table
	return nil
}

// Pick selects examples.
type Pick struct {
	Split datasets.Split
	Kind  string // query type, or number of a bAbI task; empty for any
	Seed  uint64
	N     int
}

// Shown is an example with its text.
type Shown struct {
	Example
	Text []string `json:"text,omitempty"` // lines, as the source prints them
}

// Draw returns examples: of a kind those of Examine with the seed, else the first of a
// batch with the seed. Words of dense items are lines of a table that is not shown.
func Draw(src datasets.Source, p Pick) ([]Shown, error) {
	kind := slices.Index(src.Kinds(), p.Kind)
	if p.Kind != "" && kind < 0 {
		return nil, &suggest.UnknownError{What: "kind", Name: p.Kind, Known: src.Kinds()}
	}
	list := []Shown{}
	add := func(b *datasets.Batch, i int) error {
		text, err := textOf(src, b, i)
		list = append(list, Shown{exampleOf(b, i, src.Kinds()), text})
		return err
	}
	if kind < 0 {
		var b datasets.Batch
		if err := src.Batch(&b, p.Split, p.Seed, 0, p.N); err != nil {
			return nil, err
		}
		for i := range p.N {
			if err := add(&b, i); err != nil {
				return nil, err
			}
		}
		return list, nil
	}
	for b, err := range src.Examine(p.Split, p.Seed, p.N, p.N) {
		if err != nil {
			return nil, err
		}
		for i, k := range b.Kinds {
			if int(k) != kind || len(list) == p.N {
				continue
			}
			if err := add(b, i); err != nil {
				return nil, err
			}
		}
	}
	return list, nil
}

// textOf returns the text of an example; nil if the source has none.
func textOf(src datasets.Source, b *datasets.Batch, i int) ([]string, error) {
	printer, ok := src.(datasets.Printer)
	if !ok {
		return nil, nil
	}
	var text strings.Builder
	err := printer.Print(&text, b, i)
	return strings.Split(strings.TrimRight(text.String(), "\n"), "\n"), err
}

// WriteExamples writes examples as text.
func WriteExamples(w io.Writer, src datasets.Source, p Pick) error {
	if _, ok := src.(datasets.Printer); !ok {
		return fmt.Errorf("%s: its examples cannot be printed; ask for JSON", src.Spec().Task)
	}
	list, err := Draw(src, p)
	if err != nil {
		return err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %v split\n", src.Spec().Task, p.Split)
	for _, l := range src.Spec().Caveats.Texts() {
		fmt.Fprintf(&b, "label: %s\n", l)
	}
	for _, e := range list {
		fmt.Fprintf(&b, "\n%s\n", strings.Join(e.Text, "\n"))
	}
	_, err = io.WriteString(w, b.String())
	return err
}
