package table

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"memobench/benchmarks/record"
	"memobench/report/paper"
	"memobench/report/results"
)

// cellMarks returns the footnotes of a cell in addition to those of the setup: how runs
// ended, their own caveats, and duplicate records.
func (f *filler) cellMarks(q *paper.Question, c specColumn, s *Setup, runs []results.Run, left []string) []int {
	if s == nil || len(runs) == 0 {
		return nil
	}
	id := runs[0].Record.Identity
	col := column{Variant: Variant{Title: id.Title, Label: id.Label}, runs: runs}
	var notes []string
	if id.Title != c.title && id.Title != q.System.Title && f.oneSystem(c.group) {
		notes = append(notes, id.Title+".")
	}
	if note := q.System.Note; note != nil {
		notes = append(notes, note(runs[0].Record))
	}
	if n := len(settingsOf(runs)); n > 1 {
		notes = append(notes, fmt.Sprintf("%s: n counts runs, of %d different settings of the model.", id.Title, n))
	}
	if c.label != "" && c.label != q.System.Label {
		notes = append(notes, otherNetwork(q.System.Title, s.Runs, q.System.Label, runs[0])...)
	}
	if left != nil {
		notes = append(notes, fmt.Sprintf("%s: runs of %s are not counted here.", q.System.Title, strings.Join(left, ", ")))
	}
	notes = slices.Concat(notes, col.endings(), col.caveatNotes(s.Runs), col.warnings(), repeatNotes(id.Title, runs), replacedNotes(id.Title, runs))
	return f.t.marks(notes)
}

// otherNetwork notes where a variant has another network than the runs of the model itself,
// since then the variant's own change is not the only cause of another number.
func otherNetwork(title string, runs []results.Run, label string, variant results.Run) []string {
	i := slices.IndexFunc(runs, func(r results.Run) bool { return r.Record.Identity.Label == label })
	if i < 0 {
		return nil
	}
	network := func(changes []string) string {
		return results.Listed(slices.DeleteFunc(changes, func(c string) bool {
			return !slices.ContainsFunc(ofNetwork, func(key string) bool { return strings.HasPrefix(c, key+"=") })
		}))
	}
	own, other := results.ModelDifferences(runs[i].Record, variant.Record)
	here, there := network(other), network(own)
	if here == "" {
		return nil
	}
	return []string{fmt.Sprintf("%s: %s, but %s: %s.", variant.Record.Identity.Title, here, title, there)}
}

// ofNetwork lists the settings of MEMO that no variant of its halting changes.
var ofNetwork = []string{"model.attention", "model.heads", "model.width", "model.embedding", "model.answer_width", "model.wh"}

// repeatNotes lists the seeds with several records, and the difference of these.
func repeatNotes(title string, runs []results.Run) []string {
	var seeds, where []string
	differ := 0.0
	first := map[string]results.Run{}
	for _, r := range runs {
		repeats := r.Repeats
		key := r.Configuration()
		if _, seen := first[key]; seen {
			repeats = append(slices.Clone(repeats), r)
		} else {
			first[key] = r
		}
		for _, other := range repeats {
			seeds = append(seeds, fmt.Sprint(r.Record.Identity.Seed))
			where = results.AddNew(where, filepath.Dir(filepath.Dir(other.Path)))
			differ = max(differ, largestDifference(first[key].Record, other.Record))
		}
	}
	if seeds == nil {
		return nil
	}
	how := "with the same accuracies"
	switch {
	case differ >= 0.05:
		how = fmt.Sprintf("accuracies differ by up to %.1f points", differ)
	case differ > 0:
		how = "accuracies differ by less than 0.1 points"
	}
	return []string{fmt.Sprintf("%s: seeds recorded more than once, which count once, with the mean of their runs: %s (again in %s, %s).",
		title, strings.Join(slices.Compact(seeds), ", "), strings.Join(where, ", "), how)}
}

// replacedNotes lists the runs that do not count because of these.
func replacedNotes(title string, runs []results.Run) []string {
	var notes []string
	for _, r := range runs {
		for _, text := range r.Replaced {
			notes = append(notes, title+": "+text+".")
		}
	}
	return notes
}

// largestDifference returns the largest difference of two records' accuracies, in points.
func largestDifference(a, b *record.Record) float64 {
	d := 0.0
	for i := range a.Evaluation.Kinds {
		x, ok1 := record.Accuracy.Value(a, i)
		j, ok2 := b.Evaluation.Kind(a.Evaluation.Kinds[i].Name)
		if y, ok3 := record.Accuracy.Value(b, j); ok1 && ok2 && ok3 {
			d = max(d, math.Abs(x-y))
		}
	}
	return d
}

// settingsOf divides runs by the settings of their models.
func settingsOf(runs []results.Run) [][]results.Run {
	return results.GroupBy(runs, results.Run.Settings)
}
