package doctables

import (
	"cmp"
	"fmt"
	"slices"

	"memobench/benchmarks/record"
	"memobench/report/paper"
	"memobench/report/results"
	"memobench/report/table"
)

// recipe is a way to train a model on bAbI.
type recipe struct {
	title string
	dir   string // below benchmarks/recorded/babi; %d is the seed
	seeds int    // recorded, from 0
	part  string // the paper's row in Table 9, "none" where it has no such row; empty for Table 3
}

// suite is bAbI by model and recipe.
func suite(s *source) []table.Row {
	return s.recipes([]recipe{
		{"MEMO, 4 heads of 512, rate 2e-4, uniform mixture", "memo-0", 1, ""},
		{"MEMO, 8 heads of 32, adaptive mixture, linear start on task 16", "memo-linear-0", 1, ""},
		{"MEMO, the task of the linear start by rule", "memo-rule-0", 1, ""},
		{"MEMO, by rule, empty rows, weight decay", "memo-rule-regularized-%d", 5, ""},
		{"MEMO, instead of the rule half of the heads linear at first", "memo-mixed-start-%d", 5, ""},
		{"MEMO, 12 heads, four of them linear to the end", suiteBest[0].dir, suiteBest[0].seeds, ""},
		{"EMN, uniform mixture, no warm-up", "emn-0", 1, ""},
		{"EMN, uniform mixture", "emn-uniform-0", 1, ""},
		{"EMN, adaptive mixture", "emn-adaptive-0", 1, ""},
		{"EMN, adaptive mixture, random time offsets up to 20", "emn-offset-0", 1, ""},
		{"EMN, adaptive mixture, linear start on all tasks", "emn-linear-0", 1, ""},
		{"EMN, the same for 20,000 of 300,000 steps, empty rows", "emn-linear-long-%d", 3, ""},
		{"EMN, the same with ReLU, weight decay and clipping", "emn-relu-long-0", 1, ""},
		{"EMN, 10 hops, adaptive mixture, no linear start, empty rows", suiteBest[1].dir, suiteBest[1].seeds, ""},
		{"EMN, the same with the rate that the search chose, 2e-3, and weight decay", "emn-ten-fast-0", 1, ""},
		{"DNC, adaptive mixture", "dnc-adaptive-0", 1, ""},
		{"DNC, adaptive mixture, task 1 first", "dnc-task1-0", 1, ""},
		{"DNC, adaptive mixture, task 1 first, bidirectional", "dnc-bidirectional-0", 1, ""},
		{"DNC, task 1 first, then 1 and 2, then all; weight decay", "dnc-curriculum-%d", 2, ""},
		{"DNC, the same, bidirectional", suiteBest[2].dir, suiteBest[2].seeds, ""},
		{"UT, 4 of 8 heads linear, 4 steps, adaptive mixture, empty rows, weight decay", "ut-mixed-%d", 2, ""},
		{"UT, the same with softmax in all heads and the rate that the search chose, 2e-3", suiteBest[3].dir, suiteBest[3].seeds, ""},
		{"Transformer, 4 layers, 4 of 8 heads linear, rate 1e-3", "transformer-0", 1, ""},
	})
}

