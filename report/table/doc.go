// Package table turns result records into tables.
//
// What comes in: result records (package report/results), the paper's numbers and
// settings (package report/paper), and what the caller knows of presets. What goes out:
// Tables, apart from how they are printed:
//
//	TaskTable       the runs of one task under one protocol, as memobench table has them
//	Findings        the paper's claims beside what the records show, with a verdict
//	Specs           the paper's tables 1 to 10, each a question to records
//	OwnSpecs        tables A to C, of what the paper leaves open
//	SettingsTables  its tables 11 to 16
//	Further         the runs that stand in none of them
//
// and their rendering for a terminal, in several blocks where they are wider than
// that. Package report/document puts a report together, report/format and
// report/page write it, report/figure draws.
//
// What always holds: a report is made from what runs left behind and from nothing
// else; it never sees a model or a dataset. Numbers of different protocols, data
// or changes to a preset are never averaged: TaskTable refuses such runs, a Spec
// puts them into sections (Setup) of their own. A seed counts once, and
// only runs that were trained count. The order of directories changes nothing. A measured
// number names its number of seeds and holds its Sources, an absent one says that
// it was not run, and what a reader must know to judge a number (reduced sizes,
// substitute data, diverged seeds) stands below the table.
package table
