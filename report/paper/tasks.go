package paper

import (
	"fmt"
	"slices"
	"strings"
)

// tasks are the tasks of the paper's tables.
var tasks = []string{"pai3", "pai4", "pai5", "sp10-2-2", "sp20-3-3", "sp20-5-3", "babi"}

// Has reports whether the paper has a task.
func Has(task string) bool { return slices.Contains(tasks, task) }

// StatedSteps returns the paper's number of training steps on a task; false if it states
// none.
func StatedSteps(task string) (int, bool) { return steps, !IsChain(task) }

// IsChain reports whether a task is paired associative inference.
func IsChain(task string) bool { return strings.HasPrefix(task, "pai") }

// Facts returns the number of memory rows that the answer to a query of paired associative
// inference joins: 3 for "A-D". It is 0 for other kinds.
func Facts(kind string) int {
	if len(kind) != 3 || kind[1] != '-' || kind[2] <= kind[0] {
		return 0
	}
	return int(kind[2] - kind[0])
}

// Direct reports whether a query of paired associative inference, "A-B", is about
// neighbours in a chain, which are in one memory row.
func Direct(kind string) bool { return Facts(kind) == 1 }

// rowName returns the name of a kind in the paper's tables: "7" for "qa7".
func rowName(kind string) string { return strings.TrimPrefix(kind, "qa") }

// RowTitle returns the title of a kind in the paper's table of a task; empty without one.
func RowTitle(task, kind string) string {
	table, _ := forTask(task)
	for _, r := range table.Rows {
		if r.Name == rowName(kind) && r.Title != "" {
			return r.Name + " " + r.Title
		}
	}
	return ""
}

// queryLabel returns the printed form of a query of the paper's tables.
func queryLabel(query string) string {
	if Direct(query) {
		return query + " direct"
	}
	return query + " indirect"
}

// lengths are the lengths of chains with their hardest query.
var lengths = []struct{ task, name, query string }{
	{"pai3", "3 items", "A-C"}, {"pai4", "4 items", "A-D"}, {"pai5", "5 items", "A-E"},
}

// firstNode is the first node, whose query has no node before it.
const firstNode = "node 1"

// Quote is a published number with its note.
type Quote struct {
	Value
	Note string
}

// QuoteNode returns what the paper prints of a node that is queried with the
// model's own nodes before it (free running).
func QuoteNode(task, node, model string) (Quote, bool) {
	row := task + "/" + node
	two, ok := Lookup(2, task, row, model)
	own, split := Lookup(8, task, row, model)
	given, _ := Lookup(8, task, row+" given", model)
	switch {
	case !ok || node == firstNode:
		return Quote{Value: two}, ok
	case !split:
		return Quote{two, fmt.Sprintf("Table 2 does not say whether the true %s was given.", firstNode)}, true
	case distance(two, given) < distance(two, own): // of EMN, without saying so
		return Quote{own, fmt.Sprintf("From Table 8; the %.2f in Table 2 is given the true %s.", two.Mean, firstNode)}, true
	case two != own:
		return Quote{two, fmt.Sprintf("Table 8 has %.2f.", own.Mean)}, true
	}
	return Quote{Value: two}, true
}

// QuoteGiven returns what the paper prints of a node that is queried with the
// right one before it (teacher forcing).
func QuoteGiven(task, node, model string) (Quote, bool) {
	v, ok := Lookup(8, task, task+"/"+node+" given", model)
	return Quote{Value: v}, ok
}

// QuoteKind returns the paper's number for a kind of question.
func QuoteKind(task, kind, model string) (Quote, bool) {
	table, _ := forTask(task)
	v, ok := Lookup(table.Number, task, rowName(kind), model)
	return Quote{Value: v}, ok
}

// QuoteSuite returns the paper's number for all tasks of a suite together: "mean error" or
// "tasks solved".
func QuoteSuite(task, row, model string) (Quote, bool) {
	v, ok := Lookup(3, task, row, model)
	return Quote{Value: v}, ok
}

// Source names the source of the published numbers of a task; answers are those of a
// question, and suite says that all tasks of a suite are shown.
func Source(task string, answers []string, suite bool) string {
	table, _ := forTask(task)
	text := fmt.Sprintf("paper: Banino et al. 2020, Table %d, at the paper's sizes", table.Number)
	if table.Number == pathNodes.Number {
		if answers != nil {
			text += fmt.Sprintf(", and Table 8 for %s given %s", answers[1], answers[0])
		}
		return text + "; " + strings.Join(table.Remarks, "; ") + "."
	}
	if suite {
		text += ", and Table 3 for the mean error and the tasks solved"
	}
	return text + "; MEMO over its five best settings, the others the best run."
}

func distance(a, b Value) float64 { return max(a.Mean-b.Mean, b.Mean-a.Mean) }

// FigureCommands are the commands that give the data of figures, by the figure's name.
var FigureCommands = map[string]string{
	"figure-3a":  "memobench run --preset quick --tasks pai3",
	"figure-3b":  "memobench train --preset quick --model memo-reinforce --task pai3 --set early_stop=off --set protocol.steps=5000",
	"figure-3cd": "memobench run --preset quick --tasks pai3 --seeds 0,1,2,3,4,5,6,7,8,9",
	"figure-5":   "memobench run --preset quick --tasks pai3 --models memo-reinforce,memo-act --set early_stop=off --set protocol.steps=5000",
}

