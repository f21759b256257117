package report

import (
	"cmp"
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
	for _, claim := range []struct{ text, without string }{
		{"separate words are needed", "memo-posenc"}, {"recurrent attention is needed", "memo-norec"},
	} {
		list = append(list, s.needed(claim.text, at["memo"], at[claim.without]))
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
			out.Claim += ": " + setup.Title()
			out.Here.Marks = []int{s.t.Note("%s", setup.Note())}
		}
		if above(a, b) > 0 {
			out.Verdict = Agrees
		}
		break
	}
	return out
}

// halted is the hops and the accuracy at one length.
type halted struct {
	name           string
	hops, accuracy Cell
	most           string // hops at most
	distance       int    // of the data from the paper's
}

// halting is about the number of hops, which MEMO learns to fit to the task.
func (f *finder) halting() {
	spec := haltingSpec()
	for way, m := range haltings[1:] {
		way++
		var list []Finding
		var at []halted
		for i, l := range lengths {
			s := f.stage(&spec, i, way, 0)
			hops, accuracy := s.halted(way, m, l.name, l.query)
			list = append(list, hops, accuracy)
			if setup, runs := s.chosenSettings(way); runs != nil {
				at = append(at, halted{l.name, hops.Here, accuracy.Here, s.Rows[way].Questions[mostHops].set(runs).Words, setup.distance()})
			}
		}
		list = append(list, f.adapts(at))
		f.section("Halting by "+m.Title, nil, list)
	}
}

// halted are the findings about a way of halting at one length: hops, and accuracy on
// the hardest query, beside that of the paper's MEMO, which halts by REINFORCE.
func (s *stage) halted(way int, m System, name, query string) (hops, accuracy Finding) {
	hops = Finding{Claim: name + ", hops", Table: s.spec.ID(), Paper: Cell{State: Unknown}, Here: Cell{State: Missing}}
	accuracy = Finding{Claim: name + ", " + query, Table: s.spec.ID(), Paper: Cell{State: Unknown}, Here: Cell{State: Missing}}
	if m.Label == "memo-reinforce" {
		hardest := hardestSpec()
		i := slices.IndexFunc(hardest.Blocks, func(b SpecBlock) bool { return b.Task == s.Task })
		accuracy.Paper = hardest.Blocks[i].Rows[0].Questions[memoGroup].printed()
	}
	setup, runs := s.chosenSettings(way)
	if runs == nil {
		fill := s.fill("Not run. To fill", s.standardCommand(m.Label))
		hops.Here, accuracy.Here, hops.Verdict, accuracy.Verdict = fill, fill, NotRun, NotRun
		return hops, accuracy
	}
	alone := &Setup{Task: setup.Task, Changes: runs[0].Record.Identity.Overrides, Runs: runs}
	note := s.t.Note("%s", alone.Note())
	for i, out := range []*Finding{&accuracy, &hops} { // as the columns are
		q := s.Rows[way].Questions[i]
		out.in(setup)
		out.Claim += ": " + setup.Title()
		out.Here = q.over(runs)
		out.Here.Marks = append([]int{note}, s.cellMarks(&q, specColumn{group: i, title: m.Title}, alone, runs, nil)...)
		out.judge()
	}
	return hops, accuracy
}

// chosenSettings are the runs of a way of halting under those settings that count: in
// the first setup that has it, those of the lowest mean loss, by which the paper chose
// among its settings.
func (s *stage) chosenSettings(way int) (*Setup, []Run) {
	if s.main == nil {
		return nil, nil
	}
	q := &s.Rows[way].Questions[0]
	list := settingsOf(q.answered(s.main.Runs))
	if len(list) == 0 {
		return nil, nil
	}
	return s.main, slices.MinFunc(list, func(a, b []Run) int { return cmp.Compare(meanLoss(s.Task, a), meanLoss(s.Task, b)) })
}

// adapts is the finding that hops rise with the length of chains.
func (f *finder) adapts(at []halted) Finding {
	out := Finding{Claim: "hops adapt to the length", Table: "table-b", Paper: Cell{State: Text, Words: "they do"}, Here: Cell{State: Unknown},
		Verdict: NotRun, Systems: len(at), Of: len(lengths)}
	if len(at) < 2 {
		return out
	}
	var words, most, left []string
	var counted []float64
	nearest := slices.MinFunc(at, func(a, b halted) int { return cmp.Compare(a.distance, b.distance) }).distance
	for _, l := range at {
		words, most = append(words, fmt.Sprintf("%.2f", l.hops.Mean)), append(most, l.most)
		switch {
		case l.distance > nearest:
			left = append(left, l.name+" (smaller data)")
		case guesses(l.accuracy):
			left = append(left, l.name+" (near chance)")
		default:
			counted = append(counted, l.hops.Mean)
		}
	}
	out.Here = Cell{State: Text, Words: strings.Join(words, ", "), Marks: []int{f.t.Note("Each length is a protocol of its own; hops at most: %s.", strings.Join(most, ", "))}}
	if left != nil {
		out.Here.Marks = append(out.Here.Marks, f.t.Note("Not counted: %s.", strings.Join(left, ", ")))
	}
	out.Verdict = Differs
	if n := len(counted); n > 1 && slices.IsSorted(counted) && counted[n-1]-counted[0] > leastRise {
		out.Verdict = Agrees
	}
	return out
}

// mostHops is the column of Table B with the number of hops at most.
const mostHops = 2

// leastRise is by how much hops must rise from the shortest to the longest chain.
const leastRise = 0.1
