package show

import (
	"fmt"
	"io"
	"slices"

	"memobench/benchmarks/suggest"
	"memobench/cmd/memobench/data/files"
	"memobench/datasets"
)

// Pick says which examples.
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

// Examples returns the examples as they are written to files. Words of dense
// items are lines of a table that is not shown.
func Examples(src datasets.Source, p Pick) ([]files.Example, error) {
	list := []files.Example{}
	err := p.each(src, func(b *datasets.Batch, i int) error {
		list = append(list, files.Of(b, i, src.Kinds()))
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
	if err := heading(w, src.Spec().Task, p.Split, src.Spec().Labels); err != nil {
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
