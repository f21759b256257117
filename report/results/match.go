package results

import (
	"fmt"
	"slices"
	"strings"

	"memobench/benchmarks/record"
	"memobench/report/compare/hypothesis"
)

// Pair has the cells of two sets with the same key.
type Pair struct{ A, B *Cell }

// notComparable is the error for cells with one name but different conditions. what lists
// the differences.
func notComparable(a, b *Cell, what ...string) error {
	return fmt.Errorf("%s is not comparable: %s (%s against %s); compare runs of the same preset, task and data",
		a.Label(), strings.Join(what, "; "), a.Samples[0].From, b.Samples[0].From)
}

// otherConfig is the error for cells with one name but different configurations.
func otherConfig(a, b *Cell) error {
	var what []string
	x, y := a.Config.values(), b.Config.values()
	for i, key := range configKeys {
		if x[i] != y[i] {
			what = append(what, fmt.Sprintf("%s %q against %q", key, x[i], y[i]))
		}
	}
	return notComparable(a, b, what...)
}

// Match pairs the cells of two sets, in the order of a, and lists those that are only in
// one of them. It fails if a cell is in the other set only with another protocol or other
// data.
func Match(a, b *Set) (pairs []Pair, onlyA, onlyB []*Cell, err error) {
	index := func(s *Set) (map[Key]*Cell, map[Key]*Cell) {
		byKey, byName := map[Key]*Cell{}, map[Key]*Cell{}
		for _, c := range s.Cells {
			byKey[c.Key] = c
			byName[Key{Name: c.Name, Unit: c.Unit}] = c
		}
		return byKey, byName
	}
	aKeys, aNames := index(a)
	bKeys, bNames := index(b)
	for _, c := range a.Cells {
		other := bKeys[c.Key]
		if other == nil {
			if near := bNames[Key{Name: c.Name, Unit: c.Unit}]; near != nil && aKeys[near.Key] == nil {
				return nil, nil, nil, otherConfig(c, near)
			}
			onlyA = append(onlyA, c)
			continue
		}
		if c.Better != "" && other.Better != "" && c.Better != other.Better {
			return nil, nil, nil, notComparable(c, other, fmt.Sprintf("better=%s against better=%s", c.Better, other.Better))
		}
		pairs = append(pairs, Pair{c, other})
	}
	for _, c := range b.Cells {
		if aKeys[c.Key] != nil {
			continue
		}
		if near := aNames[Key{Name: c.Name, Unit: c.Unit}]; near != nil && bKeys[near.Key] == nil {
			return nil, nil, nil, otherConfig(near, c)
		}
		onlyB = append(onlyB, c)
	}
	if len(pairs) == 0 && (len(a.Cells) == 0 || len(b.Cells) > 0) { // b has no cells if all its runs crashed
		return nil, nil, nil, fmt.Errorf("nothing to compare: %s and %s have no benchmark in common; the first has for example %s, the second %s",
			a.Name, b.Name, some(a), some(b))
	}
	return pairs, onlyA, onlyB, nil
}

func some(s *Set) string {
	if len(s.Cells) == 0 {
		return "none"
	}
	return s.Cells[0].Name
}

// enoughValues is the number of equal values that are not equal by chance.
const enoughValues = 5

// Same returns a function that reports whether the runs of a cell are the same in both
// sets: whether all numbers of its group are equal, except times. Equal losses are
// sufficient; without a loss, at least enoughValues numbers must be equal, since a few
// accuracies may agree by chance.
func Same(pairs []Pair) func(Key) bool {
	differ, values := map[GroupKey]bool{}, map[GroupKey]int{}
	for _, p := range pairs {
		g := p.A.Group()
		if p.A.Unit == record.Loss.Name {
			values[g] += enoughValues
		}
		if !isTime(p.A.Unit) && !p.A.Exact {
			values[g] += len(p.A.Samples)
		}
		if !isTime(p.A.Unit) && !slices.Equal(slices.Sorted(slices.Values(p.A.Values())), slices.Sorted(slices.Values(p.B.Values()))) {
			differ[g] = true
		}
	}
	return func(k Key) bool {
		g := k.Group()
		return !differ[g] && values[g] >= enoughValues
	}
}