// suiteParts is MEMO's recipe by rule on bAbI without its parts: of the network, as in the
// paper's Table 9, and of training.
func suiteParts(s *source) []table.Row {
	return s.recipes([]recipe{
		{"as it is", "memo-rule-regularized-%d", 5, "separate, recurrent"},
		{"no LayerNorm", "memo-noln-0", 1, "separate, recurrent, no LayerNorm"},
		{"no recurrent attention", "memo-norec-0", 1, "separate"},
		{"words summed with a position code", "memo-posenc-0", 1, "summed, recurrent"},
		{"words summed, no recurrent attention, no linear start", "memo-posenc-norec-0", 1, "summed"},
		{"initial embeddings of standard deviation 1 instead of 0.3", "memo-std1-0", 1, "none"},
		{"uniform mixture", "memo-uniform-0", 1, "none"},
		{"no empty rows, no weight decay", "memo-rule-0", 1, "none"},
		{"no linear start", "memo-nostart-0", 1, "none"},
		{"uniform mixture, no linear start", "memo-uniform-nostart-0", 1, "none"},
		{"half of the heads linear for 20,000 steps, no linear start by rule", "memo-mixed-start-%d", 5, "none"},
		{"half of the heads linear to the end, no linear start by rule", "memo-mixed-regularized-%d", 3, "none"},
		{"the same, no empty rows, no weight decay", "memo-mixed-0", 1, "none"},
		{"12 heads, four of them linear to the end, no linear start by rule", suiteBest[0].dir, suiteBest[0].seeds, "none"},
		{"the same, softmax in all 12 heads", "memo-twelve-softmax-0", 1, "none"},
		{"the same, four heads linear, no empty rows, no weight decay", "memo-twelve-plain-0", 1, "none"},
		{"12 heads, four of them linear, words summed", "memo-twelve-posenc-0", 1, "none"},
		{"the same, words separate, no recurrent attention: diverged at step 14,418", "memo-twelve-norec-0", 1, "none"},
		{"the same, words summed, no recurrent attention: diverged at step 1", "memo-twelve-posenc-norec-0", 1, "none"},
	})
}

// suiteBest are the recipes that README shows: of each model the one with the lowest loss on
// validation, of those with several seeds. MEMO's is that of preset babi.
var suiteBest = []recipe{
	{dir: "memo-twelve-%d", seeds: 5}, {dir: "emn-ten-long-%d", seeds: 3}, {dir: "dnc-bidirectional-long-%d", seeds: 2}, {dir: "ut-softmax-%d", seeds: 3},
}

// suiteMixtures compares recipes with the adaptive mixture with the same recipes with the
// uniform one.
func suiteMixtures(s *source) (rows []table.Row) {
	for i, name := range []string{"memo-twelve", "emn-ten", "dnc", "ut-softmax"} {
		best := suiteBest[i]
		if name == "dnc" { // only the unidirectional one has been trained with both
			best = recipe{dir: "dnc-curriculum-%d", seeds: 2}
		}
		adaptive, uniform := s.at(seeds("babi/"+best.dir, best.seeds)...), s.at("babi/"+name+"-uniform-0")
		if len(adaptive) == 0 || len(uniform) == 0 {
			continue // s has the error
		}
		a, u := adaptive.suite(3, ""), uniform.suite(3, "")
		rows = append(rows, row(uniform[0].Record.Identity.Title, a[0], a[suiteError], a[suiteSolved], u[suiteError], u[suiteSolved], u[suiteLowest]))
	}
	return rows
}

// suiteSteps says how long each was trained.
func (s *source) suiteSteps() string {
	text := ""
	for i, name := range []string{"", ", EMN ", ", DNC ", ", UT "} {
		text += name + s.at(seeds("babi/"+suiteBest[i].dir, suiteBest[i].seeds)...).steps()
	}
	return text
}

// suiteTasks is the accuracy of the best recipes by task.
func suiteTasks(s *source) (rows []table.Row) {
	best := map[string]runs{}
	for i, model := range networks {
		best[model] = s.at(seeds("babi/"+suiteBest[i].dir, suiteBest[i].seeds)...)
	}
	for task := 1; task <= numBabi && s.err == nil; task++ {
		name := fmt.Sprint(task)
		rows = append(rows, row(name, best["memo"].on(name), printed(10, "babi", name, "memo"), best["ut"].on(name), best["emn"].on(name), best["dnc"].on(name)))
	}
	return rows
}

// suiteAlone is MEMO trained on one task at a time, next to that of preset babi.
func suiteAlone(s *source) (rows []table.Row) {
	joint := s.at(seeds("babi/"+suiteBest[0].dir, suiteBest[0].seeds)...)
	for task := 1; task <= numBabi && s.err == nil; task++ {
		name := fmt.Sprint(task)
		alone := s.in("babi-single", func(r *record.Record) bool { return r.Evaluation.Kinds[0].Name == name })
		linear := 0 // steps of the second phase
		for _, r := range alone {
			for _, p := range r.Record.Training.Phases {
				if p.Phase == 2 {
					linear += p.Last - p.First + 1
				}
			}
		}
		rows = append(rows, row(name, alone.on(name), linear/len(alone), plain(alone.minutes(1)), joint.on(name), printed(10, "babi", name, "memo")))
	}
	return rows
}

