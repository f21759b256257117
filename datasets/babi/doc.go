// Package babi reads the bAbI question answering tasks (Weston et al. 2015,
// arXiv:1502.05698) from their standard files.
//
// The data are a directory, an archive or a single file (see locate). If no path is given and
// no files are found, package simulate generates stories. An example is one question:
//
//   - memory: the statements of the story before the question, oldest first, one per row,
//     without questions;
//   - query: the words of the question;
//   - target: the answer; a list ("apple,football") is one label.
//
// Preprocessing is that of MEMO (Banino et al., ICLR 2020, appendix C.1):
// lower-case, '.' and '?' dropped, split on blanks.
//
// # Sizes
//
// The vocabulary covers all files found, training and test files of all twenty tasks, so that
// single-task and joint runs on the same data have the same word ids. Words are sorted; id 0
// is padding and never occurs in a batch. The full set has O = 177, the paper's value. S and
// S_q are the lengths of the longest statement and question of all files found (11 and 11 on
// the full set).
//
// I is the setting max_rows (320, as in the paper) for all tasks, so that a model's size does
// not depend on the task 3 file. For a subset of the tasks it is their longest memory, at
// most max_rows. Longer memories lose their oldest statements.
//
// # Splits
//
// Test is the test files. Validation is a tenth of the stories of each training file, sampled
// with a fixed seed; Train is the rest. A story belongs to one split with all of its
// questions. The official files repeat some short stories, also between training and test
// file.
//
// With held_out, training and validation lack the questions about certain combinations of
// words (heldout.go); the test split does not change.
//
// # Errors and caveats
//
// A missing file is an error that names it and the tasks that can be run; tasks are never
// omitted silently. A format error states file and line. Substitute training data need the
// setting substitute_task3. They are a caveat of the Spec, and so are simulated stories.
package babi
