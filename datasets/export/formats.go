package export

import (
	"archive/zip"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"

	"memobench/datasets"
	"memobench/datasets/npz"
)

// format is one of the formats of examples.
type format struct {
	ending, content string

	// write writes all examples of a split.
	write func(out io.Writer, src datasets.Source, ids string, list iter.Seq2[*datasets.Batch, error]) error
}

var formats = map[string]format{
	"jsonl": {".jsonl", Examples, writeLines},
	"npz":   {".npz", Arrays, writeArrays},
	"text":  {".text.jsonl", plain, writePlain},
}

// FormatNames lists the formats of examples.
func FormatNames() []string { return slices.Sorted(maps.Keys(formats)) }

// each calls visit for each example, with its batch, its index in it and its id.
func each(ids string, list iter.Seq2[*datasets.Batch, error], visit func(b *datasets.Batch, i int, id string) error) error {
	n := 0
	for b, err := range list {
		if err != nil {
			return err
		}
		for i := range b.Size() {
			if err := visit(b, i, ids+strconv.Itoa(n)); err != nil {
				return err
			}
			n++
		}
	}
	return nil
}

// ExampleOf returns example i of a batch. It shares no storage with the batch.
func ExampleOf(b *datasets.Batch, i int, kinds []string) Example {
	var one datasets.Batch
	b.Part(&one, i, i+1)
	e := Example{Kind: kinds[b.Kinds[i]], Query: slices.Clone(one.Queries), Targets: slices.Clone(one.Targets), Choices: slices.Clone(one.Choices)}
	for row := range slices.Chunk(one.Rows, b.RowWidth) {
		e.Rows = append(e.Rows, slices.Clone(row))
	}
	return e
}

// writeLines writes one Example per line.
func writeLines(out io.Writer, src datasets.Source, ids string, list iter.Seq2[*datasets.Batch, error]) error {
	kinds, lines := src.Kinds(), json.NewEncoder(out)
	return each(ids, list, func(b *datasets.Batch, i int, id string) error {
		e := ExampleOf(b, i, kinds)
		e.ID = id
		return lines.Encode(e)
	})
}

// writeArrays writes the examples as one packed batch (see datasets.Batch), one array per field.
func writeArrays(out io.Writer, _ datasets.Source, ids string, list iter.Seq2[*datasets.Batch, error]) error {
	all := datasets.Batch{Offsets: []int{0}}
	for b, err := range list {
		if err != nil {
			return err
		}
		all.Append(b)
	}
	var offsets []int64
	for _, at := range all.Offsets {
		offsets = append(offsets, int64(at))
	}
	z, n := zip.NewWriter(out), all.Size()
	err := addArray(z, "ids", []byte(ids), len(ids))
	err = cmp.Or(err, addArray(z, "offsets", offsets, n+1))
	err = cmp.Or(err, addArray(z, "rows", all.Rows, int(offsets[n]), all.RowWidth))
	err = cmp.Or(err, addArray(z, "queries", all.Queries, n, all.QueryWidth))
	err = cmp.Or(err, addArray(z, "targets", all.Targets, n, all.Answers))
	err = cmp.Or(err, addArray(z, "kinds", all.Kinds, n))
	err = cmp.Or(err, addArray(z, "choices", all.Choices, n, all.NumChoices))
	return cmp.Or(err, z.Close())
}

// addArray writes an array into an archive.
func addArray[T uint8 | int32 | int64](z *zip.Writer, name string, values []T, shape ...int) error {
	w, err := z.Create(name + ".npy")
	if err != nil {
		return err
	}
	return npz.Write(w, values, shape...)
}

// plainExample is an example in plain language: one line of a file of them.
type plainExample struct {
	ID       string   `json:"id" doc:"as in an example"`
	Kind     string   `json:"kind" doc:"query type, one of the header's kinds"`
	Text     string   `json:"text" doc:"the memory, one sentence per line"`
	Question string   `json:"question" doc:"the question"`
	Answer   string   `json:"answer" doc:"the right answer; where several are asked for, with blanks between"`
	Choices  []string `json:"choices,omitempty" doc:"answers offered in the question; absent where a task offers none"`
}

// writePlain writes the examples in plain language.
func writePlain(out io.Writer, src datasets.Source, ids string, list iter.Seq2[*datasets.Batch, error]) error {
	verbalizer, ok := src.(datasets.Verbalizer)
	if !ok {
		return fmt.Errorf("task %s has no plain language", src.Spec().Task)
	}
	kinds, lines := src.Kinds(), json.NewEncoder(out)
	return each(ids, list, func(b *datasets.Batch, i int, id string) error {
		memory, question, answer, choices, err := verbalizer.Verbalize(b, i)
		if err != nil {
			return err
		}
		return lines.Encode(plainExample{id, kinds[b.Kinds[i]], strings.Join(memory, "\n"), question, answer, choices})
	})
}

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
	batches := src.Examine(p.Split, p.Seed, p.N, p.N)
	if p.Kind == "" {
		batches = func(yield func(*datasets.Batch, error) bool) {
			var b datasets.Batch
			err := src.Batch(&b, p.Split, p.Seed, 0, p.N)
			yield(&b, err)
		}
	}
	list := []ShownExample{}
	err := each("", batches, func(b *datasets.Batch, i int, _ string) error {
		shown := ShownExample{Example: ExampleOf(b, i, src.Kinds())}
		if len(list) == p.N || p.Kind != "" && shown.Kind != p.Kind {
			return nil
		}
		if printer, ok := src.(datasets.Printer); ok {
			var text strings.Builder
			if err := printer.Print(&text, b, i); err != nil {
				return err
			}
			shown.Text = strings.Split(strings.TrimRight(text.String(), "\n"), "\n")
		}
		list = append(list, shown)
		return nil
	})
	return list, err
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
