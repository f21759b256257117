package table

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"memobench/benchmarks/record"
	"memobench/report/paper"
	"memobench/report/results"
)

// halted has the hops and the accuracy at one length.
type halted struct {
	name           string
	hops, accuracy Cell
	most           string // maximum number of hops
	distance       int    // of the data from the paper's
	outside        []string
}

// halting returns the findings about the number of hops with one way of halting.
func (f *finder) halting(c *paper.ClaimSection) []Finding {
	way := c.Row
	var list []Finding
	var at []halted
	for i, l := range c.Halting {
		s := f.claimBlock(&c.Spec, i, way, 0)
		hops, accuracy := s.halted(way, l)
		list = append(list, hops, accuracy, s.byQuery(way, l.Name, l.Query))
		if setup, runs := s.chosenSettings(way); runs != nil {
			at = append(at, halted{l.Name, hops.Here, accuracy.Here, settingOf(&s.Rows[way].Questions[paper.HaltingMost], runs).Words, setup.distance(), outsideOf(runs)})
		}
	}
	return append(list, f.adapts(c, at))
}

// halted returns the findings about a way of halting at one length: hops, and accuracy on
// the hardest query, with the paper's if it has one.
func (s *claimBlock) halted(way int, l paper.HaltingLength) (hops, accuracy Finding) {
	hops = Finding{Claim: l.Name + ", hops", Table: s.spec.ID(), Paper: Cell{State: Unknown}, Here: Cell{State: Missing}}
	accuracy = Finding{Claim: l.Name + ", " + l.Query, Table: s.spec.ID(), Paper: Cell{State: Unknown}, Here: Cell{State: Missing}}
	if l.Paper != nil {
		accuracy.Paper = printed(l.Paper)
	}
	setup, runs := s.chosenSettings(way)
	if runs == nil {
		fill := s.fill("Not run. To fill", s.ownCommand(s.filled, s.Rows[way].Questions[0].System.Label))
		hops.Here, accuracy.Here, hops.Verdict, accuracy.Verdict = fill, fill, notRun, notRun
		return hops, accuracy
	}
	for i, out := range []*Finding{paper.HaltingAccuracy: &accuracy, paper.HaltingHops: &hops} {
		q := s.Rows[way].Questions[i]
		out.setSetup(setup)
		out.Claim += setup.titleSuffix()
		out.Here = over(&q, runs)
		out.Here.Marks = s.haltingMarks(way, i, setup, runs)
		out.setVerdict()
		s.t.setOutside(out, outsideOf(runs))
		if i == paper.HaltingAccuracy {
			out.Here.Marks = append(out.Here.Marks, s.nearer(&q, runs)...)
		}
		if setup.reduced() { // as in find
			out.Verdict, out.Difference = noVerdict, nil
		}
	}
	return hops, accuracy
}

// chosenSettings returns the runs of a way of halting with the settings that have the
// lowest mean loss, by which the paper chose among its settings, and their setup.
func (s *claimBlock) chosenSettings(way int) (*Setup, []results.Run) {
	if s.main == nil {
		return nil, nil
	}
	q := &s.Rows[way].Questions[paper.HaltingAccuracy]
	list := settingsOf(answered(q, s.main.Runs))
	if len(list) == 0 {
		return nil, nil
	}
	return s.main, slices.MinFunc(list, func(a, b []results.Run) int { return cmp.Compare(meanLoss(s.Task, a), meanLoss(s.Task, b)) })
}

// nearer notes what the settings have that are nearer to the paper's than those of the
// chosen runs, which have a lower loss.
func (s *claimBlock) nearer(q *paper.Question, chosen []results.Run) []int {
	var notes []string
	for _, other := range settingsOf(answered(q, s.main.Runs)) {
		if len(outsideOf(other)) < len(outsideOf(chosen)) {
			_, settings := results.ModelDifferences(chosen[0].Record, other[0].Record)
			notes = append(notes, fmt.Sprintf("Nearer to the paper's settings, at a higher loss: %s has %s.", results.Listed(settings), over(q, other)))
		}
	}
	return s.t.marks(notes)
}

