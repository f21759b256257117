// Package external runs a model as another process, in any language: memobench keeps
// control of data, batches, seeds, steps, evaluation, checkpoints and records, and the
// process trains on a batch, scores a batch, and hands over its state.
//
// Messages go over the standard input and output of the process (PROTOCOL.md); what it
// writes to standard error is shown as it is. The process is asked for one thing at a
// time. If it does not answer in time, ends, or answers with something else than what
// was asked for, the run ends with an error that says so; its last checkpoint is kept.
//
// tools/python has a client in Python of one file, and examples.
package external
