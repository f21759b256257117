package data

import (
	"archive/zip"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/parquet-go/parquet-go"

	"memobench/datasets"
	"memobench/datasets/npy"
)

// format is one of the formats of examples.
type format struct {
	name, ending, content string

	// write writes all examples of a split.
	write func(out io.Writer, src datasets.Source, ids string, list iter.Seq2[*datasets.Batch, error]) error

	// companion returns a file that comes with the examples; nil for none.
	companion func(h *Header) (name, body string)
}

var formats = []format{
	{"jsonl", ".jsonl", contentExamples, writeLines, nil},
	{"npz", ".npz", contentArrays, writeArrays, nil},
	{"parquet", ".parquet", contentParquet, writeParquet, nil},
	{"text", ".text.jsonl", contentPlain, writePlain, harnessTask},
}

// FormatNames lists the formats of examples.
func FormatNames() []string {
	var names []string
	for _, f := range formats {
		names = append(names, f.name)
	}
	return names
}

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

// writeLines writes one Example per line.
func writeLines(out io.Writer, src datasets.Source, ids string, list iter.Seq2[*datasets.Batch, error]) error {
	kinds, lines := src.Kinds(), json.NewEncoder(out)
	return each(ids, list, func(b *datasets.Batch, i int, id string) error {
		e := exampleOf(b, i, kinds)
		e.ID = id
		return lines.Encode(e)
	})
}

// writeArrays writes the examples as one packed batch (see datasets.Batch), one array per
// field.
func writeArrays(out io.Writer, _ datasets.Source, ids string, list iter.Seq2[*datasets.Batch, error]) error {
	all := datasets.Batch{Offsets: []int{0}}
	for b, err := range list {
		if err != nil {
			return err
		}
		first := all.NumRows()
		for _, at := range b.Offsets[1:] {
			all.Offsets = append(all.Offsets, first+at)
		}
		all.RowWidth, all.QueryWidth, all.Answers, all.NumChoices = b.RowWidth, b.QueryWidth, b.Answers, b.NumChoices
		all.Rows, all.Queries = append(all.Rows, b.Rows...), append(all.Queries, b.Queries...)
		all.Targets, all.Kinds, all.Choices = append(all.Targets, b.Targets...), append(all.Kinds, b.Kinds...), append(all.Choices, b.Choices...)
	}
	offsets := make([]int64, len(all.Offsets))
	for i, at := range all.Offsets {
		offsets[i] = int64(at)
	}
	z, n := zip.NewWriter(out), all.Size()
	for _, a := range []struct {
		name  string
		write func(io.Writer) error
	}{
		{"ids", func(w io.Writer) error { return npy.Write(w, []byte(ids), len(ids)) }},
		{"offsets", func(w io.Writer) error { return npy.Write(w, offsets, n+1) }},
		{"rows", func(w io.Writer) error { return npy.Write(w, all.Rows, all.NumRows(), all.RowWidth) }},
		{"queries", func(w io.Writer) error { return npy.Write(w, all.Queries, n, all.QueryWidth) }},
		{"targets", func(w io.Writer) error { return npy.Write(w, all.Targets, n, all.Answers) }},
		{"kinds", func(w io.Writer) error { return npy.Write(w, all.Kinds, n) }},
		{"choices", func(w io.Writer) error { return npy.Write(w, all.Choices, n, all.NumChoices) }},
	} {
		w, err := z.Create(a.name + ".npy")
		if err == nil {
			err = a.write(w)
		}
		if err != nil {
			return fmt.Errorf("array %s: %w", a.name, err)
		}
	}
	return z.Close()
}

// parquetRow is an example in Parquet: the keys of Example, with the rows of the memory
// in one list, row_width words each.
type parquetRow struct {
	ID      string  `parquet:"id"`
	Kind    string  `parquet:"kind,dict"`
	Rows    []int32 `parquet:"rows,list"`
	Query   []int32 `parquet:"query,list"`
	Targets []int32 `parquet:"targets,list"`
	Choices []int32 `parquet:"choices,list"`
}

// writeParquet writes the examples as rows of a table.
func writeParquet(out io.Writer, src datasets.Source, ids string, list iter.Seq2[*datasets.Batch, error]) error {
	kinds := src.Kinds()
	table := parquet.NewGenericWriter[parquetRow](out, parquet.CreatedBy("memobench", "", ""))
	err := each(ids, list, func(b *datasets.Batch, i int, id string) error {
		e := exampleOf(b, i, kinds)
		_, err := table.Write([]parquetRow{{id, e.Kind, slices.Concat(e.Rows...), e.Query, e.Targets, e.Choices}})
		return err
	})
	if err != nil {
		return err
	}
	return table.Close()
}

// PlainExample is an example in plain language: one line of a file of them.
type PlainExample struct {
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
		return lines.Encode(PlainExample{id, kinds[b.Kinds[i]], strings.Join(memory, "\n"), question, answer, choices})
	})
}

// harnessTask is a task file of lm-evaluation-harness that reads the examples in plain
// language. Its few-shot examples are from the validation split.
func harnessTask(h *Header) (name, body string) {
	return "memobench_" + h.Task + ".yaml", fmt.Sprintf(`# %s, protocol %s, data %s. From this directory:
#   lm_eval --include_path . --tasks memobench_%s --num_fewshot 2 --model hf --model_args pretrained=NAME
task: memobench_%s
dataset_path: json
dataset_kwargs:
  data_files:
    validation: validation.text.jsonl
    test: test.text.jsonl
validation_split: validation
fewshot_split: validation
test_split: test
output_type: generate_until
doc_to_text: "{{text}}\n{{question}}\nAnswer:"
doc_to_target: "{{answer}}"
generation_kwargs:
  until: ["\n"]
  do_sample: false
metric_list:
  - metric: exact_match
    aggregation: mean
    higher_is_better: true
    ignore_case: true
    ignore_punctuation: true
metadata:
  version: "%s"
`, h.Task, h.Protocol.Hash, h.Fingerprint, h.Task, h.Task, h.Protocol.Hash)
}
