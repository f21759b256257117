package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Finding is a claim of the paper held against what the records show.
type Finding struct {
	Part  string `json:"part"`  // what the claim is about
	Claim string `json:"claim"` // "MEMO, node 1", "order"
	Table string `json:"table"` // ID of the table that has the numbers

	Setup    string `json:"setup,omitempty"`    // steps and data of the runs; empty where there are none, or where they have several
	Protocol string `json:"protocol,omitempty"` // its hash

	Paper      Cell     `json:"paper"`
	Here       Cell     `json:"here"`
	Verdict    Verdict  `json:"verdict"`              // empty where the paper has no number
	Difference *float64 `json:"difference,omitempty"` // measured less published, points
	Systems    int      `json:"systems,omitempty"`    // that a claim about several was judged by
	Of         int      `json:"of,omitempty"`         // that it is about
	Notes      []string `json:"notes,omitempty"`      // what must be known of the numbers
}

// Findings holds the paper's main claims against runs, in a table and as a list. The
// numbers are those of the tables that the claims come from: of the setup nearest to
// the paper that has MEMO; what stands in another one says so, and is put in no order
// with the others.
func Findings(runs []Run, presets ...Preset) (*Table, []Finding) {
	kept, _ := Once(runs)
	f := &finder{kept: kept, presets: presets, t: &Table{
		ID: "findings", Title: "Findings: what the paper claims, and what the records show; accuracy, %", Corner: "claim of the paper",
		Groups: []Group{
			{Title: "paper", Columns: []Column{{Role: Published}}}, {Title: "here", Columns: []Column{{Role: Measured}}},
			{Title: "verdict", Columns: []Column{{Role: Judged}}},
		},
		Remarks: []string{
			fmt.Sprintf("agrees: within %g points of the paper's number, or, by sd, no farther from it than both standard deviations together (0 where there is none). "+
				"Else higher or lower, with the difference in points. Here: mean ± sample standard deviation (n seeds).", within),
			"order: > where two systems lie farther apart than that, ≈ where they do not. It agrees where every two systems that were run lie as in the paper; " +
				"two that are the same there may lie apart in the paper's order. Only runs of one protocol are put in order.",
			fmt.Sprintf("near chance: within %g points of %g %%, guessing between the two items of a query.", nearChance, chance),
			fmt.Sprintf("hops adapt: they rise from the shortest chain to the longest by more than %g and never fall, among lengths whose hardest query is not near chance.", leastRise),
			"Of several variants of a system, that of its own name counts, else that with the lowest loss by the paper's rule; of several settings of halting, those with the lowest; never by the accuracy shown. " +
				"Of several protocols: data of the paper's sizes first, then presets as they are, then the most steps.",
		},
	}}
	f.inference()
	f.halting()
	f.paths()
	f.ablations()
	return f.t, f.list
}

// finder collects findings.
type finder struct {
	kept    []Run
	presets []Preset
	t       *Table
	list    []Finding
}

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
	for _, setup := range s.preferred() {
		if c := s.in(setup, row, group); c.State == Number {
			out.in(setup)
			out.Here = c
			if setup != s.main {
				out.Claim += ": " + setup.Title()
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
	return out
}

// notRun is the cell of a system without runs: with the command that adds it to the
// main setup, or where it has no part there one that stands alone.
func (s *stage) notRun(m System) Cell {
	if s.main != nil && s.main.takes(m.Label) && s.has(s.main.first().Identity.Preset, s.main.first().Identity.Task, m.Label) &&
		!slices.ContainsFunc(s.main.Runs, func(r Run) bool { return m.Is(r.Record) }) {
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

// section adds findings under a title, with the setup that they are of where it is
// one.
func (f *finder) section(part string, main *Setup, list []Finding) {
	section := Section{Title: part}
	if main != nil {
		section.Title += ": " + main.Title()
		section.Marks = []int{f.t.Note("%s", main.Note())}
	}
	for i := range list {
		x := &list[i]
		x.Part = part
		verdict := Cell{State: Unknown}
		if words := x.text(); words != "" {
			verdict = Cell{State: Text, Words: words}
		}
		section.Rows = append(section.Rows, Row{Label: x.Claim, Cells: []Cell{x.Paper, x.Here, verdict}})
		for _, c := range []*Cell{&x.Paper, &x.Here} {
			for _, m := range c.Marks {
				x.Notes = append(x.Notes, f.t.Notes[m-1])
			}
			c.Marks = nil // of the table
		}
	}
	f.t.Sections = append(f.t.Sections, section)
	f.list = append(f.list, list...)
}

// orders are the findings about the order of the systems of a row: in the main setup,
// and in each that has more of them.
func (s *stage) orders(row int, claim string, judged func([]placed) bool) []Finding {
	list := []Finding{s.together(s.main, row, claim, judged)}
	for _, setup := range s.fuller(row) {
		list = append(list, s.together(setup, row, claim, judged))
	}
	return list
}

// together is the finding about the order of the systems of a row in a setup. judged
// says whether it agrees; the first system is the one that the paper is about.
func (s *stage) together(setup *Setup, row int, claim string, judged func([]placed) bool) Finding {
	out := Finding{Claim: claim, Table: s.spec.ID(), Verdict: NotRun, Here: Cell{State: Unknown}}
	var all, run []placed
	var missing []string
	for _, group := range s.byPaper(row) {
		q := s.Rows[row].Questions[group]
		p := placed{name: q.System.Title, paper: q.printed()}
		all = append(all, p)
		if setup != nil {
			p.here = s.in(setup, row, group)
		}
		if p.here.State != Number {
			missing = append(missing, p.name)
			continue
		}
		run = append(run, p)
	}
	out.Paper = Cell{State: Text, Words: order(all, func(p placed) Cell { return p.paper }, false)}
	out.Systems, out.Of = len(run), len(all)
	if setup == nil || len(run) < 2 {
		return out
	}
	out.in(setup)
	out.Here = Cell{State: Text, Words: order(run, func(p placed) Cell { return p.here }, true)}
	if setup != s.main {
		out.Claim += ": " + setup.Title()
		out.Here.Marks = []int{s.t.Note("%s", setup.Note())}
	}
	if missing != nil {
		out.Here.Marks = append(out.Here.Marks, s.t.Note("Not run in this protocol: %s.", strings.Join(missing, ", ")))
	}
	if run[0].name != all[0].name { // that which the claim is about
		return out
	}
	out.Verdict = Differs
	if judged(run) {
		out.Verdict = Agrees
	}
	return out
}

// byPaper lists the groups whose numbers the paper prints in a row and that can be
// compared, the highest first.
func (s *stage) byPaper(row int) []int {
	questions := s.Rows[row].Questions
	var groups []int
	for g, q := range questions {
		if q.Published && !q.Unlike {
			groups = append(groups, g)
		}
	}
	slices.SortStableFunc(groups, func(a, b int) int {
		return cmp.Compare(questions[b].Paper.Mean, questions[a].Paper.Mean)
	})
	return groups
}

// fuller lists the setups other than the main one that have more of the systems than
// those before them: an order there says more, if of smaller data or fewer steps.
func (s *stage) fuller(row int) []*Setup {
	count := func(setup *Setup) int {
		n := 0
		for i, g := range s.byPaper(row) {
			there := len(s.Rows[row].Questions[g].answered(setup.Runs)) > 0
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