// Difference is a difference between the protocols here and the paper's, or a detail that
// the paper leaves open.
type Difference struct {
	Where string `json:"where"`
	Paper string `json:"paper"` // what it has, or that it says nothing
	Here  string `json:"here"`
}

// Differences lists them. Differences of single runs, such as a reduced size, are
// footnotes in the tables.
func Differences() []Difference {
	return []Difference{
		{"Selection", "MEMO over the five best settings of a search, the others the best run; by validation loss, for shortest paths by training loss",
			"every recorded seed of a setting counts, and one that diverged counts as 0; the paper's rule is next to it, over the recorded runs"},
		{"Training steps", "2,000,000 for shortest paths and bAbI, not stated for PAI", "as each table says; far fewer unless the preset is paper"},
		{"Learning rate", "polynomial decay, its length, power and end not stated; no warm-up stated", "in the preset standard constant for the first half of the steps, then falling linearly to 0, after a linear warm-up for MEMO on shortest paths and bAbI; in the preset paper falling linearly from the first step"},
		{"Halting", "learned by REINFORCE", "a fixed number of hops in the presets quick and standard; learned in the preset paper and in the variants memo-reinforce, memo-act and memo-ponder"},
		{"PAI: items", "embeddings of ImageNet images by a ResNet", "class symbols (one-hot) unless the task's name says embeddings, npy or released"},
		{"PAI: order of rows and items", "not stated", "rows shuffled, the two items of a row in the order of the sequence; both can be set"},
		{"PAI: what is evaluated", "600 questions; Table 1 calls them test results, appendix A.2 an evaluation set", "a test split of which no chain of classes is in training or validation (with images: no image); all splits share the classes"},
		{"Shortest paths: targets", "not stated whether a query may have several shortest paths", "only pairs with a single shortest path, unless targets=random"},
		{"Shortest paths: nodes", "not stated how they are numbered", "0 to N-1, the same in every graph, unless labels=random"},
		{"Shortest paths: edges", "the captions say undirected; appendix B describes edges from each node to its nearest neighbours", "directed edges to the nearest neighbours"},
		{"bAbI: training data", "the official files", "public copies lack the training file of task 3: a substitute only on request, and every number says so; without files, simulated stories"},
		{"bAbI: validation", "selection by validation loss, no validation set defined", "a tenth of the training stories"},
		{"bAbI: test", "10,000 questions drawn from the test set", "all 20,000 test questions in the preset standard; of the official ones 741 of 1,000 in task 4, 203 in task 20 and 152 in task 17 are in the training file too"},
		{"MEMO: start of W_h", "not stated", "the identity: from a random start nothing was learned once rows are shuffled"},
		{"MEMO: W_h on shortest paths and bAbI", "part of the network on every task", "none in the presets quick and standard"},
		{"MEMO: LayerNorm", "axis not stated", "over the features of each head"},
		{"MEMO: biases", "not stated", "in the answer network; the projections have none"},
		{"EMN", "no width is given; 4 and 10 hops were tried on PAI", "width as each preset names it; 4 hops unless the title says otherwise"},
		{"DNC", "number of memory slots not given", "as many as the task's largest memory has rows, at most 256; one write head"},
		{"DNC and UT on bAbI", "quoted from the papers that introduced them", "trained like all others"},
		{"Several answers", "MEMO and UT are given their own earlier answers, EMN the right ones, and the DNC gives all while it ponders after one query", "the same in training; in tests all but the DNC are asked with their own answers, and also with the right ones; runs with answers=requery have a new query for each node, of the DNC too, without the source"},
	}
}

// HardestPanel is a panel of the overview: the hardest query of each task.
type HardestPanel struct {
	Title   string
	Queries []HardestQuery
}

// HardestQuery names a row of a table.
type HardestQuery struct {
	Name              string
	Table, Block, Row string
	Chance            float64 // accuracy of guessing, in per cent; 0 where it is not known
	Error             bool    // the row is an error: the accuracy is what is left of 100
}

// Hardest lists the panels of the overview. Chance is that of guessing between the two
// items of a query, or among the neighbours of a node.
func Hardest() []HardestPanel {
	chains, paths := HardestPanel{Title: "Paired associative inference"}, HardestPanel{Title: "Shortest paths"}
	hardest := hardestSpec()
	for _, l := range lengths {
		chains.Queries = append(chains.Queries, HardestQuery{Name: l.name + ", " + l.query, Table: hardest.ID(), Block: l.name, Row: l.query, Chance: 50})
	}
	spec := pathSpec()
	for i := range spec.Blocks {
		block := &spec.Blocks[i]
		var nodes, degree, length int
		if _, err := fmt.Sscanf(block.Name, "%d-%d-%d", &nodes, &degree, &length); err != nil {
			panic(err) // of the table above
		}
		paths.Queries = append(paths.Queries, HardestQuery{Name: block.Name + ", node 1", Table: spec.ID(), Block: block.Name, Row: firstNode, Chance: 100 / float64(degree)})
	}
	suite := babiSpec()
	return []HardestPanel{chains, paths, {Title: "bAbI", Queries: []HardestQuery{{Name: "20 tasks, mean", Table: suite.ID(), Row: suite.Blocks[0].Rows[0].Label, Error: true}}}}
}
