package paper

// pathNodes is Table 2: shortest path, accuracy on each node between source and
// destination. Its rows are named task/node, as it covers three tasks.
var pathNodes = Table{
	Number:  2,
	Caption: "shortest path, by node",
	Metric:  "accuracy",
	Models:  []string{"emn", "dnc", "ut", "memo"},
	Rows: []Row{
		row("sp10-2-2/node 1", v(94.99), v(100), v(100), vf(100, 0)),
		row("sp20-3-3/node 1", v(31.99), v(97.00), v(39.00), vf(94.40, 0.02)),
		row("sp20-3-3/node 2", v(66.00), v(98.00), v(84.80), vf(93.00, 0.03)),
		row("sp20-5-3/node 1", v(23.99), v(30.00), v(28.00), vf(69.20, 0.07)),
		row("sp20-5-3/node 2", v(43.00), v(40.99), v(61.51), vf(68.80, 0.09)),
	},
	Remarks: []string{
		"MEMO over the five best settings by training loss, the others the best run",
		"deviations are as printed and look like fractions: 0.02 for 2 points",
		"the caption says undirected graphs, appendix B describes directed edges to the nearest neighbours",
	},
}
