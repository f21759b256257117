// Package check looks for errors in files of data.
//
// What comes in: a path, to bAbI files in any form that package babi reads, to
// the released shards or to .npy files as package pai reads them, or to what
// package files wrote. What goes out: a Report. What always holds: every file is
// read to its end or to where nothing can be read any more; all errors are
// counted and the first ten kept, each with file and line or offset; nothing is
// changed.
package check
