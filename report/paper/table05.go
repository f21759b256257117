package paper

// pai4 is Table 5: paired associative inference, length 4, by query type.
var pai4 = Table{
	Number:  5,
	Task:    "pai4",
	Caption: "paired associative inference, length 4, by query",
	Metric:  "accuracy",
	Models:  []string{"emn", "dnc", "ut", "memo"},
	Rows: []Row{
		row("A-B", v(96.31), v(94.26), v(99.32), vs(99.57, 0.20)),
		row("B-C", v(97.57), v(84.94), v(88.31), vs(99.33, 0.13)),
		row("C-D", v(96.59), v(95.68), v(93.37), vs(99.58, 0.13)),
		row("A-C", v(48.71), v(49.38), v(54.87), vs(98.93, 0.15)),
		row("B-D", v(47.42), v(49.89), v(51.92), vs(99.14, 0.19)),
		row("A-D", v(48.63), v(58.63), v(44.16), vs(97.22, 0.13)),
	},
	Remarks: []string{"A-D: DNC 58.63 and EMN 48.63 here, 51.56 and 48.66 in Table 1"},
}