// adapts returns the finding whether hops rise with the length of chains.
func (f *finder) adapts(c *paper.ClaimSection, at []halted) Finding {
	out := Finding{Claim: "hops adapt to the length", Table: c.Spec.ID(), Paper: Words("they do"), Here: Cell{State: Unknown},
		Verdict: notRun, Systems: len(at), Of: len(c.Halting)}
	if len(at) < 2 {
		return out
	}
	var words, most, left []string
	var counted []float64
	var ends []Cell // hops of the lengths counted
	var outside [][]string
	nearest := slices.MinFunc(at, func(a, b halted) int { return cmp.Compare(a.distance, b.distance) }).distance
	for _, l := range at {
		word := fmt.Sprintf("%.2f", l.hops.Mean)
		switch {
		case l.distance > nearest:
			left, word = append(left, l.name+", of smaller data"), "("+word+")"
		case guesses(l.accuracy):
			left, word = append(left, l.name+", near chance"), "("+word+")"
		default:
			counted, ends, outside = append(counted, l.hops.Mean), append(ends, l.hops), append(outside, l.outside)
		}
		words, most = append(words, word), append(most, l.most)
	}
	out.Systems = len(counted)
	out.Here = Cell{State: Text, Words: strings.Join(words, ", "), Marks: []int{f.t.Note("Each length is a protocol of its own; hops at most: %s.", strings.Join(most, ", "))}}
	if left != nil {
		out.Here.Marks = append(out.Here.Marks, f.t.Note("In brackets and not counted: %s.", strings.Join(left, "; ")))
	}
	out.Verdict = differs
	if n := len(counted); n > 1 && slices.IsSorted(counted) {
		out.Verdict = rises(ends[n-1], ends[0])
		f.t.setOutside(&out, outside...)
	}
	return out
}

// byQuery returns the finding whether runs of one length take more hops for the hardest
// query than for those that one memory row answers. The paper's abstract claims a variable
// number of hops before an answer, without numbers.
func (s *claimBlock) byQuery(way int, name, query string) Finding {
	out := Finding{Claim: name + ", hops adapt to the query", Table: s.spec.ID(), Paper: Words("they vary"), Here: Cell{State: Unknown}, Verdict: notRun}
	setup, runs := s.chosenSettings(way)
	if len(runs) == 0 {
		return out
	}
	out.setSetup(setup)
	out.Verdict = noVerdict
	q := s.Rows[way].Questions
	known := answered(&q[paper.HaltingDirect], answered(&q[paper.HaltingHardest], runs))
	if len(known) == 0 {
		out.Here.Marks = []int{s.t.Note("These records do not tell the hops of each query.")}
		return out
	}
	easy, hard := over(&q[paper.HaltingDirect], known), over(&q[paper.HaltingHardest], known)
	out.Here = Cell{State: Text, Words: fmt.Sprintf("%.2f, %.2f", easy.Mean, hard.Mean),
		Marks: append([]int{s.t.Note("Direct: %s; %s: %s.", easy, query, hard)}, s.haltingMarks(way, paper.HaltingHardest, setup, known)...)}
	switch {
	case guesses(over(&q[paper.HaltingAccuracy], known)):
		out.Here.Marks = append(out.Here.Marks, s.t.Note("%s near chance: whether it needs more hops is not known.", query))
	default:
		rise := q[paper.HaltingHardest]
		rise.Value = func(r *record.Record) (float64, bool) {
			hard, ok1 := q[paper.HaltingHardest].Value(r)
			easy, ok2 := q[paper.HaltingDirect].Value(r)
			return hard - easy, ok1 && ok2
		}
		out.Verdict = rises(over(&rise, known), Cell{State: Number})
		s.t.setOutside(&out, outsideOf(known))
	}
	return out
}

// rises reports whether hops rise by more than minRise, with the whole interval of the
// difference.
func rises(to, from Cell) Verdict {
	half := 0.0
	for _, c := range []Cell{to, from} {
		h, known := c.HalfWidth()
		if !known && c.N > 0 {
			return oneSeed
		}
		half = math.Hypot(half, h)
	}
	switch d := to.Mean - from.Mean; {
	case d-half > minRise:
		return agrees
	case d+half <= minRise:
		return differs
	}
	return undecided
}

// haltingMarks returns the footnotes of a number of Table B: its setup, and those of its
// runs.
func (s *claimBlock) haltingMarks(way, column int, setup *Setup, runs []results.Run) []int {
	q := &s.Rows[way].Questions[column]
	alone := &Setup{Task: setup.Task, Changes: runs[0].Record.Identity.Overrides, Runs: runs}
	note := s.t.Note("%s", alone.Note())
	return append([]int{note}, s.cellMarks(q, specColumn{group: column, title: q.System.Title}, alone, runs, nil)...)
}

// minRise is the minimum rise of hops from the shortest chain to the longest, or from
// direct queries to the hardest.
const minRise = 0.1
