package table

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"memobench/benchmarks/record"
	"memobench/report/paper"
	"memobench/report/results"
)

// Variant identifies a model's columns in a table.
type Variant struct {
	Label string // as in the preset
	Title string // as printed
	Model string // registry name
}

// column is a Variant with its runs, in the order of their seeds.
type column struct {
	Variant
	runs []results.Run
}

// columns groups the runs of one task by variant, in the paper's order of
// models, then by label. A variant in expect is a column even without a run.
func columns(runs []results.Run, expect []Variant) []column {
	byLabel := map[string]*column{}
	add := func(v Variant) *column {
		if byLabel[v.Label] == nil {
			v.Title = cmp.Or(v.Title, v.Label)
			byLabel[v.Label] = &column{Variant: v}
		}
		return byLabel[v.Label]
	}
	for _, v := range expect {
		add(v)
	}
	for _, r := range runs {
		id := r.Record.Identity
		c := add(Variant{Label: id.Label, Title: id.Title, Model: id.Model})
		c.runs = append(c.runs, r)
	}
	list := make([]column, 0, len(byLabel))
	for _, c := range byLabel {
		slices.SortStableFunc(c.runs, bySeed)
		list = append(list, *c)
	}
	slices.SortFunc(list, func(a, b column) int { // of labels the shorter first: emn4 before emn10
		return cmp.Or(cmp.Compare(modelRank(a.Model), modelRank(b.Model)),
			cmp.Compare(len(a.Label), len(b.Label)), strings.Compare(a.Label, b.Label))
	})
	return list
}

func bySeed(a, b results.Run) int { return cmp.Compare(a.Record.Identity.Seed, b.Record.Identity.Seed) }

// modelRank returns a model's position in the paper's tables; other models follow, and
// shortcut controls are last.
func modelRank(model string) int {
	order := []string{"emn", "dnc", "ut", "memo", "", paper.Control}
	if i := slices.Index(order, model); i >= 0 {
		return i
	}
	return slices.Index(order, "")
}

// paperModel returns the model whose published numbers may be compared with the column's:
// its own if the label is the model's name, possibly with a number of hops (emn4). For an
// ablation, which has another label, it is empty.
func (c *column) paperModel() string {
	if rest, ok := strings.CutPrefix(c.Label, c.Model); ok && strings.Trim(rest, "0123456789") == "" {
		return c.Model
	}
	return ""
}

// valueOf returns a value of a record; false where there is none.
type valueOf = func(r *record.Record) (float64, bool)

// MeanOn returns the mean of a metric over kinds of questions; false where one of them has
// no value.
func MeanOn(m record.Metric, kinds ...string) valueOf {
	return func(r *record.Record) (float64, bool) {
		sum := 0.0
		for _, kind := range kinds {
			i, ok := r.Evaluation.Kind(kind)
			if !ok {
				return 0, false
			}
			v, ok := m.Value(r, i)
			if !ok {
				return 0, false
			}
			sum += v
		}
		return sum / float64(len(kinds)), true
	}
}

// ofAnswer returns the metric of one of several answers to questions of a kind.
func ofAnswer(m record.Metric, kind string, answer int) valueOf {
	return func(r *record.Record) (float64, bool) {
		i, ok := r.Evaluation.Kind(kind)
		if !ok {
			return 0, false
		}
		return m.OfAnswer(r, i, answer)
	}
}

// seeds lists the column's seeds: "1, 2, 3".
func (c *column) seeds() string {
	var list []string
	for _, r := range c.runs {
		list = append(list, strconv.FormatUint(r.Record.Identity.Seed, 10))
	}
	return strings.Join(list, ", ")
}

// Variants lists the variants among runs, in the order of tables.
func Variants(runs []results.Run) []Variant {
	var list []Variant
	for _, c := range columns(runs, nil) {
		list = append(list, c.Variant)
	}
	return list
}
