package ops

import "memobench/models/engine"

// recurrentCases are the operations of an LSTM.
func recurrentCases[T engine.Float]() []gradientCase[T] {
	k := func(k engine.Kernel[T]) func() engine.Kernel[T] { return func() engine.Kernel[T] { return k } }
	single := &Segments{Offsets: []int{0, 1, 2, 3}}
	return []gradientCase[T]{
		{"lstm", k(&LSTM[T]{Segments: testTokens}), [][]int{{11, 8}, {8, 2}}, false},
		{"lstm from a state", k(&LSTM[T]{Segments: testTokens}), [][]int{{11, 8}, {8, 2}, {3, 4}}, false},
		{"lstm backwards", k(&LSTM[T]{Segments: testTokens, Backwards: true}), [][]int{{11, 8}, {8, 2}}, false},
		{"lstm backwards from a state", k(&LSTM[T]{Segments: testTokens, Backwards: true}), [][]int{{11, 8}, {8, 2}, {3, 4}}, false},
		{"lstm of one line", k(&LSTM[T]{Segments: single}), [][]int{{3, 12}, {12, 3}, {3, 6}}, false},
		{"columns", k(&Columns[T]{From: 1, To: 3}), [][]int{{4, 5}}, false},
	}
}
