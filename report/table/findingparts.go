package table

import (
	"fmt"
	"slices"
	"strings"
)

// memoGroup is MEMO's place among the paper's models.
var memoGroup = slices.IndexFunc(paperModels, func(s System) bool { return s.Label == "memo" })

// inference is about the hardest query of each length: MEMO answers it, and the
// others fail, but for DNC on the shortest chains.
func (f *finder) inference() {
	spec := hardestSpec()
	for i, l := range lengths {
		s := f.stage(&spec, i, 0, memoGroup)
		s.announce()
		var list []Finding
		for _, g := range s.byPaper(0) {
			list = append(list, s.find(0, g, s.Rows[0].Questions[g].System.Title))
		}
		claim, judged := "order", ordered
		if l.task != "pai3" {
			claim = "MEMO alone is not near chance"
			judged = func(list []placed) bool {
				return aboveAll(list) && !guesses(list[0].here) && !slices.ContainsFunc(list[1:], func(p placed) bool { return !guesses(p.here) })
			}
		}
		list = append(list, s.orders(0, claim, judged)...)
		f.section(fmt.Sprintf("Hardest query of %s, %s", l.name, l.query), s.main, list)
	}
}

// paths is about shortest paths: MEMO finds the nodes, and on the largest graphs the
// others do not.
func (f *finder) paths() {
	spec := pathSpec()
	for i, block := range spec.Blocks {
		s := f.stage(&spec, i, 0, memoGroup)
		s.announce()
		var list []Finding
		all := block.Task == "sp20-5-3"
		for row, r := range s.Rows {
			for _, g := range append(s.byPaper(row), s.unlike(row)...) {
				if all || g == memoGroup {
					list = append(list, s.find(row, g, r.Questions[g].System.Title+", "+r.Label))
				}
			}
			if all {
				list = append(list, s.orders(row, "MEMO above the others, "+r.Label, aboveAll)...)
			}
		}
		f.section("Shortest paths, "+block.Name, s.main, list)
	}
}

// announce makes the note about the main setup the first of its section.
func (s *stage) announce() {
	if s.main != nil {
		s.t.Note("%s", s.main.Note())
	}
}

// unlike lists the groups with a number of the paper that is of another question.
func (s *stage) unlike(row int) []int {
	var groups []int
	for g, q := range s.Rows[row].Questions {
		if q.Published && q.Unlike {
			groups = append(groups, g)
		}
	}
	return groups
}

// ablations is about MEMO's parts: words kept separate and recurrent attention are
// both needed.
func (f *finder) ablations() {
	spec := paiAblationSpec()
	rows := spec.Blocks[0].Rows
	at := map[string]int{}
	for i, r := range rows {
		at[r.Questions[0].System.Label] = i
	}
	s := f.stage(&spec, 0, at["memo"], 0)
	s.announce()
	var list []Finding
	for i := len(rows) - 1; i >= 0; i-- {
		list = append(list, s.find(i, 0, strings.TrimSuffix(rows[i].Label, " (MEMO)")))
	}
	for _, claim := range []struct{ text, without, note string }{
		{"separate words are needed", "memo-posenc", ""},
		{"recurrent attention is needed", "memo-norec", "MEMO without recurrent attention still feeds back what it read: its next query is the value read " +
			"plus a linear map of the last one. A MEMO that feeds nothing back was not run."},
	} {
		one := s.needed(claim.text, at["memo"], at[claim.without])
		if claim.note != "" && one.Verdict != NotRun {
			one.Here.Marks = append(one.Here.Marks, s.t.Note("%s", claim.note))
		}
		list = append(list, one)
	}
	f.section("MEMO without some of its parts, 3 items, A-C", s.main, list)
}

// needed is the finding that MEMO with a part is above MEMO without it, in the first
// setup that has both.
func (s *stage) needed(claim string, with, without int) Finding {
	out := Finding{Claim: claim, Table: s.spec.ID(), Verdict: NotRun, Here: Cell{State: Unknown}}
	versus := func(a, b Cell) string {
		sign := map[int]string{1: ">", 0: "≈", -1: "<"}[above(a, b)]
		return fmt.Sprintf("%.1f %s %.1f", a.Mean, sign, b.Mean)
	}
	paperWith, paperWithout := s.Rows[with].Questions[0].printed(), s.Rows[without].Questions[0].printed()
	out.Paper = Cell{State: Text, Words: versus(paperWith, paperWithout)}
	for _, setup := range s.preferred() {
		a, b := s.in(setup, with, 0), s.in(setup, without, 0)
		if a.State != Number || b.State != Number {
			continue
		}
		out.in(setup)
		out.Here, out.Verdict = Cell{State: Text, Words: versus(a, b)}, Differs
		if setup != s.main {
			out.Claim += setup.aside()
			out.Here.Marks = []int{s.t.Note("%s", setup.Note())}
		}
		if above(a, b) > 0 {
			out.Verdict = Agrees
		}
		break
	}
	return out
}
