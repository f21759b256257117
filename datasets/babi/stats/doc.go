// Package stats describes bAbI stories by numbers, for example to compare
// simulated stories with the official ones.
//
// What comes in: the stories of a task (package format). What goes out: Stats,
// the Difference between two of them, and tables of both as text. What always
// holds: counts are exact, and the same stories give the same text.
package stats
