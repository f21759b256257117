// Package show picks a few examples of a task for a reader.
//
// What comes in: a source or bAbI files, a split, a kind of query and a seed. What
// goes out: examples, in words. What always holds: the same arguments give the
// same examples, and an example stands with its right answer.
package show
