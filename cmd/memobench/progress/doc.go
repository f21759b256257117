// Package progress shows how far runs are: one line that is rewritten in place
// on a terminal, an occasional plain line elsewhere.
//
// What comes in: the Standing of each run, whenever it changes. What goes out:
// text on one writer, standard error as a rule. What always holds: the line
// never wraps, several runs share one line, and a run's last standing is always
// printed.
package progress
