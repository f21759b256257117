// Package paper holds the numbers that Banino et al., "MEMO: A Deep Network for
// Flexible Combination of Episodic Memories", ICLR 2020, print in their tables,
// so that a measured number can stand beside the published one.
//
// What comes in: nothing; one file holds one table, transcribed from the
// paper. What goes out: Lookup, the published value of a model on a row of a
// task. What always holds: a number is as printed, with the standard deviation
// where one is printed; where the paper contradicts itself the table says so in
// its Remarks.
package paper