// suiteScales are the settings that grid fair-babi chose, with three standard deviations of
// the initial word embeddings; the second is that of the search.
func suiteScales(s *source) (rows []table.Row) {
	for _, dirs := range [][]string{
		{"babi-scale/babi-memo-s0-d76621de", "fair-babi/babi-memo-s0-6bbf1326", "babi-scale/babi-memo-s0-2e38a19f"},
		{"babi-scale/babi-emn-s0-6ffacd95", "fair-babi/babi-emn-s0-0d9071c3", "babi-scale/babi-emn-s0-31a79c19"},
		{"babi-scale/babi-dnc-s0-10cac92d", "fair-babi/babi-dnc-s0-9781270f", "babi-scale/babi-dnc-s0-8d7bda47"},
		{"babi-scale/babi-ut-s0-c66d8d11", "fair-babi/babi-ut-s0-8a0fe41e", "babi-scale/babi-ut-s0-54e6363b"},
	} {
		found := s.at(dirs...)
		if len(found) < len(dirs) {
			continue // s has the error
		}
		line := row(found[0].Record.Identity.Title)
		for i, r := range found {
			scale := cmp.Or(r.Record.Model.Config["embedding_std"], r.Record.Model.Config["init_std"])
			line.Cells = append(line.Cells, table.Words(fmt.Sprintf("%v: %s", scale, found[i:i+1].of(suiteErrorOf))))
		}
		rows = append(rows, line)
	}
	return rows
}

// recipes are rows of bAbI, next to the paper's Table 3 or 9.
func (s *source) recipes(list []recipe) (rows []table.Row) {
	for _, x := range list {
		found := s.at(seeds("babi/"+x.dir, x.seeds)...)
		if len(found) < x.seeds {
			continue // s has the error
		}
		number, part := 3, ""
		if x.part != "" {
			number, part = 9, x.part+"/"
		}
		rows = append(rows, row(x.title, found.suite(number, part)))
	}
	return rows
}

// suite returns the cells of a row of bAbI: means over runs, and the fewest tasks that one
// solved; the paper's are those of a table whose rows begin with row.
func (list runs) suite(number int, row string) []table.Cell {
	accuracy := map[string]float64{}
	var names []string
	fewest := numBabi
	for _, r := range list {
		solved := 0
		for _, k := range r.Record.Evaluation.Kinds {
			if k.PerCent() > 95 {
				solved++
			}
			names = results.AddNew(names, k.Name)
			accuracy[k.Name] += k.PerCent() / float64(len(list))
		}
		fewest = min(fewest, solved)
	}
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(accuracy[a], accuracy[b]) })
	lowest := ""
	for i, name := range names[:3] {
		lowest += fmt.Sprintf("%s%s: %.1f", map[bool]string{true: ", "}[i > 0], name, accuracy[name])
	}
	model := list[0].Record.Identity.Model
	epochs := func(r *record.Record) (float64, bool) { return float64(r.Training.Examples) / paper.SuiteEpoch, true }
	return []table.Cell{table.Words(list.steps()), plain(list.to(0, epochs)), plain(list.minutes(0)),
		list.to(2, suiteErrorOf), printed(number, "babi", row+"mean error", model),
		{State: table.Number, Mean: float64(fewest)}, printed(number, "babi", row+"tasks solved", model), table.Words(lowest)}
}

// suiteErrorOf is the mean error over the tasks.
func suiteErrorOf(r *record.Record) (float64, bool) {
	accuracy, ok := record.Accuracy.Overall(r)
	return 100 - accuracy, ok
}

// numBabi is the number of tasks.
const numBabi = 20

// Places of the mean error, the tasks solved and the lowest tasks among the cells of suite.
const (
	suiteError  = 3
	suiteSolved = 5
	suiteLowest = 7
)
