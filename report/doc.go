// Package report turns result records into tables.
//
// What comes in: result records (package benchmarks/record), read from run
// directories, and the paper's numbers (package report/paper). What goes out: a
// Table, which is apart from how it is printed, and its rendering for a
// terminal, in several blocks where it is wider than that. What always holds: a report is made from records and nothing else;
// it never sees a model or a dataset. Runs under different protocols or on
// different data are never put into one table. A measured number names its
// number of seeds, an absent one says that it was not run, and what a reader
// must know to judge a number (reduced sizes, substitute data, diverged seeds)
// stands below the table.
package report
