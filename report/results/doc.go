// Package results reads results, for reports and for comparisons.
//
// What comes in: paths of files and directories with result records (package
// benchmarks/record), JSON arrays of them as memobench run --json prints, their
// twins in the Go benchmark format, or the output of go test -bench. What goes
// out: Runs, of which Once says which count; a Set of cells, each the values of one
// metric of one model on one kind of question, a value a run; and, of two sets, the
// pairs of cells that may be compared. What always holds:
//
//   - A record is read as its twin, so that either gives the same cells.
//   - Cells are of one protocol and one dataset. Those of different ones are
//     never paired: Match refuses.
//   - A number that is none (NaN, an infinity), an accuracy outside 0 to 100, a
//     line that is cut off or cannot be read, a run that is there twice and a path
//     without results are errors that name file and line.
//   - Runs of one label with other settings of model or recipe are no sample of one
//     thing: within a set an error; between two sets, Changed tells.
//   - A run that diverged or did not end counts as failed in its Group, one without a
//     result, or with all numbers of another seed, as lost; what is missing is a
//     Note of the set. Nothing is left out in silence.
package results
