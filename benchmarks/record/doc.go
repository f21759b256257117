// Package record defines the result record: one JSON file a run, from which
// every table, figure and comparison is made, and from nothing else.
//
// What comes in: a filled Record (package benchmarks makes it), or a
// record.json on disk. What goes out: record.json, and bench.txt, its twin in
// the Go benchmark format that benchstat reads. What always holds:
//
//   - A file of an unknown schema version, with an unknown key, or with a
//     number that cannot be (NaN, an infinity, more right answers than
//     questions) is refused, naming the file and the key.
//   - Every accuracy is kept as the counts behind it: right answers and
//     questions, per kind of question, and per answer where a question asks for
//     several in turn.
//   - A run that diverged has no right answers and says so in its status and
//     caveats; it is never left out and never a NaN.
//   - All times are in one group (Times), so that Record.WithoutTimes is equal
//     for two runs of the same seed on the same machine.
//   - Metrics declare their name, unit and direction once (metric.go).
//
// SCHEMA.md lists every key; it is made from the doc tags of the types here
// and a test holds it to them.
//
// This package imports neither models nor datasets, so that a reader of
// results does not need what made them.
package record
