package study

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"gonum.org/v1/gonum/stat"

	"memobench/benchmarks/record"
)

// valueRange is a key, as in Study.Set, with the values to try.
type valueRange struct {
	Key    string
	Values []value
}

// value is a value of a setting, as text, with its name in the names of the runs.
type value struct{ Name, Text string }

// ranges are in a file a mapping from keys to lists of values or to mappings from names to values.
type ranges []valueRange

// MarshalYAML implements yaml.InterfaceMarshaler.
func (list ranges) MarshalYAML() (any, error) {
	var out yaml.MapSlice
	for _, one := range list {
		var values yaml.MapSlice
		for _, v := range one.Values {
			values = append(values, yaml.MapItem{Key: v.Name, Value: text(v.Text)})
		}
		out = append(out, yaml.MapItem{Key: one.Key, Value: values})
	}
	return out, nil
}

// UnmarshalYAML implements yaml.NodeUnmarshaler. expand checks keys and values.
func (list *ranges) UnmarshalYAML(node ast.Node) error {
	*list = ranges{} // even if it is empty, it replaces that of another run
	return eachEntry(node, "ranges, key: [value, value]", func(key string, node ast.Node) error {
		r := valueRange{Key: key}
		add := func(name string, node ast.Node) error {
			text, err := scalarText(node)
			if name == "" {
				name = text
			}
			if err == nil && slices.ContainsFunc(r.Values, func(v value) bool { return v.Name == name }) {
				err = fmt.Errorf("ranges: %s: %s is duplicated", key, name)
			}
			r.Values = append(r.Values, value{name, text})
			return err
		}
		if sequence, ok := node.(*ast.SequenceNode); ok {
			for _, v := range sequence.Values {
				if err := add("", v); err != nil {
					return err
				}
			}
		} else if err := eachEntry(node, "name: value, or a list", add); err != nil {
			return fmt.Errorf("ranges: %s: %w", key, err)
		}
		if len(r.Values) == 0 || len(withoutRange(*list, key[strings.LastIndex(key, ".")+1:])) < len(*list) {
			return fmt.Errorf("ranges: %s: want one list of values, [value, value]", key)
		}
		*list = append(*list, r)
		return nil
	})
}

// withoutRange returns the ranges but the one of a key without prefix.
func withoutRange(list []valueRange, key string) []valueRange {
	return slices.DeleteFunc(slices.Clone(list), func(r valueRange) bool { return r.Key[strings.LastIndex(r.Key, ".")+1:] == key })
}

// maxCells limits the number of cells of a run, so that a mistake in a range does not exhaust
// the memory.
const maxCells = 100_000

// expand returns a study of one run for each choice of values of the run's ranges, the last
// range fastest. It fails for the first value that cannot be set.
func (e *Experiment) expand(r *Run) ([]*Study, error) {
	alone := *e
	alone.Runs = []*Run{r}
	list := []*Study{{Experiments: []*Experiment{alone.clone()}}}
	list[0].Experiments[0].Runs[0].Ranges = nil
	for _, one := range r.Ranges {
		var longer []*Study
		if len(list)*len(one.Values) > maxCells {
			return nil, fmt.Errorf("ranges: more than %d choices of values", maxCells)
		}
		for _, s := range list {
			for _, v := range one.Values {
				next := &Study{Experiments: []*Experiment{s.Experiments[0].clone()}}
				if err := next.set(one.Key, v.Text, v.Name); err != nil {
					return nil, fmt.Errorf("ranges: %s: %w", one.Key, err)
				}
				longer = append(longer, next)
			}
		}
		list = longer
	}
	return list, nil
}

// choice makes a run with ranges a search: the setting with the lowest loss, the mean over the
// run's seeds, is then trained with more seeds.
type choice struct {
	By    loss     `yaml:"by"`
	Seeds []uint64 `yaml:"seeds"` // of the chosen setting
}

// loss names the loss by which runs are compared.
type loss string

// The paper chooses by the validation loss, and by the training loss for shortest path.
const (
	validationLoss loss = "validation-loss"
	trainingLoss   loss = "training-loss"
)

func (c *choice) validate() error {
	if c.By != validationLoss && c.By != trainingLoss {
		return fmt.Errorf("choose.by: %q, want %s or %s", c.By, validationLoss, trainingLoss)
	}
	return checkSeeds(c.Seeds)
}

// Search has the cells among which a run with Choose chooses, each setting with the same seeds.
type Search struct {
	choice
	Task, Name string
	Cells      []Cell
}

// Searches lists the searches of the study.
func (s *Study) Searches() (list []Search) {
	for _, e := range s.Experiments {
		for _, r := range e.Runs {
			if r.Choose != nil {
				list = append(list, Search{choice: *r.Choose, Task: e.Task, Name: r.Name, Cells: s.cellsOf(e, r)})
			}
		}
	}
	return list
}

// Chosen is the result of a search.
type Chosen struct {
	Search     Search
	Unfinished int     // runs without a record; the fields below are set when there are none
	Name       string  // of the setting with the lowest mean loss over the seeds
	Loss       float64 // that
	Cells      []Cell  // of that setting, with the seeds of the choice that the search has not had
}

// Choose makes the choice. recordOf returns the record of a finished run, nil if there is none. A
// setting of which a run diverged is never chosen.
func (s *Search) Choose(recordOf func(*Cell) *record.Record) (*Chosen, error) {
	chosen := &Chosen{Search: *s, Loss: math.Inf(1)}
	losses := map[string][]float64{} // by setting
	for i := range s.Cells {
		r := recordOf(&s.Cells[i])
		if r == nil {
			chosen.Unfinished++
			continue
		}
		loss := record.OrInfinite(r.ValidationLoss())
		if s.By == trainingLoss {
			loss = record.OrInfinite(r.TrainingLoss())
		}
		losses[s.Cells[i].Name] = append(losses[s.Cells[i].Name], loss)
	}
	if chosen.Unfinished > 0 {
		return chosen, nil
	}
	var best Cell
	for _, c := range s.Cells {
		if mean := stat.Mean(losses[c.Name], nil); mean < chosen.Loss {
			best, chosen.Name, chosen.Loss = c, c.Name, mean
		}
	}
	if chosen.Name == "" {
		return nil, fmt.Errorf("%s %s: no setting has a %s with every seed, so none can be chosen", s.Task, s.Name, strings.ReplaceAll(string(s.By), "-", " "))
	}
	for _, seed := range s.Seeds {
		if !slices.ContainsFunc(s.Cells, func(c Cell) bool { return c.Name == best.Name && c.Seed == seed }) {
			best.Seed = seed
			chosen.Cells = append(chosen.Cells, best)
		}
	}
	return chosen, nil
}
