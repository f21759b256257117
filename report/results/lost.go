package results

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"

	"memobench/benchmarks/record"
	"memobench/datasets/binfile"
)

// Files and directories of a run that exist from its start.
const (
	configName     = "config.yaml"
	checkpointName = "checkpoint"
)

// addCrashed adds a run without a result to the group of its model and task, or to one
// without results if its configuration does not name them or if several groups, with
// different protocols, have that name. named has the groups by name.
func (s *Set) addCrashed(dir string, named map[string][]*Group) {
	name := "unknown run"
	data, err := binfile.ReadFile(filepath.Join(dir, configName), 1<<16)
	if err == nil {
		var c struct {
			Experiments []struct {
				Task   string
				Models []struct{ Label string }
			}
		}
		if yaml.Unmarshal(data, &c) == nil && len(c.Experiments) == 1 && len(c.Experiments[0].Models) == 1 {
			name = fmt.Sprintf("Eval/task=%s/model=%s", c.Experiments[0].Task, c.Experiments[0].Models[0].Label)
		}
	}
	groups := named[name]
	if len(groups) != 1 {
		groups = []*Group{s.group(GroupKey{Name: name})}
	}
	s.addLost(groups[0], fmt.Sprintf("%s has no %s: the run crashed or has not ended", dir, record.FileName))
}

func (s *Set) addLost(g *Group, why string) {
	g.Lost = append(g.Lost, why)
	s.note("%s: %s", g.Label(), why)
}

// numbers are the numbers of a run.
type numbers struct {
	from   string // path of the first
	seed   *uint64
	text   strings.Builder // all except times
	unique bool            // they have a loss that no other run can have
	copy   bool
}

// removeCopies removes runs that have the same numbers, with the loss, as an earlier run of
// their group: two seeds never have the same loss, so they are copies.
func (s *Set) removeCopies() {
	most, losses := map[GroupKey]int{}, map[GroupKey]bool{} // samples of a cell; groups with a loss
	for _, c := range s.Cells {
		most[c.Group()] = max(most[c.Group()], len(c.Samples))
		losses[c.Group()] = losses[c.Group()] || c.Unit == record.Loss.Name
	}
	// A run is identified by its record, its seed or, if every cell has a sample of every
	// run, by the order of reading.
	type runID struct {
		group GroupKey
		run   *Run
		seed  uint64
		index int
	}
	id := func(c *Cell, i int) (runID, bool) {
		switch s := &c.Samples[i]; {
		case s.run != nil:
			return runID{group: c.Group(), run: s.run}, true
		case s.Seed != nil:
			return runID{group: c.Group(), seed: *s.Seed, index: -1}, true
		}
		return runID{group: c.Group(), index: i}, len(c.Samples) == most[c.Group()]
	}
	runs := map[runID]*numbers{}
	var order []runID
	for _, c := range s.Cells {
		for i, sample := range c.Samples {
			id, known := id(c, i)
			if !known || isTime(c.Unit) || !losses[c.Group()] {
				continue
			}
			n := runs[id]
			if n == nil {
				n = &numbers{from: sample.From, seed: sample.Seed}
				runs[id], order = n, append(order, id)
			}
			fmt.Fprintf(&n.text, "%s %s %v\n", c.Name, c.Unit, sample.Value)
			n.unique = n.unique || c.Unit == record.Loss.Name && (sample.Seed != nil && sample.Value != 0 || precise(sample.Value))
		}
	}
	contents := make([]string, len(order))
	for i, id := range order {
		if n := runs[id]; n.unique {
			contents[i] = fmt.Sprintf("%q %s", id.group, n.text.String())
		}
	}
	for i, first := range copies(contents) {
		if first >= 0 {
			n, g := runs[order[i]], order[i].group
			n.copy = true
			s.addLost(s.group(g), copyNote(n.place(), runs[order[first]].place()))
		}
	}
	for _, c := range s.Cells {
		var kept []Sample
		for i, sample := range c.Samples {
			if id, known := id(c, i); !known || runs[id] == nil || !runs[id].copy {
				kept = append(kept, sample)
			}
		}
		c.Samples = kept
	}
}

func (n *numbers) place() string {
	if n.seed == nil {
		return n.from
	}
	return fmt.Sprintf("seed %d (%s)", *n.seed, n.from)
}

// precise reports whether a number has more digits than go test prints, in which two runs
// may agree.
func precise(v float64) bool {
	text := strconv.FormatFloat(v, 'g', 5, 64)
	rounded, err := strconv.ParseFloat(text, 64)
	return err == nil && rounded != v
}
