package export

import (
	"fmt"
	"io"
	"strings"

	"memobench/datasets"
)

// Pick selects examples.
type Pick struct {
	Split datasets.Split
	Kind  string // query type, or number of a bAbI task; empty for any
	Seed  uint64
	N     int
}

// ShownExample is an example with its text.
type ShownExample struct {
	Example
	Text []string `json:"text,omitempty"` // lines, as the source prints them
}

// Draw returns examples: of a kind those of Examine with the seed, else the first of a batch with the
// seed. Words of dense items are lines of a table that is not shown.
func Draw(src datasets.Source, p Pick) ([]ShownExample, error) {
	list := []ShownExample{}
	add := func(b *datasets.Batch) error {
		for i := range b.Size() {
			shown := ShownExample{Example: ExampleOf(b, i, src.Kinds())}
			if len(list) == p.N || p.Kind != "" && shown.Kind != p.Kind {
				continue
			}
			if printer, ok := src.(datasets.Printer); ok {
				var text strings.Builder
				if err := printer.Print(&text, b, i); err != nil {
					return err
				}
				shown.Text = strings.Split(strings.TrimRight(text.String(), "\n"), "\n")
			}
			list = append(list, shown)
		}
		return nil
	}
	if p.Kind == "" {
		var b datasets.Batch
		if err := src.Batch(&b, p.Split, p.Seed, 0, p.N); err != nil {
			return nil, err
		}
		return list, add(&b)
	}
	for b, err := range src.Examine(p.Split, p.Seed, p.N, p.N) {
		if err == nil {
			err = add(b)
		}
		if err != nil {
			return nil, err
		}
	}
	return list, nil
}

// WriteExamples writes examples as text.
func WriteExamples(w io.Writer, src datasets.Source, p Pick) error {
	list, err := Draw(src, p)
	if err != nil {
		return err
	}
	text := []string{fmt.Sprintf("%s, %v split", src.Spec().Task, p.Split)}
	for _, caveat := range src.Spec().Caveats.Texts() {
		text = append(text, "label: "+caveat)
	}
	for _, e := range list {
		text = append(append(text, ""), e.Text...)
	}
	_, err = fmt.Fprintln(w, strings.Join(text, "\n"))
	return err
}
