package study

import (
	"fmt"
	"maps"
	"slices"

	"memobench/benchmarks/record"
)

// firstNames lists the settings that had another name, or other values, when the first runs
// were recorded. Hashes use those, so that the hashes of these runs are still right.
var firstNames = []struct {
	first, present string
	values         map[string]string // first values by present ones; nil where they are the same
}{
	{"start", "init", nil},
	{"hold", "plateau_fraction", nil},
	{"feedback", "teacher_forcing", map[string]string{"true": "truth", "false": "predicted"}},
}

// Hash returns the hash of everything that decides the cell's result except the contents
// of the data and the machine. It omits names, labels, and later settings with their
// legacy value, and uses the first names of settings.
func (c *Cell) Hash() string {
	training := withFirstNames(Values(&c.Training))
	if phases := slices.Clone(c.Training.Phases); len(phases) > 0 {
		for i, p := range phases {
			phases[i].Config, phases[i].Training = withFirstNames(p.Config), withFirstNames(p.Training)
		}
		training["phases"] = phases
	}
	return record.HashOf(map[string]any{
		"protocol": c.Protocol.Values(c.Task, c.Settings), "model": c.Model,
		"config":   withFirstNames(withoutLegacy(c.Config)),
		"training": training, "seed": c.Seed,
	})
}

// withFirstNames returns settings, whose values are of type any or string, under their first
// names.
func withFirstNames[V any](settings map[string]V) map[string]V {
	out := maps.Clone(settings)
	for _, n := range firstNames {
		value, ok := settings[n.present]
		if !ok {
			continue
		}
		delete(out, n.present)
		out[n.first] = value
		if first, ok := n.values[fmt.Sprint(value)]; ok {
			out[n.first] = any(first).(V)
		}
	}
	return out
}
