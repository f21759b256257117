package scaling

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"memobench/benchmarks/study"
	"memobench/datasets"
	"memobench/models"
)

// System is a model whose cost is measured.
type System struct {
	Name  string
	Title string

	model string   // label in the preset, or variant
	set   []string // changes to it (see study.Study.Set); ROWS is the number of rows
}

// The preset and task with the models' settings.
const (
	preset = "standard"
	task   = "pai3"
)

// Systems lists the systems that are measured by default. MEMO has the same form at all
// sizes, since a change of form is no growth. Models that are not in the preset have their
// default settings.
func Systems() []System {
	const form = "model.form=associative"
	return []System{
		{Name: "memo", Title: "MEMO", model: "memo", set: []string{form}},
		{Name: "memo-nowh", Title: "MEMO without W_h", model: "memo-nowh", set: []string{form}},
		{Name: "emn4", Title: "EMN, 4 hops", model: "emn4"},
		{Name: "ut", Title: "UT", model: "ut"},
		{Name: "transformer", Title: "Transformer", model: "transformer"},
		{Name: "deltanet", Title: "DeltaNet", model: "deltanet"},
		{Name: "lstm", Title: "LSTM", model: "lstm"},
		{Name: "dnc", Title: "DNC, I slots", model: "dnc", set: []string{"model.slots=ROWS"}},
		{Name: "dnc-fixed", Title: "DNC, 64 slots", model: "dnc", set: []string{"model.slots=64"}},
	}
}

// Find returns the system of the given name: one of Systems, a model of the preset, or a
// variant.
func Find(name string) (System, error) {
	all := Systems()
	if i := slices.IndexFunc(all, func(s System) bool { return s.Name == name }); i >= 0 {
		return all[i], nil
	}
	s := System{Name: name, model: name}
	cell, err := s.cell(MinRows)
	s.Title = cell.Title
	return s, err
}

// cell returns the system's configuration for memories of that many rows.
func (s *System) cell(rows int) (study.Cell, error) {
	p, err := study.Load(preset)
	if err == nil {
		err = p.Select([]string{task}, []string{s.model})
	}
	for _, change := range s.set {
		if err == nil {
			err = p.Set(strings.ReplaceAll(change, "ROWS", strconv.Itoa(rows)))
		}
	}
	if err != nil {
		return study.Cell{}, err
	}
	return p.Cells()[0], nil
}

// Build returns the system for memories of rows rows, an even number from MinRows on, and a
// batch of examples.
func (s *System) Build(rows, examples int) (models.Model, *datasets.Batch, error) {
	cell, err := s.cell(rows)
	if err != nil {
		return nil, nil, err
	}
	m, err := study.BuildModel(&cell, shape(rows), 1)
	if err != nil {
		return nil, nil, fmt.Errorf("%s with %d rows: %w", s.Name, rows, err)
	}
	return m, newBatch(examples, rows), nil
}

// The form of the batches: paired associative inference with chains of three and the
// paper's vocabulary.
const (
	vocabulary = 1000
	rowWidth   = 2
	queryWidth = 3

	// words is the number of distinct words in a batch. From MinRows rows on, each
	// occurs in both places of a row.
	words = 32
)

// MinRows is the smallest number of memory rows.
const MinRows = 2 * words

func shape(rows int) datasets.Shape {
	return datasets.Shape{Vocabulary: vocabulary, MaxRows: rows, RowWidth: rowWidth, QueryWidth: queryWidth, Answers: 1}
}

// newBatch returns examples of rows rows each, an even number: chains A-B-C, as rows A B
// and B C in shuffled order, and a query of A, C and another chain's C. Chains repeat from
// the 33rd on.
func newBatch(examples, rows int) *datasets.Batch {
	b := new(datasets.Batch)
	b.Reset(rowWidth, queryWidth, 1, 0)
	rng := rand.New(rand.NewPCG(1, uint64(rows)))
	link := func(chain, place int) int32 { return int32((chain + 11*place) % words) }
	for example := range examples {
		for _, row := range rng.Perm(rows) {
			chain, place := row/2, row%2
			b.Rows = append(b.Rows, link(chain, place), link(chain, place+1))
		}
		b.Offsets = append(b.Offsets, b.Offsets[example]+rows)
		b.Queries = append(b.Queries, link(example, 0), link(example, 2), link(example+1, 2))
		b.Targets = append(b.Targets, link(example, 2))
		b.Kinds = append(b.Kinds, 0)
	}
	return b
}
