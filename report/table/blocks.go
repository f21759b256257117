package table

// blocks lays the table out: as one grid if it fits into width, with the
// published deviations or else without; if it does not, as the fewest grids that
// do, one below the other, each with some of the groups and all row labels. A
// single group is not divided.
func (t *Table) blocks(s Style, width int) []*grid {
	for n := 1; n <= len(t.Groups); n++ {
		for _, short := range []bool{false, true} {
			grids, fit := t.divide(s, n, short, width)
			if fit || short && n == len(t.Groups) {
				return grids
			}
		}
	}
	return []*grid{t.grid(s, false)} // labels alone
}

// divide lays the groups out in n grids of as nearly the same number of groups
// as can be, the first ones having one more, and reports whether all fit.
func (t *Table) divide(s Style, n int, short bool, width int) (grids []*grid, fit bool) {
	fit = true
	from := 0
	for i := range n {
		to := from + (len(t.Groups)-from+n-i-1)/(n-i)
		g := t.Part(from, to).grid(s, short)
		fit = fit && g.width() <= width
		grids = append(grids, g)
		from = to
	}
	return grids, fit
}

// Part returns the table with the groups from to to-1 alone.
func (t *Table) Part(from, to int) *Table {
	before, columns := 0, 0
	for i, g := range t.Groups[:to] {
		if i < from {
			before += len(g.Columns)
		} else {
			columns += len(g.Columns)
		}
	}
	p := *t
	p.Groups = t.Groups[from:to]
	p.Sections = make([]Section, len(t.Sections))
	for i, section := range t.Sections {
		p.Sections[i] = section
		p.Sections[i].Rows = nil
		for _, r := range section.Rows {
			r.Cells = r.Cells[before : before+columns]
			p.Sections[i].Rows = append(p.Sections[i].Rows, r)
		}
	}
	return &p
}
