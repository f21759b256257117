package table

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"memobench/report/paper"
	"memobench/report/results"
)

// claimBlock is the block of a table that a claim is about, with its setups.
type claimBlock struct {
	*filler
	*filled
	main *Setup // nil without setups
}

// claimBlock finds the setups of a block. The main one is the first that answers the given
// question, else the first.
func (f *finder) claimBlock(spec *paper.Spec, block, row, group int) claimBlock {
	s := claimBlock{filler: &filler{spec: spec, presets: f.presets, t: f.t}}
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

// runs returns the runs of a question in a setup, and the labels of other variants.
func (s *claimBlock) runs(setup *Setup, row, group int) (runs []results.Run, left []string) {
	q := &s.Rows[row].Questions[group]
	return preferredVariant(q, s.Task, answered(q, setup.Runs))
}

// cell returns the number of a question in a setup, and the settings of its runs that are
// not the paper's.
func (s *claimBlock) cell(setup *Setup, row, group int) (c Cell, outside []string) {
	runs, _ := s.runs(setup, row, group)
	return over(&s.Rows[row].Questions[group], runs), outsideOf(runs)
}

// outsideOf returns the settings of runs that are not the paper's.
func outsideOf(runs []results.Run) (list []string) {
	for _, r := range runs {
		list = results.AddNew(list, paper.Outside(r.Record)...)
	}
	return list
}

// setOutside adds to a finding the settings that are not the paper's.
func (t *Table) setOutside(f *Finding, lists ...[]string) {
	if list := slices.Concat(lists...); len(list) > 0 {
		slices.Sort(list)
		f.Outside = slices.Compact(list)
		f.Here.Marks = append(f.Here.Marks, t.Note("Outside the settings of the paper: %s.", strings.Join(f.Outside, "; ")))
	}
}

// preferred lists the setups, the main one first.
func (s *claimBlock) preferred() []*Setup {
	if s.main == nil {
		return nil
	}
	return append([]*Setup{s.main}, slices.DeleteFunc(slices.Clone(s.setups), func(o *Setup) bool { return o == s.main })...)
}

// find returns the finding about a question: in the main setup, else in the first with a
// number, else with the command that would give it.
func (s *claimBlock) find(row, group int, claim string) Finding {
	q := s.Rows[row].Questions[group]
	out := Finding{Claim: claim, Table: s.spec.ID(), Paper: s.published(&q), Here: Cell{State: Missing}}
	far := false
	var outside []string
	for _, setup := range s.preferred() {
		runs, left := s.runs(setup, row, group)
		if c := over(&q, runs); c.State == Number {
			out.Here, far, outside = c, setup.reduced(), outsideOf(runs)
			s.setSetup(&out, setup)
			out.Here.Marks = append(out.Here.Marks, s.cellMarks(&q, specColumn{group: group, title: q.System.Title}, setup, runs, left)...)
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
	s.t.setOutside(&out, outside)
	if far { // not comparable with the paper's number
		out.Verdict, out.Difference = noVerdict, nil
	}
	return out
}

// notRun returns the cell of a system without runs, with the command that adds it to the
// main setup or, if it does not fit there, to a setup of its own.
func (s *claimBlock) notRun(m paper.System) Cell {
	if s.main != nil && s.main.takes(m.Label) && s.has(s.main.first().Identity.Preset, s.main.first().Identity.Task, m.Label) &&
		!slices.ContainsFunc(s.main.Runs, func(r results.Run) bool { return m.Is(r.Record) }) {
		return s.fill("Not run. To fill", s.main.command(m.Label))
	}
	return s.fill("Not run. To fill", s.ownCommand(s.filled, m.Label))
}

func (f *Finding) setSetup(s *Setup) { f.Setup, f.Protocol = s.Title(), s.first().Protocol.Hash }

// setSetup sets the setup of a finding, and names it in claim and notes if it is not the
// main one.
func (s *claimBlock) setSetup(f *Finding, setup *Setup) {
	f.setSetup(setup)
	if setup != s.main {
		f.Claim += setup.titleSuffix()
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

// orderRules compare the systems of a row with the paper's order. The first system is the
// one that the claim is about.
var orderRules = map[paper.ClaimRule]func([]ranked) Verdict{
	paper.SameOrder: ordered, paper.FirstAbove: aboveAll, paper.FirstAlone: onlyAboveChance,
}

// orders returns the findings about the order of the systems of a row: in the main setup,
// and in each with more of them.
func (s *claimBlock) orders(claim *paper.Claim) []Finding {
	list := []Finding{s.orderIn(s.main, claim)}
	for _, setup := range s.setupsWithMore(claim.Row) {
		list = append(list, s.orderIn(setup, claim))
	}
	return list
}

// orderIn returns the finding about the order of the systems of a row in a setup.
func (s *claimBlock) orderIn(setup *Setup, claim *paper.Claim) Finding {
	row, out := claim.Row, Finding{Claim: claim.Text, Table: s.spec.ID(), Verdict: notRun, Here: Cell{State: Unknown}}
	var all, run []ranked
	var missing, single, infer []string
	var outside, outsideInfer [][]string
	for _, group := range s.Rows[row].ByPaper() {
		q := s.Rows[row].Questions[group]
		p := ranked{name: q.System.Title, paper: printed(&q)}
		all = append(all, p)
		var others []string
		if setup != nil {
			p.here, others = s.cell(setup, row, group)
		}
		switch {
		case p.here.State != Number:
			missing = append(missing, p.name)
		case p.here.N < 2:
			single = append(single, p.name)
			if p.here.Mean-p.here.ofQuestions() > chance+nearChance {
				infer, outsideInfer = append(infer, fmt.Sprintf("%s has %.1f", p.name, p.here.Mean)), append(outsideInfer, others)
			}
		default:
			run, outside = append(run, p), append(outside, others)
		}
	}
	out.Paper = Words(order(all, func(p ranked) Cell { return p.paper }, false))
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
	out.Here = Words(order(run, func(p ranked) Cell { return p.here }, true))
	s.setSetup(&out, setup)
	if missing != nil {
		out.Here.Marks = append(out.Here.Marks, s.t.Note("Not run in this protocol: %s.", strings.Join(missing, ", ")))
	}
	out.Here.Marks = append(out.Here.Marks, marks...)
	if run[0].name != all[0].name { // the claim is about the first
		return out
	}
	if setup.reduced() {
		out.Verdict = noVerdict
		return out
	}
	out.Verdict = orderRules[claim.Rule](run)
	if claim.Rule == paper.FirstAlone && infer != nil { // for which one seed is enough
		out.Verdict, outside = differs, append(outside, outsideInfer...)
		out.Here.Marks = append(out.Here.Marks, s.t.Note("Not near chance, with one seed: %s.", strings.Join(infer, ", ")))
	}
	s.t.setOutside(&out, outside...)
	return out
}

// setupsWithMore lists the setups that have more of the systems than the main one and those
// before them. Their order is more complete, though with smaller data or fewer steps.
func (s *claimBlock) setupsWithMore(row int) []*Setup {
	count := func(setup *Setup) int {
		n := 0
		for i, g := range s.Rows[row].ByPaper() {
			if len(answered(&s.Rows[row].Questions[g], setup.Runs)) > 0 {
				n++
			} else if i == 0 { // the claim is about the first
				return 0
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

// needed returns the finding whether MEMO with a part is above MEMO without it, in the
// first setup with both.
func (s *claimBlock) needed(claim paper.Claim) Finding {
	with, without := claim.Row, claim.Without
	out := Finding{Claim: claim.Text, Table: s.spec.ID(), Verdict: notRun, Here: Cell{State: Unknown}}
	versus := func(a, b Cell) string { return fmt.Sprintf("%.1f %s %.1f", a.Mean, relation(a, b), b.Mean) }
	paperWith, paperWithout := printed(&s.Rows[with].Questions[0]), printed(&s.Rows[without].Questions[0])
	out.Paper = Words(versus(paperWith, paperWithout))
	for _, setup := range s.preferred() {
		a, outsideA := s.cell(setup, with, 0)
		b, outsideB := s.cell(setup, without, 0)
		if a.State != Number || b.State != Number {
			continue
		}
		out.Here = Words(versus(a, b))
		s.setSetup(&out, setup)
		if claim.Note != "" {
			out.Here.Marks = append(out.Here.Marks, s.t.Note("%s", claim.Note))
		}
		out.Verdict = cmp.Or(map[string]Verdict{">": agrees, "?": undecided}[relation(a, b)], differs)
		s.t.setOutside(&out, outsideA, outsideB)
		break
	}
	return out
}
