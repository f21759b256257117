// Package benchmarks holds the Go benchmarks: what a training step, a prediction and a
// hop cost, how the cost grows with the memory, and the accuracy after a short training
// (make bench). What users run is in the packages below, which a run passes in this order:
//
//	config    presets and their settings: config.LoadPreset("quick") ... Preset.Cells()
//	train     trains a cell: train.Run(ctx, cell, options), in a directory of its own
//	evaluate  asks a model the questions of a split and counts the right answers
//	record    the result of a run: record.json
//	sweep     lists of cells, divided among machines and merged again
//	scaling   how the cost of each model grows with the number of memory rows
package benchmarks
