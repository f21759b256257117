// Package benchmarks holds the Go benchmarks: what a training step, a prediction and a
// hop cost, how the cost grows with the memory, and the accuracy after a short training
// (make bench). Users run the packages below, in the order of a run:
//
//	config    presets and their settings: config.LoadPreset("quick") ... Preset.Cells()
//	train     trains a cell: train.Run(ctx, cell, options), in its own directory
//	evaluate  evaluates a model on the questions of a split
//	record    the result of a run: record.json
//	sweep     lists of cells, divided among machines and merged again
//	scaling   how the cost of each model grows with the number of memory rows
package benchmarks
