// Package modeltest holds the contract that every model passes: Run checks a
// constructor on small random tasks, one subtest a property. It says nothing
// about what a model computes; reference values and finite differences do
// that.
package modeltest
