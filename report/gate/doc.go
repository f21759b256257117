// Package gate is the regression gate: it judges a set of results against a
// baseline.
//
// What comes in: two results.Set, a margin for each unit that is judged, and
// floors. What goes out: a Report with a verdict for every cell and one for the
// whole, as text, JSON or annotations of GitHub. The whole fails if
//
//   - a cell's mean drops by more than the margin, and p is at most alpha after
//     Benjamini and Hochberg's adjustment over all judged cells; or
//   - more runs failed, diverged, have no record or are missing than in the
//     baseline, or are copies of another; or
//   - the worst run of a cell is beyond a floor that was given; or
//   - a cell of the baseline is missing, or of some runs only.
//
// What always holds: too little evidence is no pass. A cell passes if its runs are
// the same in both sets, or if a drop of the margin would have been seen: the
// smallest detectable drop is at most the margin, or the confidence bound of the
// drop is. Otherwise it is inconclusive, and so is the whole unless something
// fails. A run far below the baseline's worst is inconclusive too: where some seeds
// do not learn it may be chance. Every cell says which test was used, and what it could have seen.
package gate
