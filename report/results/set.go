package results

import (
	"fmt"
	"slices"
	"strings"

	"memobench/benchmarks/record"
	"memobench/report/compare/hypothesis"
)

// Set is what was read from some paths.
type Set struct {
	Name   string // the paths
	Cells  []*Cell
	Groups []*Group
	Notes  []string // what a reader of the numbers must know, such as values that are missing

	cells  map[Key]*Cell
	groups map[groupKey]*Group
	noted  map[string]bool
}

type groupKey struct {
	name   string
	config Config
}

// Key says what a cell is a number of. Cells of the same key are compared.
type Key struct {
	Name   string // of the benchmark without seed and processors: "Eval/task=pai3/model=memo/kind=A-C"
	Unit   string // "accuracy"
	Config Config
}

// Config is what must be equal for two numbers to be compared. All but Protocol
// are empty for the output of benchmarks that do not print them.
type Config struct {
	Protocol string `json:"protocol,omitempty"` // hash
	Dataset  string `json:"dataset,omitempty"`  // hash
	Data     string `json:"data,omitempty"`     // labels of the data
	Labels   string `json:"labels,omitempty"`   // of the configuration
}

// configKeys are the keys of a Config in the Go benchmark format.
var configKeys = []string{"protocol", "dataset", "data-labels", "labels"}

func (c Config) values() []string { return []string{c.Protocol, c.Dataset, c.Data, c.Labels} }

// Cell is a number of one model on one kind of question.
type Cell struct {
	Key
	Better  record.Direction // empty when nobody says
	Exact   bool             // does not vary between runs
	Samples []Sample         // one a run, in the order of reading
}

// Sample is the value of one run.
type Sample struct {
	Value float64
	From  string  // file, or file and line
	Seed  *uint64 // nil when it is not known

	// Counts are right answers and questions behind an accuracy, for each kind of
	// question that it is the mean of; nil when they are not known.
	Counts []hypothesis.Count

	run *Run // nil for a sample from the Go benchmark format
}

// Group is the runs of one model on one task.
type Group struct {
	Name   string // "Eval/task=pai3/model=memo"
	Config Config
	Runs   int      // with results
	Failed []string // runs that diverged, were stopped or failed: what happened and where
	Lost   []string // runs that were made and do not count: without a result, or a copy of another

	first *Run // nil for results in the Go benchmark format
}

// group returns the runs that the cell is of.
func (k Key) group() groupKey { return groupKey{groupName(k.Name), k.Config} }

// Label returns what the cell is a number of, for people: "pai3 memo A-C
// accuracy".
func (k Key) Label() string { return label(k.Name) + " " + k.Unit }

// Split returns the two parts of the label: the runs, "pai3 memo", and the number,
// "A-C accuracy".
func (k Key) Split() (runs, number string) {
	for _, part := range []string{k.Part("kind"), k.Part("answer"), k.Unit} {
		if part != "" {
			number += " " + part
		}
	}
	return label(groupName(k.Name)), strings.TrimPrefix(number, " ")
}

// label returns the values of a benchmark's name, the task's first.
func label(name string) string {
	base, rest, _ := strings.Cut(name, "/")
	var words []string
	for _, part := range strings.Split(rest, "/") {
		key, value, found := strings.Cut(part, "=")
		if !found {
			value = part
		}
		switch {
		case key == "task":
			words = append([]string{value}, words...)
		case value != "":
			words = append(words, value)
		}
	}
	if len(words) == 0 {
		return base
	}
	if base != "Eval" {
		words = append([]string{base}, words...)
	}
	return strings.Join(words, " ")
}

// Label returns the group's name for people: "pai3 memo".
func (g *Group) Label() string { return label(g.Name) }

// Part returns the value of a key in the benchmark's name: Part("kind") is
// "A-C"; empty when it has none.
func (k Key) Part(key string) string {
	for _, part := range strings.Split(k.Name, "/") {
		if value, ok := strings.CutPrefix(part, key+"="); ok {
			return value
		}
	}
	return ""
}

// groupName is the name of the runs that a benchmark is of: without the parts
// that divide the questions.
func groupName(name string) string {
	return strings.Join(slices.DeleteFunc(strings.Split(name, "/"), func(part string) bool {
		return strings.HasPrefix(part, "kind=") || strings.HasPrefix(part, "answer=")
	}), "/")
}

// Values returns the samples' values.
func (c *Cell) Values() []float64 {
	var list []float64
	for _, s := range c.Samples {
		list = append(list, s.Value)
	}
	return list
}

// cell finds a cell, or makes it.
func (s *Set) cell(k Key) *Cell {
	c := s.cells[k]
	if c == nil {
		c = &Cell{Key: k}
		s.cells[k] = c
		s.Cells = append(s.Cells, c)
	}
	return c
}

// group finds a group, or makes it.
func (s *Set) group(name string, config Config) *Group {
	key := groupKey{name, config}
	g := s.groups[key]
	if g == nil {
		g = &Group{Name: name, Config: config}
		s.groups[key] = g
		s.Groups = append(s.Groups, g)
	}
	return g
}

func newSet(name string) *Set {
	return &Set{Name: name, cells: map[Key]*Cell{}, groups: map[groupKey]*Group{}, noted: map[string]bool{}}
}

// Group returns the runs of the given name and configuration, nil if there are
// none.
func (s *Set) Group(name string, c Config) *Group { return s.groups[groupKey{name, c}] }

// RunsByGroup returns the runs of each group of which there are records, in the order of
// reading.
func (s *Set) RunsByGroup() map[*Group][]Run {
	runs := map[*Group][]Run{}
	seen := map[*Run]bool{nil: true}
	for _, c := range s.Cells {
		for _, sample := range c.Samples {
			if !seen[sample.run] {
				seen[sample.run] = true
				g := s.groups[c.group()]
				runs[g] = append(runs[g], *sample.run)
			}
		}
	}
	return runs
}

// finish removes copies, counts the runs of each group and notes which values are
// missing.
func (s *Set) finish() {
	s.removeCopies()
	for _, c := range s.Cells {
		g := s.group(groupName(c.Name), c.Config)
		g.Runs = max(g.Runs, len(c.Samples))
	}
	for _, c := range s.Cells {
		if c.Config.Protocol == "" && IsAccuracy(c.Unit) {
			s.note("%s: the results name no protocol: that both sides had the same is not checked", s.Name)
		}
		g := s.group(groupName(c.Name), c.Config)
		if n := len(c.Samples); n < g.Runs {
			s.note("%s: only %d of %d runs have %s", label(c.Name), n, g.Runs, c.Unit)
		}
	}
}

func (s *Set) note(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if !s.noted[text] {
		s.noted[text] = true
		s.Notes = append(s.Notes, text)
	}
}

// CheckProtocols reports the first record that contradicts its protocol.
func (s *Set) CheckProtocols() error {
	checked := map[*Run]bool{nil: true}
	for _, c := range s.Cells {
		for _, sample := range c.Samples {
			if checked[sample.run] {
				continue
			}
			checked[sample.run] = true
			if err := sample.run.Record.CheckProtocol(); err != nil {
				return fmt.Errorf("%s: %w", sample.run.Path, err)
			}
		}
	}
	return nil
}
