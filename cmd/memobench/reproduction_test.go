package main

import (
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"memobench/benchmarks"
	"memobench/benchmarks/record"
	"memobench/benchmarks/sweep"
	"memobench/report/paper"
)

// reproduced reads the recorded runs at the paper's sizes: the cells of the grid
// reproduction, and the one of them that is kept with its weights.
func reproduced(t *testing.T) []recordedRun {
	t.Helper()
	var list []recordedRun
	for _, dir := range []string{"reproduction/*", "pretrained/pai3-memo"} {
		for _, file := range glob(filepath.Join(recorded, dir, record.FileName)) {
			r, err := record.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, recordedRun{r, filepath.Dir(file)})
		}
	}
	return list
}

// recordedRun is a record with its directory.
type recordedRun struct {
	*record.Record
	dir string
}

// The grid's cells are recorded, each once, with its settings; and nothing else
// is.
func TestTheGridReproductionIsRecorded(t *testing.T) {
	grid, err := sweep.Load("reproduction")
	if err != nil {
		t.Fatal(err)
	}
	preset, err := benchmarks.LoadPreset(grid.Preset)
	if err != nil {
		t.Fatal(err)
	}
	cells, err := grid.Cells(preset, sweep.Change{})
	if err != nil {
		t.Fatal(err)
	}
	runs := reproduced(t)
	if len(runs) != len(cells) {
		t.Errorf("%d recorded runs, %d cells", len(runs), len(cells))
	}
	for _, c := range cells {
		found := 0
		for _, r := range runs {
			if r.Identity.Task != c.Task || r.Identity.Label != c.Label || r.Identity.Seed != c.Seed ||
				r.Protocol.Hash != c.ProtocolHash() || !slices.Equal(r.Identity.Overrides, c.Overrides) {
				continue
			}
			found++
			var now struct{ Config, Training map[string]any }
			data, err := json.Marshal(c.Cell)
			if err == nil {
				err = json.Unmarshal(data, &now)
			}
			if err != nil {
				t.Fatal(err)
			}
			sameWhereRecorded(t, c.Dir(), r.Model.Config, now.Config)
			sameWhereRecorded(t, c.Dir(), r.Model.Training, now.Training)
		}
		if found != 1 {
			t.Errorf("%s (%s): %d records", c.Dir(), strings.Join(c.Overrides, " "), found)
		}
	}
}

// pick returns the runs of a task and a label that were changed from the preset
// in just these settings.
func pick(runs []recordedRun, task, label string, overrides ...string) []recordedRun {
	var list []recordedRun
	for _, r := range runs {
		if r.Identity.Task == task && r.Identity.Label == label && slices.Equal(r.Identity.Overrides, overrides) {
			list = append(list, r)
		}
	}
	return list
}

// accuracy returns a run's accuracy on a kind of question, or on one of its
// answers in turn, in per cent.
func accuracy(t *testing.T, r recordedRun, kind string) float64 {
	t.Helper()
	for i, k := range r.Evaluation.Kinds {
		v, ok := 0.0, false
		if k.Name == kind {
			v, ok = record.Accuracy.Value(r.Record, i)
		}
		for a, one := range k.Answers {
			if one.Name == kind {
				v, ok = record.Accuracy.OfAnswer(r.Record, i, a)
			}
		}
		if ok {
			return v
		}
	}
	t.Fatalf("%s: no accuracy on %s", r.Identity.Cell, kind)
	return 0
}

// spread prints a mean and, of several values, their sample standard deviation
// and number.
func spread(values []float64) string {
	if len(values) == 0 {
		return "–"
	}
	sum, squares := 0.0, 0.0
	for _, v := range values {
		sum += v
	}
	mean := sum / float64(len(values))
	if len(values) == 1 {
		return fmt.Sprintf("%.1f (1)", mean)
	}
	for _, v := range values {
		squares += (v - mean) * (v - mean)
	}
	return fmt.Sprintf("%.1f ± %.1f (%d)", mean, math.Sqrt(squares/float64(len(values)-1)), len(values))
}

// on is the spread of the runs' accuracy on a kind of question.
func on(t *testing.T, runs []recordedRun, kind string) string {
	t.Helper()
	var list []float64
	for _, r := range runs {
		list = append(list, accuracy(t, r, kind))
	}
	return spread(list)
}

// printed is the paper's number, or a dash.
func printed(table int, task, row, model string) string {
	v, ok := paper.Lookup(table, task, row, model)
	if !ok {
		return "–"
	}
	return strconv.FormatFloat(v.Mean, 'f', v.Digits, 64)
}

// steps says how long runs were trained, without repeats.
func steps(runs []recordedRun) string {
	var list []string
	for _, r := range runs {
		if s := thousands(r.Training.Steps); !slices.Contains(list, s) {
			list = append(list, s)
		}
	}
	return strings.Join(list, ", ")
}

func thousands(n int) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%d,%03d", n/1000, n%1000)
}
