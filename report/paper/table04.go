package paper

// pai3 is Table 4: paired associative inference, length 3, by query type.
var pai3 = Table{
	Number:  4,
	Task:    "pai3",
	Caption: "paired associative inference, length 3, by query",
	Metric:  "accuracy",
	Models:  []string{"emn", "dnc", "ut", "memo"},
	Rows: []Row{
		row("A-B", v(98.19), v(98.58), v(97.43), vs(99.82, 0.30)),
		row("B-C", v(97.93), v(99.34), v(98.28), vs(99.76, 0.38)),
		row("A-C", v(61.01), v(96.85), v(85.60), vs(98.26, 0.67)),
	},
	Remarks: []string{"MEMO's A-C is 98.26(0.67) here and 97.59(1.85) in Table 7"},
}
