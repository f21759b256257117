package table

import (
	"slices"

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
func (f *finder) stage(spec *Spec, block, row, group int) stage {
	s := stage{filler: &filler{spec: spec, presets: f.presets, t: f.t}}
	chosen := s.choose(spec.Blocks[block], f.kept)
	s.filled = &chosen
	q := &chosen.Rows[row].Questions[group]
	for _, setup := range chosen.setups {
		if len(q.answered(setup.Runs)) > 0 {
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
	runs, _ := q.likeliest(s.Task, q.answered(setup.Runs))
	return q.over(runs)
}

// marks are those of such a number.
func (s *stage) marks(setup *Setup, row, group int) []int {
	q := s.Rows[row].Questions[group]
	runs, left := q.likeliest(s.Task, q.answered(setup.Runs))
	return s.cellMarks(&q, specColumn{group: group, title: q.System.Title}, setup, runs, left)
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
	for _, setup := range s.preferred() {
		if c := s.in(setup, row, group); c.State == Number {
			out.in(setup)
			out.Here, far = c, setup.reduced()
			if setup != s.main {
				out.Claim += setup.aside()
				out.Here.Marks = []int{s.t.Note("%s", setup.Note())}
			}
			out.Here.Marks = append(out.Here.Marks, s.marks(setup, row, group)...)
			break
		}
	}
	if out.Here.State == Missing {
		out.Here = s.notRun(q.System)
	}
	if q.Unlike {
		out.Verdict = NoVerdict
		if out.Here.State == Missing {
			out.Verdict = NotRun
		}
		return out
	}
	out.judge()
	if far { // the paper's number is not one about such data
		out.Verdict, out.Difference = NoVerdict, nil
	}
	return out
}

// notRun is the cell of a system without runs: with the command that adds it to the
// main setup, or where it has no part there one that stands alone.
func (s *stage) notRun(m System) Cell {
	if s.main != nil && s.main.takes(m.Label) && s.has(s.main.first().Identity.Preset, s.main.first().Identity.Task, m.Label) &&
		!slices.ContainsFunc(s.main.Runs, func(r results.Run) bool { return m.Is(r.Record) }) {
		return s.fill("Not run. To fill", s.main.command(m.Label))
	}
	return s.fill("Not run. To fill", s.standardCommand(m.Label))
}

func (f *Finding) in(s *Setup) { f.Setup, f.Protocol = s.Title(), s.first().Protocol.Hash }

// judge sets the verdict of a number, and the difference.
func (f *Finding) judge() {
	f.Verdict = judge(f.Here, f.Paper)
	if f.Here.State == Number && f.Paper.State == Number {
		d := f.Here.Mean - f.Paper.Mean
		f.Difference = &d
	}
}
