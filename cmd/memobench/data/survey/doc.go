// Package survey describes data by numbers.
//
// What comes in: a source of examples, or a path to data in any form that
// package files finds. What goes out: a Survey, to be written as text or as JSON.
// What always holds: numbers are counts or follow from counts, those of a
// generator are of a sample that depends on split, seed and size alone, and
// labels and settings stand beside them.
package survey
