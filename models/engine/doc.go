// Package engine runs Gorgonia graphs.
//
// What comes in: a graph whose nodes are fused operations (Kernel) and the few
// Gorgonia built-ins known to be right, over named parameters that live in one
// flat array (Params). Gorgonia types the graph and differentiates it
// symbolically. What goes out: a Program, which evaluates the outputs and, for
// a cost, fills Params.Grad.
//
// What always holds:
//
//   - Nodes run in one fixed topological order on one goroutine, each into a
//     buffer of its own. Nothing is aliased, no register is reused; that is why
//     none of the aliasing faults of Gorgonia's TapeMachine can happen here.
//   - The declared shapes of a graph are nominal. Kernels size their results by
//     their inputs at run time, so one graph serves batches of any size.
//   - Gradients that are summed (a weight used at every hop) are accumulated in
//     place by the kernels that produce them.
//   - Programs built over one Params share its weights: a training and an
//     evaluation graph never copy.
//   - The code is generic over float32 (training) and float64 (tests against
//     reference values); the same graph serves both.
//
// Gorgonia 0.9.18 checks, through the blank import below, that it runs on a
// known garbage collector, and an old version of that check panics on current
// Go; go.mod therefore requires a newer one explicitly.
package engine

import _ "go4.org/unsafe/assume-no-moving-gc" // see the package comment
