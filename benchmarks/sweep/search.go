package sweep

import (
	"fmt"
	"math"
	"slices"

	"memobench/benchmarks/config"
	"memobench/benchmarks/record"
)

// Choice says how a part of a grid is a search: which setting of each task and model is
// chosen, and with which seeds it is then trained.
type Choice struct {
	By    string   `yaml:"by"`    // validation-loss or training-loss, of the weights that are evaluated
	Seeds []uint64 `yaml:"seeds"` // of the chosen setting
}

// Values of Choice.By. The paper chooses by validation loss, on shortest path by training
// loss.
const (
	byValidationLoss = "validation-loss"
	byTrainingLoss   = "training-loss"
)

func (c *Choice) validate() error {
	if c.By != byValidationLoss && c.By != byTrainingLoss {
		return fmt.Errorf("choose.by: %q, want %s or %s", c.By, byValidationLoss, byTrainingLoss)
	}
	if len(c.Seeds) == 0 {
		return fmt.Errorf("choose.seeds: none, want the seeds of the chosen setting")
	}
	return nil
}

// Search is the cells of one task and model of which a grid chooses one setting. They
// have one seed.
type Search struct {
	Choice
	Cells []Cell
}

// Searches lists the searches of a grid on the given preset.
func (g *Grid) Searches(preset *config.Preset, c Change) ([]Search, error) {
	var list []Search
	for i, part := range g.Parts {
		if part.Choose == nil {
			continue
		}
		cells, err := part.cells(preset, c, make([]error, len(c.Set)))
		if err != nil {
			return nil, fmt.Errorf("grid %s, part %d: %w", g.Name, i+1, err)
		}
		first := len(list)
		for _, one := range cells {
			if c.leavesOut(one) || one.Seed != cells[0].Seed {
				continue
			}
			at := slices.IndexFunc(list[first:], func(s Search) bool { return s.Cells[0].Task == one.Task && s.Cells[0].Label == one.Label })
			if at < 0 {
				at = len(list) - first
				list = append(list, Search{Choice: *part.Choose})
			}
			list[first+at].Cells = append(list[first+at].Cells, one)
		}
	}
	return list, nil
}

// Open counts the cells of the search that have not ended in a sweep's directory.
func (s *Search) Open(dir string) int {
	n := 0
	for i := range s.Cells {
		if !IsFinished(dir, &s.Cells[i].Cell) {
			n++
		}
	}
	return n
}

// Chosen returns the cells of the setting with the lowest loss, with those seeds of the
// choice that are not the search's, from the records in a sweep's directory, in which all cells have ended. A run
// that diverged is never chosen.
func (s *Search) Chosen(dir string) ([]Cell, error) {
	best, lowest := -1, math.Inf(1)
	for i := range s.Cells {
		r, err := record.ReadFile(s.Cells[i].recordPath(dir))
		if err != nil {
			return nil, err
		}
		if loss, ok := s.loss(r); ok && loss < lowest {
			best, lowest = i, loss
		}
	}
	if best < 0 {
		return nil, fmt.Errorf("%s: no setting has a %s, so none can be chosen", s.Cells[0].Name(), s.By)
	}
	var list []Cell
	for _, seed := range s.FurtherSeeds() {
		one := s.Cells[best]
		one.Seed = seed
		list = append(list, one)
	}
	return list, nil
}

// FurtherSeeds are those of the choice but the search's own, whose run there is.
func (s *Search) FurtherSeeds() []uint64 {
	return slices.DeleteFunc(slices.Clone(s.Seeds), func(seed uint64) bool { return seed == s.Cells[0].Seed })
}

func (s *Search) loss(r *record.Record) (float64, bool) {
	if s.By == byValidationLoss {
		return r.ValidationLoss()
	}
	if r.Status == record.Diverged || r.Training.Loss == nil {
		return 0, false
	}
	return *r.Training.Loss, true
}
