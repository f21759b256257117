// Package babi reads the bAbI question answering tasks (Weston et al. 2015, arXiv:1502.05698) from their
// standard files, a directory or the official archive. If no path is given and no files are found, package
// simulate generates stories. An example is one question:
//
//   - memory: the statements of the story before the question, oldest first, one per row,
//     without questions;
//   - query: the words of the question;
//   - target: the answer; a list ("apple,football") is one label.
//
// Preprocessing is that of MEMO (Banino et al., ICLR 2020, appendix C.1):
// lower-case, '.' and '?' dropped, split on blanks.
//
// The vocabulary covers all files found, of all twenty tasks, so that single-task and joint runs have the
// same word ids. Words are sorted; id 0 is padding and never occurs in a batch. The full set has O = 177,
// the paper's value. S and S_q are the lengths of the longest statement and question of all files found
// (11 and 11). I is the setting max_rows (320, as in the paper) for all tasks, so that a model's size does
// not depend on the task 3 file; for a subset of the tasks it is their longest memory, at most max_rows.
// Longer memories lose their oldest statements.
//
// Test is the test files. Validation is a tenth of the stories of each training file, sampled with a fixed
// seed; Train is the rest. A story belongs to one split with all of its questions. The official files
// repeat some short stories, also between training and test file. With held_out, training and validation
// lack the questions about certain combinations of words (heldout.go).
//
// A missing file is an error that names it and the tasks that can be run; tasks are never omitted silently.
// Substitute training data need the setting substitute_task3. They are a caveat of the Spec, and so are
// simulated stories.
package babi
