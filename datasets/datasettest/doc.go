// Package datasettest is the contract test of datasets.Source: what any task
// must pass.
//
// What comes in: a Suite, which says how to build the source and what is known
// of it. What goes out: one subtest per promise of the contract. What always
// holds: each check is a function that returns an error, and the package's own
// tests show for each of them a broken source that it catches.
package datasettest
