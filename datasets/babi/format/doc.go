// Package format reads and writes the standard files of the bAbI tasks (Weston
// et al. 2015, arXiv:1502.05698):
//
//	1 Mary went to the hall.
//	2 Where is Mary? <tab>hall<tab>1
//
// What comes in: the bytes of a file, or stories line by line. What goes out:
// lines with their parts apart, or bytes of a file. What always holds: what
// Scan accepts has numbered lines, questions with an answer of one word, and
// supporting facts that are earlier statements of the same story; an error
// names file and line. Writer writes what Scan accepts.
package format
