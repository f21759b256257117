package scaling

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"

	"memobench/benchmarks/config"
	"memobench/benchmarks/suggest"
	"memobench/datasets"
	"memobench/models"
)

// System is a model whose cost is measured.
type System struct {
	Name  string
	Title string

	model string   // label, or variant, in the preset
	set   []string // changes to it, as for Preset.Set

	// rows is the setting, if any, that is as large as the number of rows.
	rows string
}

// The models' sizes are those of this preset on this task.
const (
	preset = "standard"
	task   = "pai3"
)

// fixedSlots is the size of the DNC's memory where it does not grow.
const fixedSlots = 64

// Systems lists what is measured unless something else is asked for. MEMO reads
// its memory in one form at all sizes, since a change of form is no growth. Models that
// the preset does not have have their default sizes.
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
		{Name: "dnc", Title: "DNC, I slots", model: "dnc", rows: "model.slots"},
		{Name: "dnc-fixed", Title: fmt.Sprintf("DNC, %d slots", fixedSlots), model: "dnc", set: []string{"model.slots=" + strconv.Itoa(fixedSlots)}},
	}
}

// Find returns the system of the given name: one of Systems, or a model of the
// preset or a variant as it is.
func Find(name string) (System, error) {
	var known []string
	for _, s := range Systems() {
		if s.Name == name {
			return s, nil
		}
		known = append(known, s.Name)
	}
	s := System{Name: name, Title: name, model: name}
	cell, err := s.cell(MinRows)
	if err != nil {
		p, loadErr := config.LoadPreset(preset)
		if loadErr != nil {
			return s, loadErr
		}
		for _, e := range p.Experiments {
			for _, m := range e.Models {
				known = append(known, m.Label)
			}
		}
		known = append(known, models.VariantNames()...)
		slices.Sort(known)
		return s, &suggest.UnknownError{What: "model", Name: name, Known: slices.Compact(known)}
	}
	s.Title = cell.Title
	return s, nil
}

// cell returns the system as the preset has it, for so many rows.
func (s *System) cell(rows int) (config.Cell, error) {
	p, err := config.LoadPreset(preset)
	if err != nil {
		return config.Cell{}, err
	}
	if err := p.Select(task, s.model); err != nil {
		return config.Cell{}, err
	}
	changes := slices.Clone(s.set)
	if s.rows != "" {
		changes = append(changes, fmt.Sprintf("%s=%d", s.rows, rows))
	}
	for _, change := range changes {
		if err := p.Set(change); err != nil {
			return config.Cell{}, err
		}
	}
	return p.Cells()[0], nil
}

// Build returns the system for memories of so many rows, an even number from
// MinRows on, and a batch of so many examples.
func (s *System) Build(rows, examples int) (models.Model, *datasets.Batch, error) {
	cell, err := s.cell(rows)
	if err != nil {
		return nil, nil, err
	}
	entry, ok := models.Lookup(cell.Model)
	if !ok {
		return nil, nil, &suggest.UnknownError{What: "model", Name: cell.Model, Known: models.Names()}
	}
	training := cell.Training
	training.Steps = cell.Protocol.Steps
	m, err := entry.New(models.Build{Config: cell.Config, Shape: shape(rows), Training: training, Seed: cell.Seed})
	if err != nil {
		return nil, nil, fmt.Errorf("%s with %d rows: %w", s.Name, rows, err)
	}
	return m, newBatch(examples, rows), nil
}

// The form of the batches, of paired association in chains of three at the
// paper's vocabulary.
const (
	vocabulary = 1000
	rowWidth   = 2
	queryWidth = 3

	// words is how many words occur. From MinRows rows on, each of them is in
	// each place of a row.
	words = 32
)

// MinRows is the smallest number of memory rows.
const MinRows = 2 * words

// shape returns the shape of a task with so many rows.
func shape(rows int) datasets.Shape {
	return datasets.Shape{Vocabulary: vocabulary, MaxRows: rows, RowWidth: rowWidth, QueryWidth: queryWidth, Answers: 1}
}

// newBatch returns examples of so many rows each, an even number: chains A-B-C,
// as rows A B and B C in shuffled order, and a query of A, C and another chain's
// C. Chains repeat from the 33rd on.
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
