package paper

// babiJoint is Table 3: mean error over the 20 bAbI tasks (10k training
// questions) and the number of tasks solved (error below 5 %). EMN is printed as
// "Memory Networks"; DNC and UT are quoted there from Graves et al. 2016 and
// Dehghani et al. 2018.
var babiJoint = Table{
	Number:  3,
	Task:    "babi",
	Caption: "bAbI 10k, mean error and tasks solved",
	Metric:  "error",
	Models:  []string{"emn", "dnc", "ut", "memo"},
	Rows: []Row{
		row("mean error", Value{Mean: 4.2, Digits: 1}, Value{Mean: 3.8, Digits: 1}, v(0.29), v(0.21)),
		row("tasks solved", Value{Mean: 17}, Value{Mean: 18}, Value{Mean: 20}, Value{Mean: 20}),
	},
	Remarks: []string{
		"the paper quotes these as joint training; EMN's 4.2 (17/20) seems to come from training on each task alone",
	},
}
