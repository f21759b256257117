package data

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"memobench/benchmarks/suggest"
	"memobench/datasets"
)

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
