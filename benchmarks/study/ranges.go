package study

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"

	"memobench/benchmarks/record"
)

// Range is a key, as in Study.Set, with the values to try.
type Range struct {
	Key    string
	Values []Value
}

// Value is a value of a setting, as text, with its name in the names of the runs.
type Value struct{ Name, Text string }

// ranges are ranges in a file: a mapping from keys to lists of values or to mappings from
// names to values.
type ranges struct {
	node ast.Node
	list []Range
}

// UnmarshalYAML implements yaml.NodeUnmarshaler.
func (r *ranges) UnmarshalYAML(node ast.Node) error {
	r.node = node
	return nil
}

// IsZero implements yaml.IsZeroer.
func (r ranges) IsZero() bool { return r.list == nil }

// MarshalYAML implements yaml.InterfaceMarshaler.
func (r ranges) MarshalYAML() (any, error) {
	var out yaml.MapSlice
	for _, one := range r.list {
		var values yaml.MapSlice
		for _, v := range one.Values {
			values = append(values, yaml.MapItem{Key: v.Name, Value: text(v.Text)})
		}
		out = append(out, yaml.MapItem{Key: one.Key, Value: values})
	}
	return out, nil
}

// parseRanges reads the ranges of a run. checkRanges checks keys and values.
func parseRanges(node ast.Node) ([]Range, error) {
	var list []Range
	return list, eachEntry(node, "key: [value, value]", func(key string, node ast.Node) error {
		r := Range{Key: key}
		add := func(name string, node ast.Node) error {
			text, err := scalarText(node)
			if name == "" {
				name = text
			}
			if err == nil && slices.ContainsFunc(r.Values, func(v Value) bool { return v.Name == name }) {
				err = fmt.Errorf("%s: %s is duplicated", key, name)
			}
			r.Values = append(r.Values, Value{name, text})
			return err
		}
		if sequence, ok := bare(node).(*ast.SequenceNode); ok {
			for _, v := range sequence.Values {
				if err := add("", v); err != nil {
					return err
				}
			}
		} else if err := eachEntry(node, "name: value, or a list", add); err != nil {
			return fmt.Errorf("%s: %w", key, err)
		}
		if len(r.Values) == 0 || len(withoutRange(list, key[strings.LastIndex(key, ".")+1:])) < len(list) {
			return fmt.Errorf("%s: want one list of values, [value, value]", key)
		}
		list = append(list, r)
		return nil
	})
}

// withoutRange returns the ranges but the one of a key without prefix.
func withoutRange(list []Range, key string) []Range {
	return slices.DeleteFunc(slices.Clone(list), func(r Range) bool { return r.Key[strings.LastIndex(r.Key, ".")+1:] == key })
}

// maxCells limits the number of cells of a run, so that a mistake in a range does not exhaust
// the memory.
const maxCells = 100_000

// checkRanges returns an error for the first range of a run of e that cannot be set.
func (e *Experiment) checkRanges(r *Run) error {
	n := 1
	for _, one := range r.Ranges {
		if n *= len(one.Values); n > maxCells {
			return fmt.Errorf("ranges: more than %d choices of values", maxCells)
		}
		for _, v := range one.Values {
			if err := e.alone(r).set(one.Key, v.Text, v.Name, true); err != nil {
				return fmt.Errorf("ranges: %s: %w", one.Key, err)
			}
		}
	}
	return nil
}

// alone returns a study of one run of e.
func (e *Experiment) alone(r *Run) *Study {
	one := *e
	one.Runs = []*Run{r}
	return &Study{Experiments: []*Experiment{one.clone()}}
}

// expand returns a study of one run for each choice of values of the run's ranges, the last
// range fastest.
func (e *Experiment) expand(r *Run) []*Study {
	plain := r.clone()
	plain.Ranges = nil
	list := []*Study{e.alone(plain)}
	for _, one := range r.Ranges {
		var longer []*Study
		for _, s := range list {
			for _, v := range one.Values {
				next := s.Experiments[0].alone(s.Experiments[0].Runs[0])
				if err := next.set(one.Key, v.Text, v.Name, false); err != nil {
					panic(fmt.Sprintf("study: range %s, which Parse has checked: %v", one.Key, err))
				}
				longer = append(longer, next)
			}
		}
		list = longer
	}
	return list
}

// Choice makes a run with ranges a search: the setting with the lowest loss, the mean over the
// run's seeds, is then trained with more seeds.
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
	return checkSeeds(c.Seeds)
}

// Search has the cells among which a run with Choose chooses, each setting with the same seeds.
type Search struct {
	Choice
	Task, Name string
	Cells      []Cell
}

// Searches lists the searches of the study.
func (s *Study) Searches() []Search {
	var list []Search
	for _, e := range s.Experiments {
		for _, r := range e.Runs {
			if r.Choose != nil {
				list = append(list, Search{Choice: *r.Choose, Task: e.Task, Name: r.Name, Cells: s.cellsOf(e, r)})
			}
		}
	}
	return list
}

// Chosen returns the setting with the lowest mean loss over the seeds: its cells with the seeds
// of the choice that the search has not had, and the loss. recordOf returns the record of a
// finished run. A setting of which a run diverged is never chosen.
func (s *Search) Chosen(recordOf func(*Cell) (*record.Record, error)) (name string, cells []Cell, loss float64, err error) {
	means, seeds := map[string]float64{}, map[string]int{}
	for i := range s.Cells {
		c := &s.Cells[i]
		r, err := recordOf(c)
		if err != nil {
			return "", nil, 0, err
		}
		means[c.Name] += record.OrInfinite(s.By.Of(r))
		seeds[c.Name]++
	}
	var best *Cell
	loss = math.Inf(1)
	for i := range s.Cells {
		c := &s.Cells[i]
		if mean := means[c.Name] / float64(seeds[c.Name]); mean < loss {
			best, loss = c, mean
		}
	}
	if best == nil {
		return "", nil, 0, fmt.Errorf("%s %s: no setting has a %s with every seed, so none can be chosen", s.Task, s.Name, strings.ReplaceAll(string(s.By), "-", " "))
	}
	for _, seed := range s.Seeds {
		if !slices.ContainsFunc(s.Cells, func(c Cell) bool { return c.Name == best.Name && c.Seed == seed }) {
			cell := *best
			cell.Seed = seed
			cells = append(cells, cell)
		}
	}
	return best.Name, cells, loss, nil
}
