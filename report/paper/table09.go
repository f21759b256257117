package paper

// babiAblations is Table 9: MEMO without some of its parts on the 20 bAbI tasks
// (10k). Rows are named as in Table 7, with what is measured behind a slash.
var babiAblations = Table{
	Number:  9,
	Task:    "babi",
	Caption: "MEMO without some of its parts, bAbI 10k",
	Metric:  "error",
	Models:  []string{"memo"},
	Rows: []Row{
		row("summed/tasks solved", Value{Mean: 11}), row("summed/mean error", v(14.81)),
		row("separate/tasks solved", Value{Mean: 14}), row("separate/mean error", v(10.43)),
		row("summed, recurrent/tasks solved", Value{Mean: 17}), row("summed, recurrent/mean error", v(4.80)),
		row("separate, recurrent, no LayerNorm/tasks solved", Value{Mean: 18}), row("separate, recurrent, no LayerNorm/mean error", v(5.00)),
		row("separate, recurrent/tasks solved", Value{Mean: 20}), row("separate, recurrent/mean error", v(0.21)),
	},
}
