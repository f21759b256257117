package paper

// Difference is a place where what is run here is not what the paper ran, or
// where the paper leaves open what it ran.
type Difference struct {
	Where string `json:"where"`
	Paper string `json:"paper"` // what it has, or that it says nothing
	Here  string `json:"here"`
}

// Differences lists them. What holds for single runs only, such as a reduced
// size, stands in the tables as a mark and not here.
func Differences() []Difference {
	return []Difference{
		{"Selection", "MEMO over the five best settings of a search, the others the best run; by validation loss, for shortest paths by training loss",
			"every seed that was started counts, and one that diverged counts as 0; the paper's rule stands beside it, over the runs that there are"},
		{"Training steps", "2,000,000 for shortest paths and bAbI, not stated for PAI", "as each table says; far fewer unless the preset is paper"},
		{"Learning rate", "polynomial decay, its length, power and end not stated; no warm-up stated", "in the preset standard constant for the first half of the steps, then falling linearly to 0, after a linear warm-up for MEMO on shortest paths and bAbI; in the preset paper falling linearly from the first step"},
		{"Halting", "learned by REINFORCE", "a fixed number of hops in the presets quick and standard; learned in the preset paper and in the variants memo-reinforce and memo-act"},
		{"PAI: items", "embeddings of ImageNet images by a ResNet", "class symbols (one-hot) unless the task's name says embeddings, npy or released"},
		{"PAI: order of rows and items", "not stated", "rows shuffled, the two items of a row in the order of the sequence; both can be set"},
		{"PAI: what is judged", "600 questions; Table 1 calls them test results, appendix A.2 an evaluation set", "a test split of which no chain of classes is in training or validation (with images: no image); all splits share the classes"},
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
		{"Several answers", "MEMO and UT are given their own earlier answers, EMN the right ones, and the DNC gives all while it ponders after one query", "the same in training; in tests all but the DNC are asked with their own answers, and also with the right ones"},
	}
}