// Changed lists the settings of model and training in which two sets of records differ.
// They may still be compared: they may be what a change of the code is about. Results in
// the Go benchmark format have no settings.
func Changed(a, b *Set) []string {
	var list []string
	for _, g := range a.Groups {
		other := b.groups[g.GroupKey]
		if g.first == nil || other == nil || other.first == nil {
			continue
		}
		if x, y := g.first.Record.Identity.Model, other.first.Record.Identity.Model; x != y {
			continue
		}
		if ofA, ofB := ModelDifferences(g.first.Record, other.first.Record); len(ofA) > 0 {
			list = append(list, fmt.Sprintf("%s: other settings: %s, now %s", g.Label(), listed(ofA), listed(ofB)))
		}
	}
	return list
}

// listed lists settings. The phases of a curriculum are long, and the caveats of the runs have
// them in words.
func listed(settings []string) string {
	list := slices.Clone(settings)
	for i, s := range list {
		if key := record.WithoutPhases(s); key != s {
			list[i] = key + " (a curriculum)"
		}
	}
	return strings.Join(list, ", ")
}

// oriented returns the cell's values, negated where lower is better.
func (c *Cell) oriented() []float64 {
	list := c.Values()
	for i := range list {
		list[i] = c.orient(list[i])
	}
	return list
}

// Test compares the cells of a pair: exact values directly, two samples by the test for
// which they are large enough at the given level, and two single runs by their answers if
// both kept them, else by their counts.
func (p Pair) Test(level float64) (hypothesis.Test, error) {
	a, b := p.A.oriented(), p.B.oriented()
	if p.A.Exact {
		return exact(a, b), nil
	}
	t := hypothesis.Samples(a, b, level)
	if len(a) != 1 || len(b) != 1 {
		return t, nil
	}
	kinds, err := pairedByKind(p.A.Key, p.A.Samples[0], p.B.Samples[0])
	if err != nil {
		return t, err
	}
	if kinds != nil {
		return hypothesis.Answers(kinds), nil
	}
	x, y := p.A.Samples[0].Counts, p.B.Samples[0].Counts
	if len(x) > 0 && len(x) == len(y) {
		return hypothesis.Proportions(x, y), nil
	}
	return t, nil
}

// exact compares numbers that do not vary between runs. If they do, it uses the worst case.
func exact(a, b []float64) hypothesis.Test {
	t := hypothesis.Test{Method: hypothesis.Exact, Drop: slices.Max(a) - slices.Min(b), P: 1}
	if t.Drop > 0 {
		t.P = 0
	}
	return t
}

// SamplesBySeed returns the samples with seeds that both cells have, in the order of A; nil
// if seeds are unknown.
func (p Pair) SamplesBySeed() (list [][2]Sample) {
	ofB := map[uint64]Sample{}
	for _, s := range p.B.Samples {
		if s.Seed != nil {
			ofB[*s.Seed] = s
		}
	}
	for _, s := range p.A.Samples {
		if s.Seed == nil {
			continue
		}
		if b, both := ofB[*s.Seed]; both {
			list = append(list, [2]Sample{s, b})
		}
	}
	return list
}

// BySeed returns the oriented values of these samples.
func (p Pair) BySeed() (seeds []uint64, a, b []float64) {
	for _, pair := range p.SamplesBySeed() {
		seeds = append(seeds, *pair[0].Seed)
		a, b = append(a, p.A.orient(pair[0].Value)), append(b, p.B.orient(pair[1].Value))
	}
	return seeds, a, b
}

func (c *Cell) orient(v float64) float64 {
	if c.Better == record.Lower {
		return -v
	}
	return v
}
