package sweep

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"memobench/benchmarks/config"
	"memobench/benchmarks/record"
)

// Choice makes a part of a grid a search: for each task and model the setting with the
// lowest loss, the mean over the seeds of the part, is chosen and trained with more seeds.
type Choice struct {
	By    Loss     `yaml:"by"`
	Seeds []uint64 `yaml:"seeds"` // of the chosen setting
}

// Loss names the loss by which runs are compared.
type Loss string

// The paper chooses by the validation loss, and by the training loss for shortest path.
const (
	ValidationLoss Loss = "validation-loss"
	TrainingLoss   Loss = "training-loss"
)

// Title names the loss in text.
func (l Loss) Title() string { return strings.ReplaceAll(string(l), "-", " ") }

// Of returns the loss of a run's evaluated weights; false for a run that diverged.
func (l Loss) Of(r *record.Record) (float64, bool) {
	if l == TrainingLoss {
		return r.TrainingLoss()
	}
	return r.ValidationLoss()
}

func (c *Choice) validate() error {
	if c.By != ValidationLoss && c.By != TrainingLoss {
		return fmt.Errorf("choose.by: %q, want %s or %s", c.By, ValidationLoss, TrainingLoss)
	}
	if len(c.Seeds) == 0 {
		return fmt.Errorf("choose.seeds: none, want the seeds of the chosen setting")
	}
	return nil
}

// Search has the cells of one task and model among which a grid chooses, each setting with
// the same seeds.
type Search struct {
	Choice
	Cells []Cell
}

// Searches lists the searches of a grid on the given preset.
func (g *Grid) Searches(preset *config.Preset, c Change) ([]Search, error) {
	parts, err := g.cellsOfParts(preset, c)
	if err != nil {
		return nil, err
	}
	var list []Search
	for i, part := range g.Parts {
		if part.Choose == nil {
			continue
		}
		first := len(list)
		for _, cell := range parts[i] {
			at := slices.IndexFunc(list[first:], func(s Search) bool { return s.Cells[0].Task == cell.Task && s.Cells[0].Label == cell.Label })
			if at < 0 {
				at = len(list) - first
				list = append(list, Search{Choice: *part.Choose})
			}
			list[first+at].Cells = append(list[first+at].Cells, cell)
		}
	}
	return list, nil
}

// Unfinished counts the cells of the search without a finished run in a sweep's directory.
func (s *Search) Unfinished(dir string) int {
	n := 0
	for i := range s.Cells {
		if !IsFinished(dir, &s.Cells[i].Cell) {
			n++
		}
	}
	return n
}

// Chosen is the setting that a search has chosen.
type Chosen struct {
	Values     []string // as in Cell
	Loss, Next float64  // lowest mean over seeds, and that of the next setting: infinite without any
	Cells      []Cell   // of the setting, for the other seeds of the choice
}

// Choose returns the setting with the lowest loss. It reads the records in a sweep's
// directory, in which all cells of the search are finished. It never chooses a setting of
// which a run diverged.
func (s *Search) Choose(dir string) (*Chosen, error) {
	var settings [][]Cell
	for _, c := range s.Cells {
		at := slices.IndexFunc(settings, func(of []Cell) bool { return slices.Equal(of[0].Values, c.Values) })
		if at < 0 {
			at, settings = len(settings), append(settings, nil)
		}
		settings[at] = append(settings[at], c)
	}
	var best *Cell
	lowest, next := math.Inf(1), math.Inf(1)
	for _, of := range settings {
		mean := 0.0
		for i := range of {
			r, err := record.ReadFile(of[i].recordPath(dir))
			if err != nil {
				return nil, err
			}
			mean += record.OrInfinite(s.By.Of(r)) / float64(len(of))
		}
		if mean < lowest {
			best, lowest, next = &of[0], mean, lowest
		} else {
			next = min(next, mean)
		}
	}
	if best == nil {
		return nil, fmt.Errorf("%s: no setting has a %s with every seed, so none can be chosen", s.Cells[0].Name(), s.By.Title())
	}
	c := &Chosen{Values: best.Values, Loss: lowest, Next: next}
	for _, seed := range s.OtherSeeds() {
		cell := *best
		cell.Seed = seed
		c.Cells = append(c.Cells, cell)
	}
	return c, nil
}

// OtherSeeds returns the seeds of the choice without those of the search, which have a run.
func (s *Search) OtherSeeds() []uint64 {
	return slices.DeleteFunc(slices.Clone(s.Seeds), func(seed uint64) bool {
		return slices.ContainsFunc(s.Cells, func(c Cell) bool { return c.Seed == seed })
	})
}
