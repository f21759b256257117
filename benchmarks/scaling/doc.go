// Package scaling measures how the cost of a model grows with the number of
// memory rows, I.
//
// What comes in: names of systems (the models of preset standard on paired
// association and variants of them), sizes of I, limits. What goes out: a
// Report, which prints itself as tables, JSON, results in the Go benchmark format
// and a figure. The way there:
//
//	Systems, Find     what can be measured: memo, memo-nowh, emn4, ut, dnc, ...
//	System.Build      one of them for a size, and a batch of that size
//	Growth            the polynomial in I through counted operations, exact
//	Measure           times of interleaved runs
//	Slope             log-log slope of times, with an interval
//	Classify          which law times follow: n, n log n, n^2, n^3, or undecided
//
// Three kinds of evidence stand side by side, the strongest first. Operations
// and bytes are counted from the graph and are exact: their second differences
// over I are 0 for a linear model and nothing else. Allocated bytes are nearly
// exact. Times depend on the machine, and on what does not grow.
//
// What always holds: the batch has the form of paired association (rows of two
// words, queries of three) with the same few words at every size, so that what
// is computed once for each distinct word does not grow with I. Nothing is left
// out in silence: what a limit excludes is listed with the limit's name and what
// it would have taken.
package scaling
