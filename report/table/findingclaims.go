package table

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"memobench/report/paper"
	"memobench/report/results"
)

// stage is a block of a table with the setups that fill it.
type stage struct {
	*filler
	*filled
	main *Setup // nil where there is none
}

// stage finds the setups of a block, and the first that answers the question given,
// or any.
func (f *finder) stage(spec *paper.Spec, block, row, group int) stage {
	s := stage{filler: &filler{spec: spec, presets: f.presets, t: f.t}}
	chosen := s.choose(spec.Blocks[block], f.kept)
	s.filled = &chosen
	q := &chosen.Rows[row].Questions[group]
	for _, setup := range chosen.setups {
		if len(answered(q, setup.Runs)) > 0 {
			s.main = setup
			return s
		}
	}
	if len(chosen.setups) > 0 {
		s.main = chosen.setups[0]
	}
	return s
}

// in is the number of a question in a setup.
func (s *stage) in(setup *Setup, row, group int) Cell {
	q := s.Rows[row].Questions[group]
	runs, _ := likeliest(&q, s.Task, answered(&q, setup.Runs))
	return over(&q, runs)
}

// marks are those of such a number.
func (s *stage) marks(setup *Setup, row, group int) []int {
	q := s.Rows[row].Questions[group]
	runs, left := likeliest(&q, s.Task, answered(&q, setup.Runs))
	return s.cellMarks(&q, specColumn{group: group, title: q.System.Title}, setup, runs, left)
}

// outside are the settings of such a number that are none of the paper's.
func (s *stage) outside(setup *Setup, row, group int) []string {
	q := s.Rows[row].Questions[group]
	runs, _ := likeliest(&q, s.Task, answered(&q, setup.Runs))
	return outsideOf(runs)
}

// outsideOf are the settings of runs that are none of the paper's.
func outsideOf(runs []results.Run) []string {
	var list []string
	for _, r := range runs {
		for _, text := range paper.Outside(r.Record) {
			if !slices.Contains(list, text) {
				list = append(list, text)
			}
		}
	}
	return list
}

// setOutside says of a claim that agrees which settings that took are none of the
// paper's.
func (t *Table) setOutside(f *Finding, lists ...[]string) {
	if list := slices.Concat(lists...); f.Verdict == agrees && len(list) > 0 {
		slices.Sort(list)
		f.Outside = slices.Compact(list)
		f.Here.Marks = append(f.Here.Marks, t.Note("Outside the settings of the paper: %s.", strings.Join(f.Outside, "; ")))
	}
}

// preferred lists the setups, the main one first.
func (s *stage) preferred() []*Setup {
	if s.main == nil {
		return nil
	}
	return append([]*Setup{s.main}, slices.DeleteFunc(slices.Clone(s.setups), func(o *Setup) bool { return o == s.main })...)
}

// find is the finding about a question: in the main setup, else in the first that has
// it, else with the command that would answer it.
func (s *stage) find(row, group int, claim string) Finding {
	q := s.Rows[row].Questions[group]
	out := Finding{Claim: claim, Table: s.spec.ID(), Paper: s.published(&q), Here: Cell{State: Missing}}
	far := false
	var main *Setup
	for _, setup := range s.preferred() {
		if c := s.in(setup, row, group); c.State == Number {
			out.Here, far = c, setup.reduced()
			s.place(&out, setup)
			out.Here.Marks = append(out.Here.Marks, s.marks(setup, row, group)...)
			main = setup
			break
		}
	}
	if out.Here.State == Missing {
		out.Here = s.notRun(q.System)
	}
	if q.Unlike {
		out.Verdict = noVerdict
		if out.Here.State == Missing {
			out.Verdict = notRun
		}
		return out
	}
	out.setVerdict()
	if main != nil {
		s.t.setOutside(&out, s.outside(main, row, group))
	}
	if far { // the paper's number is not one about such data
		out.Verdict, out.Difference = noVerdict, nil
	}
	return out
}

// notRun is the cell of a system without runs: with the command that adds it to the
// main setup, or where it has no part there one that is alone.
func (s *stage) notRun(m paper.System) Cell {
	if s.main != nil && s.main.takes(m.Label) && s.has(s.main.first().Identity.Preset, s.main.first().Identity.Task, m.Label) &&
		!slices.ContainsFunc(s.main.Runs, func(r results.Run) bool { return m.Is(r.Record) }) {
		return s.fill("Not run. To fill", s.main.command(m.Label))
	}
	return s.fill("Not run. To fill", s.standardCommand(m.Label))
}

func (f *Finding) in(s *Setup) { f.Setup, f.Protocol = s.Title(), s.first().Protocol.Hash }

// place names the setup that a finding is of, in claim and notes where it is not the main one.
func (s *stage) place(f *Finding, setup *Setup) {
	f.in(setup)
	if setup != s.main {
		f.Claim += setup.aside()
		f.Here.Marks = []int{s.t.Note("%s", setup.Note())}
	}
}

