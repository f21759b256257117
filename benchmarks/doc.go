// Package benchmarks holds the Go benchmarks: what a training step, a prediction and a
// hop cost, how the cost grows with the memory, and the accuracy after a short training
// (make bench). Users run the packages below, in the order of a run:
//
//	study     studies and their settings: study.Load("quick") ... Study.Cells()
//	train     trains a cell: train.Run(ctx, cell, options), in its own directory
//	evaluate  evaluates a model on the questions of a split
//	record    the result of a run: record.json
//	sweep     shards, choices and plans of a study, and recorded studies
//	scaling   how the cost of each model grows with the number of memory rows
package benchmarks
