// Command memobench trains memory networks on the tasks of the MEMO paper
// (Banino et al., ICLR 2020) and compares them.
//
// What comes in: a verb and its flags; "memobench help" lists them. What goes
// out: tables and records on standard output, progress and messages on standard
// error, run directories and data on disk. What always holds: this package reads
// flags and calls package benchmarks, package report and the packages in data; how
// something is trained, judged, tabulated or written is decided there. One file
// holds one verb, or one of data's.
//
// Exit status: 0 good, 1 failed, 2 wrong usage (with a suggestion where a name
// is nearly right), 3 inconclusive (a run diverged, so that the result has fewer
// good seeds than asked for, or check has too few runs to tell), 130 interrupted, with the command that resumes.
package main
