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

// Cell is a cell of a grid with its values.
type Cell struct {
	config.Cell
	Values []string // one of each range, as key=value
}

// Change selects and changes cells of a grid.
type Change struct {
	Tasks  []string // only these; empty for all
	Models []string // only these labels, or registry names that are no label of the task; empty for all
	Seeds  []uint64 // instead of the grid's; empty for the grid's

	// Set are changes (see config.Preset.Set) of the parts that have the key. They
	// replace ranges of the same key.
	Set []string
}

// recordPath is the cell's record in a sweep's directory.
func (c *Cell) recordPath(dir string) string { return filepath.Join(dir, c.Dir(), record.FileName) }

// maxCells limits the size of a grid, so that a mistake in a range does not exhaust the
// memory.
const maxCells = 1_000_000

// Cells lists the grid's cells on the given preset, deduplicated: part by part, seed by
// seed, the first range slowest. Errors name grid and part.
func (g *Grid) Cells(preset *config.Preset, c Change) ([]Cell, error) {
	parts, err := g.cellsOfParts(preset, c)
	if err != nil {
		return nil, err
	}
	var cells []Cell
	seen := map[string]bool{}
	for _, cell := range slices.Concat(parts...) {
		if h := cell.Hash(); !seen[h] {
			seen[h] = true
			cells = append(cells, cell)
		}
	}
	for i := range cells {
		if err := cells[i].Validate(); err != nil {
			return nil, fmt.Errorf("grid %s: %s (%s): %w", g.Name, cells[i].Name(), strings.Join(cells[i].Values, " "), err)
		}
	}
	return cells, nil
}

// cellsOfParts lists the cells of each part that have the tasks and models of c.
func (g *Grid) cellsOfParts(preset *config.Preset, c Change) ([][]Cell, error) {
	preset = preset.Clone()
	for _, s := range g.Set {
		if err := preset.Set(s); err != nil {
			return nil, fmt.Errorf("grid %s: %w", g.Name, err)
		}
	}
	parts := make([][]Cell, len(g.Parts))
	unused := make([]error, len(c.Set)) // for each change why no part has its key, else nil
	for i := range c.Set {
		unused[i] = errors.New("no part")
	}
	for i, part := range g.Parts {
		var err error
		if parts[i], err = part.cells(preset, c, unused); err != nil {
			return nil, fmt.Errorf("grid %s, part %d: %w", g.Name, i+1, err)
		}
	}
	for _, err := range unused {
		if err != nil {
			return nil, fmt.Errorf("grid %s: %w", g.Name, err)
		}
	}
	return parts, g.filter(parts, c)
}

// filter removes the cells of other tasks and models than those of c. A model's name is a
// label or, on tasks where no cell has that label, a registry name.
func (g *Grid) filter(parts [][]Cell, c Change) error {
	type taskLabel struct{ task, label string }
	labels := map[taskLabel]bool{}
	var tasks, names []string
	for _, cell := range slices.Concat(parts...) {
		labels[taskLabel{cell.Task, cell.Label}] = true
		tasks, names = append(tasks, cell.Task), append(names, cell.Label, cell.Model)
	}
	distinct := func(names []string) []string { return slices.Compact(slices.Sorted(slices.Values(names))) }
	err := cmp.Or(suggest.Check("task in grid "+g.Name, distinct(tasks), c.Tasks...),
		suggest.Check("model in grid "+g.Name, distinct(names), c.Models...))
	if err != nil {
		return err
	}
	kept := 0
	for i := range parts {
		parts[i] = slices.DeleteFunc(parts[i], func(cell Cell) bool {
			named := func(name string) bool {
				return name == cell.Label || name == cell.Model && !labels[taskLabel{cell.Task, name}]
			}
			return len(c.Tasks) > 0 && !slices.Contains(c.Tasks, cell.Task) || len(c.Models) > 0 && !slices.ContainsFunc(c.Models, named)
		})
		kept += len(parts[i])
	}
	if kept == 0 {
		return fmt.Errorf("grid %s has no cell that can be run of what was asked for", g.Name)
	}
	return nil
}

// cells lists the part's cells. It sets the entry in unused of each change to nil if the
// part has its key, else, unless nil already, to the error.
func (p Part) cells(preset *config.Preset, c Change, unused []error) ([]Cell, error) {
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
			set, unused[i] = append(set, s), nil
		case !errors.As(err, &unknown):
			return nil, err
		case unused[i] != nil:
			unused[i] = err
		}
	}
	ranges, err := withoutKeys(p.Ranges, set)
	if err != nil {
		return nil, err
	}
	var cells []Cell
	for _, values := range product(ranges) {
		list, err := at(base, values, set)
		if err != nil {
			return nil, err
		}
		cells = append(cells, list...)
	}
	bySeed(cells)
	return cells, nil
}

// withoutKeys returns the ranges without those whose key is set.
func withoutKeys(ranges []config.Range, set []string) ([]config.Range, error) {
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

// product returns the Cartesian product of the ranges' values, as key=value, the last
// range fastest. Without ranges it has one empty element.
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

// at returns the cells at one point of the grid. values must not change settings that are
// in set, under another key.
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
		changed := here.Clone()
		if err := changed.Set(s); err != nil {
			return nil, err
		}
		for i, c := range changed.Cells() {
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

// bySeed sorts cells by the order in which their seeds first appear, so that an
// interrupted sweep has complete comparisons for the first seeds.
func bySeed(cells []Cell) {
	rank := map[uint64]int{}
	for _, c := range cells {
		if _, known := rank[c.Seed]; !known {
			rank[c.Seed] = len(rank)
		}
	}
	slices.SortStableFunc(cells, func(a, b Cell) int { return cmp.Compare(rank[a.Seed], rank[b.Seed]) })
}
