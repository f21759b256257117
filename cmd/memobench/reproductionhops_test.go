package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"memobench/benchmarks/record"
)

// halting are the recorded ways of MEMO to halt, by title.
var halting = []struct {
	title, label string
	overrides    []string
}{
	{"fixed", "memo", nil},
	{"REINFORCE, gamma 0.9, beta 1e-3", "memo-reinforce", nil},
	{"REINFORCE, gamma 1, beta 1e-3", "memo-reinforce", []string{"model.gamma=1"}},
	{"REINFORCE, gamma 0.9, beta 1e-2", "memo-reinforce", []string{"model.beta=1e-2"}},
	{"REINFORCE, gamma 1, beta 1e-2", "memo-reinforce", []string{"model.gamma=1", "model.beta=1e-2"}},
	{"ACT, ponder cost 0.01", "memo-act", nil},
}

// hopsTable is how many hops MEMO takes when it learns that, and what it answers.
func hopsTable(t *testing.T, runs []recordedRun) string {
	var b strings.Builder
	b.WriteString("| Halting | 3: hops | A-C | 4: hops | A-D | 5: hops | A-E |\n|---|---|---|---|---|---|---|\n")
	for _, h := range halting {
		fmt.Fprintf(&b, "| %s |", h.title)
		for _, q := range [][2]string{{"pai3", "A-C"}, {"pai4", "A-D"}, {"pai5", "A-E"}} {
			list := pick(runs, q[0], h.label, h.overrides...)
			fmt.Fprintf(&b, " %s | %s |", spread(hopsOf(list)), on(t, list, q[1]))
		}
		b.WriteString("\n")
	}
	return b.String()
}

// hopsOf are the mean numbers of hops of runs.
func hopsOf(runs []recordedRun) (list []float64) {
	for _, r := range runs {
		list = append(list, *r.Evaluation.Hops)
	}
	return list
}

// pathHopsTable is how many hops are taken on shortest paths, and how many paths are
// right.
func pathHopsTable(t *testing.T, runs []recordedRun) string {
	var b strings.Builder
	b.WriteString("| Hops | 10-2-2: hops | path | 20-3-3: hops | path | 20-5-3: hops | path |\n|---|---|---|---|---|---|---|\n")
	for _, h := range []struct {
		title, label string
		overrides    []string
	}{
		{"MEMO, fixed", "memo", nil},
		{"MEMO, REINFORCE, gamma 0.9, beta 1e-3", "memo-reinforce", nil},
		{"MEMO, ACT, ponder cost 0.01", "memo-act", nil},
		{"EMN, 4", "emn", nil},
		{"EMN, 10", "emn", []string{"model.hops=10"}},
	} {
		fmt.Fprintf(&b, "| %s |", h.title)
		for _, task := range []string{"sp10-2-2", "sp20-3-3", "sp20-5-3"} {
			list := pick(runs, task, h.label, h.overrides...)
			fmt.Fprintf(&b, " %s | %s |", spread(hopsOf(list)), on(t, list, "path"))
		}
		b.WriteString("\n")
	}
	return b.String()
}

// kindsTable is how many hops queries take by the number of facts that they join, where
// hops are learned and were counted by kind of query.
func kindsTable(t *testing.T, runs []recordedRun) string {
	const most = 4 // facts that a query joins
	var b strings.Builder
	b.WriteString("| Halting | Chains of | Seeds | 1 fact | 2 facts | 3 facts | 4 facts |\n|---|---|---|---|---|---|---|\n")
	for _, h := range halting[1:] {
		for i, task := range []string{"pai3", "pai4", "pai5"} {
			list := pick(runs, task, h.label, h.overrides...)
			if !slices.ContainsFunc(list, counted) {
				continue // not run, or before hops were counted by kind
			}
			fmt.Fprintf(&b, "| %s | %d | %d |", h.title, 3+i, len(list))
			for facts := 1; facts <= most; facts++ {
				if hops, ok := hopsOn(t, list, facts); ok {
					fmt.Fprintf(&b, " %.2f |", hops)
				} else {
					b.WriteString(" – |")
				}
			}
			b.WriteString("\n")
		}
	}
	return b.String()
}

// counted reports whether a run's hops were counted by kind of query.
func counted(r recordedRun) bool {
	_, ok := record.Hops.Value(r.Record, 0)
	return ok
}

// hopsOn returns the mean number of hops over runs and kinds of query that join so many
// facts, as B-D joins two, and whether there are such kinds.
func hopsOn(t *testing.T, runs []recordedRun, facts int) (mean float64, ok bool) {
	t.Helper()
	n := 0
	for _, r := range runs {
		for i, k := range r.Evaluation.Kinds {
			if int(k.Name[2])-int(k.Name[0]) != facts {
				continue
			}
			hops, has := record.Hops.Value(r.Record, i)
			if !has {
				t.Errorf("%s: hops on %s are not counted", r.dir, k.Name)
			}
			mean += hops
			n++
		}
	}
	return mean / float64(max(n, 1)), n > 0
}
