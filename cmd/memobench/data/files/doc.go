// Package files writes generated datasets to files and reads them again.
//
// What comes in: a task's name, its settings, a seed and numbers of examples, or
// a directory that was written. What goes out: a directory with a header,
// dataset.json, and the data in one of three forms:
//
//   - examples: train.jsonl, validation.jsonl and test.jsonl, one example a line;
//   - embeddings: these, and beside them the tables of items as package pai reads
//     them, train.npy and train_classes.npy and so on, whose lines the examples
//     name; of the items those that the examples name, or all;
//   - stories: bAbI files in the standard format, as package babi reads them.
//
// SCHEMA.md explains every key and is written into the directory.
//
// What always holds: a directory is there with all of its files or not at all;
// the header names the task, all settings, the seed and the fingerprint of the
// generator, and the size and SHA-256 of every file; the same four give the same
// files, and those of fewer examples are the beginning of those of more. What is
// read is checked against the header: an error names file and line, and bad
// input never takes more memory than a line.
package files
