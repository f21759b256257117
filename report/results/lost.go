package results

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"

	"memobench/benchmarks/record"
)

// Files and directories that a run has from its start.
const (
	configName     = "config.yaml"
	checkpointName = "checkpoint"
)

// crash adds a directory of a run without a result to the group of its model and
// task: to one without results if its configuration does not name them, or if
// there are several, under different protocols. named has the groups by name.
func (s *Set) crash(dir string, named map[string][]*Group) {
	name := "unknown run"
	data, err := record.ReadRegular(filepath.Join(dir, configName), 1<<16)
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
	of := named[name]
	if len(of) != 1 {
		of = []*Group{s.group(name, Config{})}
	}
	s.lose(of[0], fmt.Sprintf("%s has no %s: the run crashed or has not ended", dir, record.FileName))
}

func (s *Set) lose(g *Group, why string) {
	g.Lost = append(g.Lost, why)
	s.note("%s: %s", g.Label(), why)
}

// numbers are those of a run.
type numbers struct {
	from string // where the first was read
	seed *uint64
	text strings.Builder // all but times
	own  bool            // among them is a loss that no other run has
	copy bool
}

// removeCopies removes runs that have all numbers of an earlier run of their
// group, the loss among them: no two seeds have the same, so that they are one run
// copied.
func (s *Set) removeCopies() {
	most, losses := map[groupKey]int{}, map[groupKey]bool{} // samples of a cell; groups with a loss
	for _, c := range s.Cells {
		most[c.group()] = max(most[c.group()], len(c.Samples))
		losses[c.group()] = losses[c.group()] || c.Unit == record.Loss.Name
	}
	// A run is known by its record, its seed, or, where every cell has a sample of
	// every run, by the order of reading.
	type runID struct {
		group groupKey
		run   *Run
		seed  uint64
		index int
	}
	id := func(c *Cell, i int) (runID, bool) {
		switch s := &c.Samples[i]; {
		case s.run != nil:
			return runID{group: c.group(), run: s.run}, true
		case s.Seed != nil:
			return runID{group: c.group(), seed: *s.Seed, index: -1}, true
		}
		return runID{group: c.group(), index: i}, len(c.Samples) == most[c.group()]
	}
	runs := map[runID]*numbers{}
	var order []runID
	for _, c := range s.Cells {
		for i, sample := range c.Samples {
			id, known := id(c, i)
			if !known || isTime(c.Unit) || !losses[c.group()] {
				continue
			}
			n := runs[id]
			if n == nil {
				n = &numbers{from: sample.From, seed: sample.Seed}
				runs[id], order = n, append(order, id)
			}
			fmt.Fprintf(&n.text, "%s %s %v\n", c.Name, c.Unit, sample.Value)
			n.own = n.own || c.Unit == record.Loss.Name && (sample.Seed != nil && sample.Value != 0 || precise(sample.Value))
		}
	}
	contents := make([]string, len(order))
	for i, id := range order {
		if n := runs[id]; n.own {
			contents[i] = fmt.Sprintf("%q %s", id.group, n.text.String())
		}
	}
	for i, first := range copies(contents) {
		if first >= 0 {
			n, g := runs[order[i]], order[i].group
			n.copy = true
			s.lose(s.group(g.name, g.config), copyNote(n.place(), runs[order[first]].place()))
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

// precise reports whether a number has more digits than go test prints: two runs
// may agree in four.
func precise(v float64) bool {
	text := strconv.FormatFloat(v, 'g', 5, 64)
	rounded, err := strconv.ParseFloat(text, 64)
	return err == nil && rounded != v
}
