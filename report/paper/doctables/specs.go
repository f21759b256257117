package doctables

import (
	"fmt"
	"slices"

	"memobench/benchmarks/record"
	"memobench/report/paper"
	"memobench/report/table"
)

// specs are the tables, in the order of the documents.
var specs = []spec{
	{"hardest", " | Steps | MEMO | paper | EMN | paper | DNC | paper | UT | paper", hardest},
	{"pai", "Query | MEMO | paper | EMN | paper | DNC | paper | UT | paper", queries},
	{"choices", "Query, 2AFC | MEMO | EMN | DNC | UT", choices},
	{"learning", learningHead, atPaperSize},
	{"hops", "Halting | 3: hops | 3: A-C | 4: hops | 4: A-D | 5: hops | 5: A-E", hops},
	{"kinds", "Halting | Chains of | Seeds | 1 fact | 2 facts | 3 facts | 4 facts", hopsByFacts},
	{"search", "Learning rate | Hops | Lowest validation loss, nats, of seeds 0, 1, 2 | A-C on validation, at the end | A-C on test", search},
	{"orders", "Rows | Items of a row | Steps | A-C, MEMO | A-C, MEMO without W_h", orders},
	{"ablations", "MEMO, chains of 3 | A-B | B-C | A-C | A-C in the paper", ablations},
	{"paths", "Graph, node | MEMO, paper's width | MEMO, smaller | paper | EMN | paper | DNC | paper | UT | paper", paths},
	{"softmax-paths", "Graph, node | MEMO, softmax | MEMO, half of its heads linear | EMN, softmax | EMN, linear", softmaxPaths},
	{"path-sizes", "Graph | Heads | Rate | Batches of | Steps | Node 1 | lowest loss | Node 2 | lowest loss", pathSizes},
	{"path-dnc", "Graph | Read heads | Pondering steps | Rate | Steps | Node 1 | Node 2", pathDNC},
	{"path-curricula", "Graph | Model | Learned first | Steps | CPU minutes | Node 1 | Node 2", pathCurricula},
	{"path-hops", "Hops | 10-2-2: hops | 10-2-2: paths | 20-3-3: hops | 20-3-3: paths | 20-5-3: hops | 20-5-3: paths", pathHops},
	{"path-variants", "Graph | Names of nodes | Shortest paths | Heads | Rate | Batches of | Steps | " +
		"Node 1 | on any path | ceiling | Node 2 | on any path | ceiling", pathVariants},
	{"fair", "Model | Settings | A-C over the settings | Chosen by validation loss | A-C of the chosen one | CPU minutes, all runs", fair("fair", "pai3", (*record.Record).ValidationLoss, table.MeanOn(record.Accuracy, "A-C"))},
	{"fair-paths", "Model | Settings | Paths right over the settings | Chosen by training loss | Paths right of the chosen one | CPU minutes, all runs", fair("fair", "sp10-2-2", (*record.Record).TrainingLoss, table.MeanOn(record.Accuracy, "path"))},
	{"babi-scale", "Model | A third: mean error, % | That of the search | Three times", suiteScales},
	{"fair-babi", "Model | Settings | Mean error over the settings, % | Chosen by validation loss | Mean error of the chosen one, % | CPU minutes, all runs", fair("fair-babi", "babi", (*record.Record).ValidationLoss, suiteErrorOf)},
	{"chains-of-4", "Chains of 4 | Steps | CPU minutes | A-B | A-C | B-D | A-D", onFour},
	{"longer-chains", "Trained on chains of 3 | Hops | 3: direct | 3: 2 facts | 4: 3 facts | 5: 4 facts | 6: 5 facts | 8: 7 facts", generalized("pai3", "length", "3",
		asked{"3", "direct"}, asked{"3", "2 facts"}, asked{"4", "3 facts"}, asked{"5", "4 facts"}, asked{"6", "5 facts"}, asked{"8", "7 facts"})},
	{"fuller-memories", "Trained with 8 sequences | Hops | 8: A-C | 12 | 16 | 24 | 30", generalized("pai3", "sequences", "8",
		asked{"8", "2 facts"}, asked{"12", "2 facts"}, asked{"16", "2 facts"}, asked{"24", "2 facts"}, asked{"30", "2 facts"})},
	{"memory-cost", "Million operations for a question | 16 rows | 24 | 32 | 48 | 60 | Times as many for 3.75 times the rows", memoryCost},
	{"large-memories", "Trained with 16 sequences | Hops | 16: A-C | 32 | 64 | 128", generalized("pai3", "sequences", "16",
		asked{"16", "2 facts"}, asked{"32", "2 facts"}, asked{"64", "2 facts"}, asked{"128", "2 facts"})},
	{"haystack", "bAbI, distractors | Hops | 0 | 2 | 5 | 10 | 20 | 50", generalized("babi", "distractors", "0",
		asked{"0", "mean of 20"}, asked{"2", "mean of 20"}, asked{"5", "mean of 20"}, asked{"10", "mean of 20"}, asked{"20", "mean of 20"}, asked{"50", "mean of 20"})},
	{"held-out", "bAbI, 8 tasks | Mary and office: not in training | Mary and office: in training | John and milk: not in training | John and milk: in training | All questions: without them in training | All questions: with them", heldOut},
	{"unseen-classes", "Trained on 100 classes | Hops | 0 % of unseen classes: A-C | 50 % | 100 %", generalized("pai3-embeddings", "unseen", "0",
		asked{"0", "2 facts"}, asked{"50", "2 facts"}, asked{"100", "2 facts"})},
	{"other-graphs", "Trained on 10-2-2, nodes | Hops | 8 | 9 | 10 | 11 | 12", generalized("sp10-2-2", "nodes", "10",
		asked{"8", "node 1"}, asked{"9", "node 1"}, asked{"10", "node 1"}, asked{"11", "node 1"}, asked{"12", "node 1"})},
	{"other-degrees", "Trained on 10-2-2, edges from a node | Hops | 2 | 3 | 4", generalized("sp10-2-2", "degree", "2",
		asked{"2", "node 1"}, asked{"3", "node 1"}, asked{"4", "node 1"})},
	{"longer-paths", "Trained on 10-2-2, edges of a path | Hops | 2: node 1 | 3 | 4", generalized("sp10-2-2", "length", "2",
		asked{"2", "node 1"}, asked{"3", "node 1"}, asked{"4", "node 1"})},
	{"longer-paths-20", "Trained on 20-3-3, edges of a path | Hops | 3: node 1 | 4 | 5 | 3: node 2 | 4 | 5", generalized("sp20-3-3", "length", "3",
		asked{"3", "node 1"}, asked{"4", "node 1"}, asked{"5", "node 1"}, asked{"3", "node 2"}, asked{"4", "node 2"}, asked{"5", "node 2"})},
	{"other-graphs-20", "Trained on 20-3-3, nodes | Hops | 16: node 1 | 20 | 24 | 30", generalized("sp20-3-3", "nodes", "20",
		asked{"16", "node 1"}, asked{"20", "node 1"}, asked{"24", "node 1"}, asked{"30", "node 1"})},
	{"other-degrees-20", "Trained on 20-3-3, edges from a node | Hops | 3: node 1 | 4 | 5", generalized("sp20-3-3", "degree", "3",
		asked{"3", "node 1"}, asked{"4", "node 1"}, asked{"5", "node 1"})},
	{"equal-time", "Task | Model | After 1 CPU minute | After 5 | After 20 | At the end | Last fifth | CPU minutes | To the paper's number", equalTime},
	{"effort", "Task | MEMO | EMN | DNC | UT", effort},
	{"controls", "Query | Majority answer | Question only | Nearest row | Source only | Destination only", controls},
	{"small", learningHead, atSmallSize},
	{"babi", "bAbI, 20 tasks" + suiteHead, suite},
	{"babi-tasks", "bAbI, task | MEMO | paper | UT | EMN | DNC", suiteTasks},
	{"babi-alone", "bAbI, task | MEMO, this task alone | Steps without softmax | CPU minutes | All tasks jointly | paper", suiteAlone},
	{"babi-mixtures", "bAbI | Steps | Adaptive mixture: mean error, % | Solved by each seed | Uniform mixture: mean error, % | Solved | Its lowest tasks", suiteMixtures},
	{"babi-parts", "MEMO, bAbI" + suiteHead, suiteParts},
	{"other-tasks", "MEMO on | Steps | CPU minutes | Accuracy, %", otherTasks},
}

