// Package hypothesis holds the statistical tests behind comparisons of results.
//
// What comes in: the values of two samples A and B, a value a run, oriented so
// that higher is better; or the counts or the single answers of two runs. What
// goes out: a Test with the drop from A to B, its standard error, and the
// probability of a drop as large without a difference (one-sided). What always
// holds:
//
//   - Every test says which it is, and what it is about: tests of samples are
//     about the code that trains, tests of counts and answers about the two
//     networks at hand.
//   - No input gives a number that is none. Where nothing can be tested, Method is
//     None and Why says what is missing.
//
// Mann-Whitney's U is that of benchstat but for equal values (see rankSum).
package hypothesis
