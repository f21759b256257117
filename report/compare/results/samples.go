package results

import (
	"fmt"

	"golang.org/x/perf/benchfmt"

	"memobench/benchmarks/record"
)

// add puts lines into the set.
func (r *reader) add(l *lines) error {
	for _, one := range l.results {
		if one.text != "" && one.run == nil {
			if other, twice := r.lines[one.text]; twice {
				return fmt.Errorf("%s and %s are the same line, times included: the run would count twice", other, one.from)
			}
			r.lines[one.text] = one.from
		}
		for _, v := range one.values {
			if err := r.sample(l, one, v); err != nil {
				return err
			}
		}
	}
	for _, f := range l.failed {
		g := r.set.group(groupName(f.name), Config{})
		g.Failed = append(g.Failed, f.what)
	}
	return nil
}

// sample adds one value to its cell.
func (r *reader) sample(l *lines, one *line, v benchfmt.Value) error {
	c := r.set.cell(Key{one.name, v.Unit, one.config})
	if len(r.set.Cells) > mostCells {
		return fmt.Errorf("%s: more than %d different numbers (benchmarks times units): compare parts of the results", one.from, mostCells)
	}
	if one.run == nil && one.seed != nil {
		key := seedKey{c.Key, *one.seed}
		if other, twice := r.seeds[key]; twice {
			return fmt.Errorf("%s, seed %d is there twice, in %s and %s", c.Label(), key.seed, other, one.from)
		}
		r.seeds[key] = one.from
	}
	if err := c.declare(l.units); err != nil {
		return fmt.Errorf("%s: %w", one.from, err)
	}
	c.Samples = append(c.Samples, Sample{Value: v.Value, From: one.from, Seed: one.seed, Counts: one.run.counts(c.Key), run: one.run})
	if v.Unit == record.Divergence.Name && v.Value > 0 && one.run == nil {
		g := r.set.group(groupName(one.name), one.config)
		g.Failed = append(g.Failed, fmt.Sprintf("a run diverged (%s)", one.from))
	}
	return nil
}

// declare sets what is known of the cell's unit, from the text and from Metrics,
// which must not contradict each other.
func (c *Cell) declare(units benchfmt.UnitMetadataMap) error {
	var better record.Direction
	if m := units.Get(c.Unit, "better"); m != nil {
		better = record.Direction(m.Value)
		if better != record.Higher && better != record.Lower {
			return fmt.Errorf("unit %s: better=%s, want higher or lower", c.Unit, m.Value)
		}
	}
	if m := units.Get(c.Unit, "assume"); m != nil {
		c.Exact = m.Value == string(record.AssumeExact)
	}
	known := record.Direction("")
	for _, m := range record.Metrics {
		if m.Name == c.Unit {
			known = m.Better
			c.Exact = c.Exact || m.Assume == record.AssumeExact
		}
	}
	if known == "" && IsAccuracy(c.Unit) {
		known = record.Higher
	}
	for _, d := range []record.Direction{better, known} {
		if d == "" {
			continue
		}
		if c.Better != "" && c.Better != d {
			return fmt.Errorf("unit %s: better=%s, but also better=%s", c.Unit, d, c.Better)
		}
		c.Better = d
	}
	return nil
}