const suiteHead = " | Steps | Epochs | CPU minutes | Mean error, % | paper | Solved (above 95 %) by each seed | paper | Lowest tasks"

const learningHead = "PAI, chains of 3 | Steps | Seeds | Hops | A-B | B-C | A-C | A-C above 95 % from step"

// atPaperSize compares how long the networks take to learn.
func atPaperSize(s *source) []table.Row {
	return []table.Row{
		s.learning("MEMO", s.need("pai3", "memo")),
		s.learning("DNC", append(s.need("pai3", "dnc"), s.at("standard/pai3-dnc-1", "standard/pai3-dnc-2")...)),
		s.learning("UT", s.need("pai3", "ut")),
		s.learning("UT without position codes and dropout, 4 recurrent steps, attention of 128, rate 1e-3", s.at("standard/pai3-ut-plain", "standard/pai3-ut-plain-1", "standard/pai3-ut-plain-2")),
		s.learning("UT from a neutral start", s.at("standard/pai3-ut-neutral")),
		s.learning("the same, 2 recurrent steps, rate 1e-3", s.at("standard/pai3-ut-neutral-2")),
		s.learning("EMN, 4 hops", s.need("pai3", "emn4")),
		s.learning("EMN, 4 hops, longer", s.at("standard/pai3-emn4-40000")),
		s.learning("EMN, 4 hops of width 128, rate 3e-3, gradients clipped at 10, longer", s.at(seeds("standard/pai3-emn4-fast-%d", 3)...)),
		s.learning("the same, longer", s.at(seeds("standard/pai3-emn4-long-%d", 3)...)),
	}
}

