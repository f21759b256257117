package paper

// hardestQuery is Table 1: the query with the longest inferential distance for
// each length. Its rows are named task/query, as it covers three tasks.
var hardestQuery = Table{
	Number:  1,
	Caption: "paired associative inference, hardest query of each length",
	Metric:  "accuracy",
	Models:  []string{"emn", "dnc", "ut", "memo"},
	Rows: []Row{
		row("pai3/A-C", v(61.01), v(96.85), v(85.60), vs(98.26, 0.67)),
		row("pai4/A-D", v(48.66), v(51.56), v(44.16), vs(97.22, 0.13)),
		row("pai5/A-E", v(45.13), v(62.61), v(47.93), vs(84.54, 5.72)),
	},
	Remarks: []string{
		"length 4 A-D: DNC 51.56 and EMN 48.66 here, 58.63 and 48.63 in Table 5",
		"length 5 A-E: DNC 62.61 and EMN 45.13 here, 48.79 and 48.31 in Table 6",
	},
}
