// Package figure draws the figures of a report.
//
// What comes in: result records with the learning curves beside them, attention
// traces (package benchmarks/trace) and files in the Go benchmark format with
// BenchmarkScaling. What goes out: a Figure, as SVG, as PNG or, for attention, as
// shaded blocks in a terminal; the same input gives the same bytes. What always
// holds: numbers of different protocols or data are never joined to one line, and
// a Figure without data says which command would produce them.
package figure
