package table

import (
	"encoding/csv"
	"encoding/json"
	"io"
	"strconv"

	"memobench/benchmarks/printable"
	"memobench/benchmarks/record"
	"memobench/report/results"
)

// CSV writes tables with one line per cell: table, section, row, column, role, mean, standard
// deviation, seeds, text.
func CSV(w io.Writer, tables []*Table) error {
	out := csv.NewWriter(w)
	out.Write([]string{"table", "section", "row", "column", "role", "mean", "sd", "n", "text"})
	for _, t := range tables {
		for _, s := range t.Sections {
			for _, r := range s.Rows {
				for i, c := range r.Cells {
					if c.Empty() {
						continue
					}
					column := t.Columns[i]
					line := []string{t.ID, s.Title, r.Label, column.Group, string(column.Role), "", "", "", c.Text}
					if column.Title != "" && column.Role == Measured {
						line[3] = column.Heading()
					}
					if c.Number {
						line[5] = strconv.FormatFloat(c.Mean, 'g', -1, 64)
					}
					if c.HasSD {
						line[6] = strconv.FormatFloat(c.SD, 'g', -1, 64)
					}
					if c.N > 0 {
						line[7] = strconv.Itoa(c.N)
					}
					out.Write(line)
				}
			}
		}
	}
	out.Flush()
	return out.Error()
}

// JSON writes tables as an array of objects.
func JSON(w io.Writer, tables []*Table) error {
	data, err := json.MarshalIndent(tables, "", " ")
	if err != nil {
		return err
	}
	_, err = w.Write(append(printable.JSON(data), '\n'))
	return err
}

// TidyCSV writes one line per run, kind of question and metric, for pandas and R. Counts over
// all kinds have an empty kind, whole questions an empty answer.
func TidyCSV(w io.Writer, runs []results.Run) error {
	out := csv.NewWriter(w)
	out.Write([]string{"study", "task", "name", "model", "seed", "origin", "status", "steps", "shift", "shift_value", "kind", "answer", "metric", "value", "questions"})
	for _, run := range runs {
		r := run.Record
		id := r.Identity
		head := []string{id.Study, id.Task, id.Name, id.Model, strconv.FormatUint(id.Seed, 10), string(r.Origin), string(r.Status), strconv.Itoa(r.Training.Steps), "", ""}
		if r.Shift != nil {
			head[8], head[9] = r.Shift.Setting, r.Shift.Evaluated
		}
		write := func(kind, answer string, m record.Metric, value float64, questions int) {
			out.Write(append(append([]string{}, head...), kind, answer, m.Name, strconv.FormatFloat(value, 'g', -1, 64), strconv.Itoa(questions)))
		}
		for _, m := range record.Metrics {
			if v, ok := m.Overall(r); ok {
				write("", "", m, v, 0)
			}
			for i, k := range r.Evaluation.Kinds {
				if v, ok := m.Value(r, i); ok {
					write(k.Name, "", m, v, k.Total)
				}
				for a, answer := range k.Answers {
					if v, ok := m.OfAnswer(r, i, a); ok {
						write(k.Name, answer.Name, m, v, k.Total)
					}
				}
			}
		}
	}
	out.Flush()
	return out.Error()
}
