package results

import (
	"crypto/sha256"
	"fmt"
	"strings"

	"golang.org/x/perf/benchfmt"

	"memobench/benchmarks/record"
	"memobench/datasets/binfile"
)

// maxCells is the maximum number of cells of a set.
const maxCells = 250_000

// Read opens paths and returns the set of their numbers.
func Read(paths ...string) (*Set, error) {
	r, err := Open(paths...)
	if err != nil {
		return nil, err
	}
	return r.Set()
}

// Set returns the set of all numbers, for comparisons. Duplicate files, two runs with one
// seed, and runs with one label but other settings are errors.
func (r *Results) Set() (*Set, error) {
	b := &builder{set: newSet(r.Name), runs: map[runKey]string{}, lines: map[string]string{}, seeds: map[seedKey]string{}}
	contents := map[[sha256.Size]byte]string{} // path of the file with this content
	for _, p := range r.Paths {
		if err := p.onlyShifted(); err != nil && !p.numbers && len(p.crashed) == 0 {
			return nil, err
		}
		if !p.numbers && len(p.crashed) == 0 {
			return nil, fmt.Errorf("no results: there is no %s and no %s in or below %s: name a directory that memobench run, train or sweep wrote",
				record.FileName, record.BenchName, p.Path)
		}
		for _, link := range p.Links {
			b.set.note("%s: a symbolic link to a directory, not followed: name it as a path of its own", link)
		}
		for _, f := range p.files {
			err := f.load()
			if other, duplicate := contents[f.hash]; duplicate && err == nil {
				err = fmt.Errorf("%s and %s are the same file: its runs would count twice", other, f.path)
			}
			contents[f.hash] = f.path
			if err == nil {
				err = b.file(&f, r.Runs)
			}
			if err != nil {
				return nil, fmt.Errorf("reading results: %w", err)
			}
		}
	}
	b.set.finish()
	named := map[string][]*Group{}
	for _, g := range b.set.Groups {
		named[g.Name] = append(named[g.Name], g)
	}
	for _, p := range r.Paths {
		for _, dir := range p.crashed {
			b.set.addCrashed(dir, named)
		}
	}
	return b.set, nil
}

// load reads a text that was not read before.
func (f *file) load() (err error) {
	if f.from == f.to && f.text == nil {
		f.text, err = binfile.ReadFile(f.path, maxTextSize)
		f.hash = sha256.Sum256(f.text)
	}
	return err
}

// builder fills a set.
type builder struct {
	set   *Set
	runs  map[runKey]string  // path of each seed's record
	lines map[string]string  // file and line by text, for lines with times
	seeds map[seedKey]string // file and line of each seed's value
}

// runKey identifies the run of a record.
type runKey struct {
	group GroupKey
	split string
	seed  uint64
}

// seedKey identifies a value of a seed in the Go benchmark format.
type seedKey struct {
	cell Key
	seed uint64
}

// file adds the numbers of a file.
func (b *builder) file(f *file, runs []Run) error {
	if f.text != nil {
		l, err := parse(f.path, f.text)
		if err != nil {
			return err
		}
		if len(l.results) == 0 && len(l.failed) == 0 {
			return fmt.Errorf("%s: neither a result record nor a line in the Go benchmark format", f.path)
		}
		return b.add(l)
	}
	for i := f.from; i < f.to; i++ {
		if runs[i].excluded {
			continue
		}
		if err := b.record(&runs[i]); err != nil {
			return err
		}
	}
	return nil
}

// record adds a record from its copy in the Go benchmark format. Unlike those of a text,
// its samples have seeds and counts.
func (b *builder) record(run *Run) error {
	rec := run.Record
	if rec.Evaluation.Split != "test" {
		b.set.note("%s: evaluated on the %s split", run.Path, rec.Evaluation.Split)
	}
	benchText, err := rec.Bench()
	if err != nil {
		return fmt.Errorf("%s: %w", run.Path, err)
	}
	lines, err := parse(run.Path, benchText)
	if err != nil {
		return err
	}
	key := runKey{Key{Name: lines.results[0].name, Config: lines.results[0].config}.Group(), rec.Evaluation.Split, rec.Identity.Seed}
	if other, duplicate := b.runs[key]; duplicate {
		return fmt.Errorf("%s, seed %d is there twice, in %s and %s: name one of them", key.group.Label(), key.seed, other, run.Path)
	}
	b.runs[key] = run.Path
	for _, l := range lines.results {
		l.from, l.seed, l.run = run.Path, &rec.Identity.Seed, run
	}
	group := b.set.group(key.group)
	if group.first == nil {
		group.first = run
	}
	if ofA, ofB := ModelDifferences(group.first.Record, rec); len(ofA) > 0 {
		return fmt.Errorf("%s: runs of different settings are not one sample: %s has %s, %s has %s", group.Label(),
			group.first.Path, strings.Join(ofA, ", "), run.Path, strings.Join(ofB, ", "))
	}
	switch rec.Status {
	case record.Diverged:
		group.Failed = append(group.Failed, fmt.Sprintf("seed %d diverged at step %d (%s)", rec.Identity.Seed, rec.Training.DivergedAt, run.Path))
	case record.Interrupted:
		group.Failed = append(group.Failed, fmt.Sprintf("seed %d was stopped at step %d before its end (%s)", rec.Identity.Seed, rec.Training.Steps, run.Path))
	}
	return b.add(lines)
}

// add adds lines to the set.
func (b *builder) add(all *lines) error {
	for _, l := range all.results {
		if l.text != "" && l.run == nil {
			if other, duplicate := b.lines[l.text]; duplicate {
				return fmt.Errorf("%s and %s are the same line, times included: the run would count twice", other, l.from)
			}
			b.lines[l.text] = l.from
		}
		for _, v := range l.values {
			if err := b.sample(l, v, all.units); err != nil {
				return err
			}
		}
	}
	for _, f := range all.failed {
		g := b.set.group(Key{Name: f.name}.Group())
		g.Failed = append(g.Failed, f.what)
	}
	return nil
}

// sample adds one value to its cell.
func (b *builder) sample(l *line, v benchfmt.Value, units benchfmt.UnitMetadataMap) error {
	c := b.set.cell(Key{l.name, v.Unit, l.config})
	if len(b.set.Cells) > maxCells {
		return fmt.Errorf("%s: more than %d different numbers (benchmarks times units): compare parts of the results", l.from, maxCells)
	}
	if l.run == nil && l.seed != nil {
		key := seedKey{c.Key, *l.seed}
		if other, duplicate := b.seeds[key]; duplicate {
			return fmt.Errorf("%s, seed %d is there twice, in %s and %s", c.Label(), key.seed, other, l.from)
		}
		b.seeds[key] = l.from
	}
	if err := c.declare(units); err != nil {
		return fmt.Errorf("%s: %w", l.from, err)
	}
	c.Samples = append(c.Samples, Sample{Value: v.Value, From: l.from, Seed: l.seed, Counts: l.run.counts(c.Key), run: l.run})
	if v.Unit == record.Divergence.Name && v.Value > 0 && l.run == nil {
		g := b.set.group(c.Group())
		g.Failed = append(g.Failed, fmt.Sprintf("a run diverged (%s)", l.from))
	}
	return nil
}

// declare sets direction and exactness of the cell's unit, from the text and from
// record.Metrics, which must agree.
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