// setVerdict sets the verdict of a number, and the difference.
func (f *Finding) setVerdict() {
	switch {
	case f.Here.State != Number:
		f.Verdict = notRun
	case f.Paper.State == Number:
		var d float64
		f.Verdict, d, f.Half = compare(f.Here, f.Paper)
		f.Difference = &d
	}
}

// orderRules say whether the systems of a row are as the paper has them; the first is
// the one that the claim is about.
var orderRules = map[paper.ClaimRule]func([]placed) Verdict{
	paper.SameOrder: ordered, paper.FirstAbove: aboveAll, paper.FirstAlone: alone,
}

// orders are the findings about the order of the systems of a row: in the main setup,
// and in each that has more of them.
func (s *stage) orders(row int, claim string, rule func([]placed) Verdict) []Finding {
	list := []Finding{s.together(s.main, row, claim, rule)}
	for _, setup := range s.fuller(row) {
		list = append(list, s.together(setup, row, claim, rule))
	}
	return list
}

// together is the finding about the order of the systems of a row in a setup. rule
// says whether it agrees; the first system is the one that the paper is about.
func (s *stage) together(setup *Setup, row int, claim string, rule func([]placed) Verdict) Finding {
	out := Finding{Claim: claim, Table: s.spec.ID(), Verdict: notRun, Here: Cell{State: Unknown}}
	var all, run []placed
	var missing, single []string
	var outside [][]string
	for _, group := range s.Rows[row].ByPaper() {
		q := s.Rows[row].Questions[group]
		p := placed{name: q.System.Title, paper: printed(&q)}
		all = append(all, p)
		if setup != nil {
			p.here = s.in(setup, row, group)
		}
		if p.here.State != Number {
			missing = append(missing, p.name)
			continue
		}
		if p.here.N < 2 {
			single = append(single, p.name)
			continue
		}
		run = append(run, p)
		outside = append(outside, s.outside(setup, row, group))
	}
	out.Paper = Words(order(all, func(p placed) Cell { return p.paper }, false))
	out.Systems, out.Of = len(run), len(all)
	if single != nil {
		out.Here.Marks = []int{s.t.Note("One seed decides no order: %s.", strings.Join(single, ", "))}
	}
	if setup == nil || len(run) < 2 {
		if len(run)+len(single) > 1 {
			out.Verdict = oneSeed
		}
		return out
	}
	marks := out.Here.Marks
	out.Here = Words(order(run, func(p placed) Cell { return p.here }, true))
	s.place(&out, setup)
	if missing != nil {
		out.Here.Marks = append(out.Here.Marks, s.t.Note("Not run in this protocol: %s.", strings.Join(missing, ", ")))
	}
	out.Here.Marks = append(out.Here.Marks, marks...)
	if run[0].name != all[0].name { // that which the claim is about
		return out
	}
	if setup.reduced() {
		out.Verdict = noVerdict
		return out
	}
	out.Verdict = rule(run)
	s.t.setOutside(&out, outside...)
	return out
}

// fuller lists the setups other than the main one that have more of the systems than
// those before them: an order there says more, if of smaller data or fewer steps.
func (s *stage) fuller(row int) []*Setup {
	count := func(setup *Setup) int {
		n := 0
		for i, g := range s.Rows[row].ByPaper() {
			there := len(answered(&s.Rows[row].Questions[g], setup.Runs)) > 0
			if i == 0 && !there { // the claim is about the first
				return 0
			}
			if there {
				n++
			}
		}
		return n
	}
	var list []*Setup
	most := 1
	if s.main != nil {
		most = max(most, count(s.main))
	}
	for _, setup := range s.setups {
		if n := count(setup); setup != s.main && n > most {
			list, most = append(list, setup), n
		}
	}
	return list
}

// needed is the finding that MEMO with a part is above MEMO without it, in the first
// setup that has both.
func (s *stage) needed(claim paper.Claim) Finding {
	with, without := claim.Row, claim.Without
	out := Finding{Claim: claim.Text, Table: s.spec.ID(), Verdict: notRun, Here: Cell{State: Unknown}}
	versus := func(a, b Cell) string { return fmt.Sprintf("%.1f %s %.1f", a.Mean, relation(a, b), b.Mean) }
	paperWith, paperWithout := printed(&s.Rows[with].Questions[0]), printed(&s.Rows[without].Questions[0])
	out.Paper = Words(versus(paperWith, paperWithout))
	for _, setup := range s.preferred() {
		a, b := s.in(setup, with, 0), s.in(setup, without, 0)
		if a.State != Number || b.State != Number {
			continue
		}
		out.Here = Words(versus(a, b))
		s.place(&out, setup)
		if claim.Note != "" {
			out.Here.Marks = append(out.Here.Marks, s.t.Note("%s", claim.Note))
		}
		out.Verdict = cmp.Or(map[string]Verdict{">": agrees, "?": undecided}[relation(a, b)], differs)
		s.t.setOutside(&out, s.outside(setup, with, 0), s.outside(setup, without, 0))
		break
	}
	return out
}
