package sweep

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"memobench/benchmarks/config"
	"memobench/benchmarks/record"
	"memobench/benchmarks/suggest"
)

// Cell is a cell of a grid with the values that set it apart.
type Cell struct {
	config.Cell
	Values []string // one of each range, as key=value
}

// Change keeps and changes a part of a grid without a file of its own.
type Change struct {
	Tasks  []string // only these; empty for all
	Models []string // only these labels or registry names; empty for all
	Seeds  []uint64 // instead of the grid's; empty for the grid's

	// Set are changes as Preset.Set takes them, each made in the parts that have
	// its key. Where a part has a range of the same name, it takes its place.
	Set []string
}

// recordPath is the cell's record in a sweep's directory.
func (c *Cell) recordPath(dir string) string { return filepath.Join(dir, c.Dir(), record.FileName) }

// maxCells bounds a grid: a slip in a range must not exhaust the memory.
const maxCells = 1_000_000

// Cells lists the grid's cells on the given preset: part by part, seed by seed,
// the first range slowest, each cell once however many parts have it. Errors
// name grid and part.
func (g *Grid) Cells(preset *config.Preset, c Change) ([]Cell, error) {
	preset = preset.Clone()
	for _, s := range g.Set {
		if err := preset.Set(s); err != nil {
			return nil, fmt.Errorf("grid %s: %w", g.Name, err)
		}
	}
	var cells []Cell
	seen := map[string]bool{}
	made := make([]error, len(c.Set)) // nil: changes something; else why not
	for i := range c.Set {
		made[i] = errors.New("no part")
	}
	for i, part := range g.Parts {
		list, err := part.cells(preset, c, made)
		if err != nil {
			return nil, fmt.Errorf("grid %s, part %d: %w", g.Name, i+1, err)
		}
		for _, one := range list {
			if h := one.Hash(); !seen[h] {
				seen[h] = true
				cells = append(cells, one)
			}
		}
	}
	for _, err := range made {
		if err != nil {
			return nil, fmt.Errorf("grid %s: %w", g.Name, err)
		}
	}
	return g.choose(cells, c)
}

// choose keeps the cells of the tasks and models asked for.
func (g *Grid) choose(cells []Cell, c Change) ([]Cell, error) {
	var tasks, names []string
	for _, one := range cells {
		tasks, names = append(tasks, one.Task), append(names, one.Label, one.Model)
	}
	for _, asked := range []struct {
		what         string
		names, known []string
	}{{"task", c.Tasks, tasks}, {"model", c.Models, names}} {
		slices.Sort(asked.known)
		for _, name := range asked.names {
			if !slices.Contains(asked.known, name) {
				return nil, &suggest.UnknownError{What: asked.what + " in grid " + g.Name, Name: name,
					Known: slices.Compact(asked.known)}
			}
		}
	}
	kept := slices.DeleteFunc(cells, c.leavesOut)
	if len(kept) == 0 {
		return nil, fmt.Errorf("grid %s has no cell that can be run of what was asked for", g.Name)
	}
	return kept, nil
}

// leavesOut reports whether a cell is of a task or model that was not asked for.
func (c Change) leavesOut(one Cell) bool {
	return len(c.Tasks) > 0 && !slices.Contains(c.Tasks, one.Task) ||
		len(c.Models) > 0 && !slices.Contains(c.Models, one.Label) && !slices.Contains(c.Models, one.Model)
}

// cells lists the part's cells. In made it clears the entries of the changes
// that it makes, and notes of others why it cannot.
func (p Part) cells(preset *config.Preset, c Change, made []error) ([]Cell, error) {
	base := preset.Clone()
	if err := base.Keep(p.Tasks, p.Models); err != nil {
		return nil, err
	}
	seeds := p.Seeds
	if len(c.Seeds) > 0 {
		seeds = c.Seeds
	}
	if len(seeds) > 0 {
		if err := base.SetSeeds(seeds...); err != nil {
			return nil, err
		}
	}
	for _, s := range p.Set {
		if err := base.Set(s); err != nil {
			return nil, err
		}
	}
	var set []string
	for i, s := range c.Set {
		err := base.Set(s)
		var unknown *suggest.UnknownError
		switch {
		case err == nil:
			set, made[i] = append(set, s), nil
		case !errors.As(err, &unknown):
			return nil, err
		case made[i] != nil:
			made[i] = err
		}
	}
	ranges, err := free(p.Ranges, set)
	if err != nil {
		return nil, err
	}
	var cells []Cell
	for _, values := range product(ranges) {
		one, err := at(base, values, set)
		if err != nil {
			return nil, err
		}
		cells = append(cells, one...)
	}
	bySeed(cells)
	return cells, nil
}

// free returns the ranges without those whose key is set.
func free(ranges []config.Range, set []string) ([]config.Range, error) {
	var list []config.Range
	n := 1
	for _, r := range ranges {
		isSet := slices.ContainsFunc(set, func(s string) bool {
			key, _, _ := strings.Cut(s, "=")
			return strings.TrimSpace(key) == r.Key
		})
		if !isSet {
			list = append(list, r)
			if n *= len(r.Values); n > maxCells {
				return nil, fmt.Errorf("ranges: more than %d choices of values", maxCells)
			}
		}
	}
	return list, nil
}

// product lists every choice of one value from each range, as key=value, the
// last range fastest. Without ranges there is one empty choice.
func product(ranges []config.Range) [][]string {
	list := [][]string{nil}
	for _, r := range ranges {
		var longer [][]string
		for _, head := range list {
			for _, v := range r.Values {
				longer = append(longer, append(slices.Clone(head), r.Key+"="+v))
			}
		}
		list = longer
	}
	return list
}

// at returns the cells at one point of the grid. It refuses to undo what was
// set from outside.
func at(base *config.Preset, values, set []string) ([]Cell, error) {
	here := base.Clone()
	for _, v := range values {
		if err := here.Set(v); err != nil {
			return nil, err
		}
	}
	var cells []Cell
	for _, c := range here.Cells() {
		cells = append(cells, Cell{Cell: c, Values: values})
	}
	for _, s := range set {
		again := here.Clone()
		if err := again.Set(s); err != nil {
			return nil, err
		}
		for i, c := range again.Cells() {
			if c.Hash() != cells[i].Hash() {
				key, _, _ := strings.Cut(s, "=")
				return nil, fmt.Errorf("override %q: a range goes over the same setting; to fix it, write its key as the range does: %s instead of %s",
					s, keysOf(values), strings.TrimSpace(key))
			}
		}
	}
	return cells, nil
}

// keysOf lists the keys of settings.
func keysOf(values []string) string {
	var keys []string
	for _, v := range values {
		key, _, _ := strings.Cut(v, "=")
		keys = append(keys, key)
	}
	return strings.Join(keys, ", ")
}

// bySeed puts cells in the order in which their seeds first appear, so that a
// sweep that is cut short has compared something.
func bySeed(cells []Cell) {
	rank := map[uint64]int{}
	for _, c := range cells {
		if _, known := rank[c.Seed]; !known {
			rank[c.Seed] = len(rank)
		}
	}
	slices.SortStableFunc(cells, func(a, b Cell) int { return cmp.Compare(rank[a.Seed], rank[b.Seed]) })
}
