package results

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"memobench/benchmarks/record"
	"memobench/report/compare/hypothesis"
)

// Set has the numbers of some paths.
type Set struct {
	Name   string // the paths
	Cells  []*Cell
	Groups []*Group
	Notes  []string // for readers of the numbers, such as missing values

	cells  map[Key]*Cell
	groups map[GroupKey]*Group
	noted  map[string]bool
}

// GroupKey identifies the runs of one model under one protocol.
type GroupKey struct {
	Name   string `json:"name"` // of the benchmark, without the parts of the questions: "Eval/task=pai3/model=memo"
	Config Config `json:"config"`
}

// Key identifies a cell. Cells with the same key are compared.
type Key struct {
	Name   string // of the benchmark without seed and processors: "Eval/task=pai3/model=memo/kind=A-C"
	Unit   string // "accuracy"
	Config Config
}

// Config is what must be equal for two numbers to be compared. Fields are empty for
// benchmarks that do not print them.
type Config struct {
	Protocol string `json:"protocol,omitempty"` // hash
	Dataset  string `json:"dataset,omitempty"`  // hash
	Data     string `json:"data,omitempty"`     // labels of the data
	Labels   string `json:"labels,omitempty"`   // of the configuration
}

// configKeys are the keys of a Config in the Go benchmark format.
var configKeys = []string{"protocol", "dataset", "data-labels", "labels"}

func (c Config) values() []string { return []string{c.Protocol, c.Dataset, c.Data, c.Labels} }

// Cell has the values of one metric of one model on one kind of question.
type Cell struct {
	Key
	Better  record.Direction // empty when unknown
	Exact   bool             // does not vary between runs
	Samples []Sample         // one per run, in the order of reading
}

// Sample is the value of one run.
type Sample struct {
	Value float64
	From  string  // file, or file and line
	Seed  *uint64 // nil when it is not known

	// Counts are the right answers and questions of an accuracy, one per kind of
	// question in the mean; nil when unknown.
	Counts []hypothesis.Count

	run *Run // nil for a sample from the Go benchmark format
}

// Group has the runs of one model on one task.
type Group struct {
	GroupKey
	Runs   int      // with results
	Failed []string // runs that diverged, were stopped or failed: what happened, and the path
	Lost   []string // runs without a result, and copies of others

	first *Run // nil for results in the Go benchmark format
}

// Group returns the key of the cell's group: without the kind of question and the answer.
func (k Key) Group() GroupKey {
	parts := slices.DeleteFunc(strings.Split(k.Name, "/"), func(part string) bool {
		return strings.HasPrefix(part, "kind=") || strings.HasPrefix(part, "answer=")
	})
	return GroupKey{strings.Join(parts, "/"), k.Config}
}

// Label returns a readable name: "pai3 memo A-C accuracy".
func (k Key) Label() string { return label(k.Name) + " " + k.Unit }

// Split returns the two parts of the label: the runs, "pai3 memo", and the number,
// "A-C accuracy".
func (k Key) Split() (runs, number string) {
	for _, part := range []string{k.Part("kind"), k.Part("answer"), k.Unit} {
		if part != "" {
			number += " " + part
		}
	}
	return k.Group().Label(), strings.TrimPrefix(number, " ")
}

// label returns the values in a benchmark's name, the task first.
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

// Label returns a readable name: "pai3 memo".
func (k GroupKey) Label() string { return label(k.Name) }

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

// Values returns the samples' values.
func (c *Cell) Values() []float64 {
	var list []float64
	for _, s := range c.Samples {
		list = append(list, s.Value)
	}
	return list
}

// cell returns the cell, which it creates if it is missing.
func (s *Set) cell(k Key) *Cell {
	if s.cells[k] == nil {
		s.addCell(&Cell{Key: k})
	}
	return s.cells[k]
}

func (s *Set) addCell(c *Cell) {
	s.cells[c.Key] = c
	s.Cells = append(s.Cells, c)
}

// group returns the group, which it creates if it is missing.
func (s *Set) group(key GroupKey) *Group {
	if s.groups[key] == nil {
		s.addGroup(&Group{GroupKey: key})
	}
	return s.groups[key]
}

func (s *Set) addGroup(g *Group) {
	s.groups[g.GroupKey] = g
	s.Groups = append(s.Groups, g)
}

func newSet(name string) *Set {
	return &Set{Name: name, cells: map[Key]*Cell{}, groups: map[GroupKey]*Group{}, noted: map[string]bool{}}
}

// Group returns the runs with the given key, nil if there are none.
func (s *Set) Group(key GroupKey) *Group { return s.groups[key] }

// runs yields the runs with records and the keys of their groups, in the order of reading.
func (s *Set) runs() iter.Seq2[GroupKey, *Run] {
	return func(yield func(GroupKey, *Run) bool) {
		seen := map[*Run]bool{nil: true}
		for _, c := range s.Cells {
			for _, sample := range c.Samples {
				if !seen[sample.run] && !yield(c.Group(), sample.run) {
					return
				}
				seen[sample.run] = true
			}
		}
	}
}

// RunsByGroup returns the runs with records of each group, in the order of reading.
func (s *Set) RunsByGroup() map[GroupKey][]Run {
	list := map[GroupKey][]Run{}
	for key, run := range s.runs() {
		list[key] = append(list[key], *run)
	}
	return list
}

// finish removes copies, counts the runs of each group and notes missing values.
func (s *Set) finish() {
	s.removeCopies()
	for _, c := range s.Cells {
		g := s.group(c.Group())
		g.Runs = max(g.Runs, len(c.Samples))
	}
	for _, c := range s.Cells {
		if c.Config.Protocol == "" && IsAccuracy(c.Unit) {
			s.note("%s: the results name no protocol: that both sides had the same is not checked", s.Name)
		}
		g := s.group(c.Group())
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

// CheckProtocols returns an error for the first record that contradicts its protocol.
func (s *Set) CheckProtocols() error {
	for _, run := range s.runs() {
		if err := run.Record.CheckProtocol(); err != nil {
			return fmt.Errorf("%s: %w", run.Path, err)
		}
	}
	return nil
}
