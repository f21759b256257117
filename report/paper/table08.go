package paper

// pathSecondNode is Table 8: shortest path, the second node when the first one
// in its query is the right one, and when it is the model's own. The heading of
// its last column says EMN for what is MEMO's.
var pathSecondNode = Table{
	Number:  8,
	Caption: "shortest path, the second node given the right first one, or the model's own",
	Metric:  "accuracy",
	Models:  []string{"emn", "memo"},
	Rows: []Row{
		row("sp20-3-3/node 1", v(31.99), vf(94.40, 0.02)),
		row("sp20-3-3/node 2", v(26.00), vf(93.76, 0.08)),
		row("sp20-3-3/node 2 given", v(65.13), vf(96.80, 0.02)),
		row("sp20-5-3/node 1", v(23.99), vf(69.20, 0.07)),
		row("sp20-5-3/node 2", v(22.30), vf(68.80, 0.09)),
		row("sp20-5-3/node 2 given", v(43.00), vf(85.38, 0.05)),
	},
	Remarks: []string{
		"Table 2 has of EMN's second node the accuracy given the right first one, of MEMO's that with its own; of DNC and UT it is not said",
		"deviations are as printed and look like fractions: 0.02 for 2 points",
		"20-3-3: EMN's 65.13 given the right first node is 66.00 in Table 2, MEMO's 93.76 is 93.00(0.03)",
	},
}
