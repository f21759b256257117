package table

import (
	"cmp"
	"slices"
	"strings"
)

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
		out.Claim += setup.aside()
		out.Here.Marks = []int{s.t.Note("%s", setup.Note())}
	}
	if missing != nil {
		out.Here.Marks = append(out.Here.Marks, s.t.Note("Not run in this protocol: %s.", strings.Join(missing, ", ")))
	}
	if run[0].name != all[0].name { // that which the claim is about
		return out
	}
	if setup.reduced() {
		out.Verdict = NoVerdict
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