func atSmallSize(s *source) (rows []table.Row) {
	for _, x := range []struct {
		title string
		dirs  []string
	}{
		{"MEMO, 3 hops (as in `quick`)", []string{"small/memo-0"}},
		{"MEMO that learns when to halt: the paper's policy", []string{"small/memo-reinforce-0", "small/memo-reinforce-1", "small/memo-reinforce-2"}},
		{"the same by adaptive computation time, ponder cost 0.01", []string{"small/memo-act-0", "small/memo-act-1", "small/memo-act-2"}},
		{"the same without ponder cost", []string{"small/memo-act-free-0"}},
		{"the same, its halting network ten times faster", []string{"small/memo-act-fast-0"}},
		{"UT, 4 steps", []string{"small/ut4-0"}},
		{"UT, 4 steps, dropout 0.1", []string{"small/ut4-dropout-0"}},
		{"DNC, 192 units, 1 pondering step", []string{"small/dnc-ponder1-0"}},
		{"DNC, 128 units, no pondering step", []string{"small/dnc-0"}},
		{"the same with neutral initial values", []string{"small/dnc-neutral-0"}},
		{"EMN, 4 hops", []string{"small/emn4-20000"}},
	} {
		rows = append(rows, s.learning(x.title, s.at(x.dirs...)))
	}
	return rows
}

// way is a way of halting.
type way struct {
	title, label string
	overrides    []string
}

// haltings are the recorded ways of MEMO to halt; the first is none.
var haltings = []way{
	{"fixed", "memo", nil},
	{"REINFORCE, gamma 0.9, beta 1e-3", "memo-reinforce", nil},
	{"REINFORCE, gamma 1, beta 1e-3", "memo-reinforce", []string{"model.gamma=1"}},
	{"REINFORCE, gamma 0.9, beta 1e-2", "memo-reinforce", []string{"model.beta=1e-2"}},
	{"REINFORCE, gamma 1, beta 1e-2", "memo-reinforce", []string{"model.gamma=1", "model.beta=1e-2"}},
	{"ACT, ponder cost 0.01", "memo-act", nil},
	{"PonderNet, prior of weight 0.05", "memo-ponder", nil},
}

// hops is how many hops MEMO takes when it learns that, and what it answers.
func hops(s *source) []table.Row {
	return s.byWay(haltings, [][2]string{{"pai3", "A-C"}, {"pai4", "A-D"}, {"pai5", "A-E"}})
}

