// Package modeltest holds the contract that every model passes. What comes in
// is a constructor; the package makes small random tasks of every kind: with and
// without an order in time, with several answers, with dense items.
//
// Run checks the promises of models.Model, one subtest a property; it says
// nothing about what a model computes. RunCounted is the part of it
// for models without a gradient. Gradients holds the whole loss against
// finite differences in float64. Separate is for models whose answers share
// nothing but the memory. Reference values remain each model's own affair.
package modeltest
