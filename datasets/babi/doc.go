// Package babi reads the bAbI question answering tasks (Weston et al. 2015,
// arXiv:1502.05698) from their standard files.
//
// What comes in: Settings, and a directory, an archive or a single file (see
// locate). Where no path is given and no files are found, package simulate tells
// stories in their place. What goes out: a datasets.Source. One example is one
// question:
//
//   - memory: the statements of the story that precede the question, oldest
//     first, one a row; questions are taken out;
//   - query: the words of the question;
//   - target: the answer, one label even where it is a list ("apple,football").
//
// Preprocessing is that of MEMO (Banino et al., ICLR 2020, appendix C.1):
// lower-case, '.' and '?' dropped, split on blanks.
//
// # Sizes
//
// The vocabulary covers all files found, training and test files of all twenty
// tasks, whichever tasks are asked for; so single-task and joint runs on one
// copy of the data have the same word ids. Words are sorted; id 0 is padding
// and never occurs in a batch. The full set has O = 177, the paper's value.
// S and S_q are the longest statement and question of all files found (11 and
// 11 on the full set).
//
// I is the setting max_rows (320, as in the paper) when all tasks are asked for,
// so that a model's size does not depend on which task 3 file is at hand; for a
// part of the tasks it is their longest memory, at most max_rows. A longer
// memory loses its oldest statements.
//
// # Splits
//
// Test is the test files. Validation is a tenth of the stories of each training
// file, drawn once by a fixed stream, so that it is the same for every run;
// Train is the rest. A story belongs to one split with all of its questions. A
// story is a place in a file: the official files themselves repeat some short
// stories word by word, also between training and test file.
//
// With held_out, training and validation have none of the questions about certain
// combinations of words (heldout.go); the test split is the same.
//
// # What always holds
//
// A missing file is an error that names it and the tasks that can still be run;
// tasks are never left out in silence. A file that breaks the format is an
// error with file and line. Substitute training data are used only when asked
// for, and then every Spec carries a label that says so; so does every Spec of
// simulated stories.
package babi