// pathHops is how many hops are taken on shortest paths, and how many paths are right.
func pathHops(s *source) []table.Row {
	return s.byWay([]way{
		{"MEMO, fixed", "memo", nil},
		{"MEMO, REINFORCE, gamma 0.9, beta 1e-3", "memo-reinforce", nil},
		{"MEMO, ACT, ponder cost 0.01", "memo-act", nil},
		{"EMN, 4", "emn", nil},
		{"EMN, 10", "emn", []string{"model.hops=10"}},
	}, [][2]string{{"sp10-2-2", "path"}, {"sp20-3-3", "path"}, {"sp20-5-3", "path"}})
}

// byWay are hops and accuracy on a kind of question of each task.
func (s *source) byWay(ways []way, tasks [][2]string) (rows []table.Row) {
	for _, w := range ways {
		r := row(w.title)
		for _, q := range tasks {
			list := s.pick(q[0], w.label, w.overrides...)
			r.Cells = append(r.Cells, list.hops(), list.on(q[1]))
		}
		rows = append(rows, r)
	}
	return rows
}

// hopsByFacts is how many hops queries take by the number of facts that they join, where
// hops are learned and were counted by kind of query.
func hopsByFacts(s *source) (rows []table.Row) {
	for _, h := range haltings[1:] {
		for i, c := range chains {
			list := s.pick(c.task, h.label, h.overrides...)
			if list.values(func(r *record.Record) (float64, bool) { return record.Hops.Value(r, 0) }) == nil {
				continue // not run, or before hops were counted by kind
			}
			r := row(h.title, 3+i, len(list))
			for facts := 1; facts <= 4; facts++ {
				r.Cells = append(r.Cells, list.hopsOn(facts))
			}
			rows = append(rows, r)
		}
	}
	return rows
}

// hopsOn is the mean number of hops over runs and kinds of query that join so many
// facts, as B-D joins two.
func (list runs) hopsOn(facts int) table.Cell {
	return plain(list.to(2, func(r *record.Record) (float64, bool) {
		sum, n := 0.0, 0.0
		for i, k := range r.Evaluation.Kinds {
			if v, ok := record.Hops.Value(r, i); ok && paper.Facts(k.Name) == facts {
				sum, n = sum+v, n+1
			}
		}
		return sum / n, n > 0
	}))
}

// controls is what can be answered without solving a task.
func controls(s *source) (rows []table.Row) {
	general := []string{"majority", "control", "nearest-row"}
	add := func(title, dir string, value func(runs) table.Cell, models ...string) {
		r := row(title)
		for _, m := range models {
			r.Cells = append(r.Cells, value(s.at(dir+"-"+m)))
		}
		for len(r.Cells) < 5 {
			r.Cells = append(r.Cells, none)
		}
		rows = append(rows, r)
	}
	for _, x := range [][2]string{{"pai3", "A-C"}, {"pai4", "A-D"}, {"pai5", "A-E"}} {
		add("Chains of "+x[0][3:]+": "+x[1], "controls/"+x[0], func(list runs) table.Cell { return list.on(x[1]) }, general...)
	}
	for _, g := range graphs {
		for node := range g.nodes {
			add(fmt.Sprintf("Paths, %s: node %d", g.title, node+1), "controls/"+g.task,
				func(list runs) table.Cell { return list.node(record.Accuracy, node) }, slices.Concat(general, []string{"source-only", "destination-only"})...)
		}
	}
	add("bAbI, mean over 20 tasks", "babi/control", func(list runs) table.Cell { return list.of(record.Accuracy.Overall) }, general...)
	return rows
}

// otherTasks are MEMO's single runs on other tasks.
func otherTasks(s *source) (rows []table.Row) {
	for _, x := range [][2]string{
		{"PAI on generated embeddings, 100 classes, 8 sequences", "small/embeddings-memo-0"},
		{"bAbI tasks 1 and 15, official files", "small/babi-official-memo-0"},
	} {
		for _, r := range s.at(x[1]) {
			text := ""
			for i, k := range r.Record.Evaluation.Kinds {
				text += fmt.Sprintf("%s%s %.1f", map[bool]string{true: ", "}[i > 0], k.Name, k.PerCent())
			}
			one := runs{r}
			rows = append(rows, row(x[0], one.steps(), plain(one.minutes(1)), text))
		}
	}
	return rows
}
