// Package simulate generates stories of the twenty bAbI tasks (Weston et al.
// 2015, arXiv:1502.05698) in the standard file format, with supporting facts.
//
// What comes in: a task, a split, a seed and a number of questions. What goes
// out: a file as package babi reads it. It stands in for the official files
// where there are none, and whatever is measured on it must say so.
//
// The rules were inferred from the task descriptions and from the statistics of
// the official en-10k files: who acts, what is possible, when a question is
// asked and about which of the latest statements. A rule of general use:
//
//   - What happens next is drawn anew until it is possible.
//   - People and things have a place from the start, which is not told.
//   - Of most tasks a question is tried after every second statement, about
//     someone or something of the last five clauses (a statement about two
//     people is two clauses), and a story has five questions.
//
// What always holds:
//
//   - A file depends on (task, split, seed) alone, and one of fewer questions is
//     the start of one of more, but for its last story, which is cut short where
//     the questions asked for are used up.
//   - A story belongs to one split, by a hash of its statements: no two splits
//     share the statements of a story.
//   - Every answer follows from the supporting facts, and from the whole story.
//
// Known differences from the official files: theirs of task 5 have one question
// in 500 with two right answers, and of task 18 they mostly give the later of
// two equal supporting facts.
package simulate
