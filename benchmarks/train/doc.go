// Package train trains cells and writes their results.
//
// What comes in: a study.Cell, or a list of them. What goes out: one directory per run,
// with its result record.
//
//	Run(ctx, cell, options)        *record.Record of one cell, in options.Dir
//	RunAll(ctx, cells, options)    one directory per cell below options.Dir; finished
//	                               cells are kept, unfinished ones resume
//
// What always holds:
//
//   - Every model of an experiment gets the same batches in the same order, at most the
//     same number of steps, and the same questions. A run that ends before the last step
//     (early stop, time limit, divergence) says so in its status and caveats.
//   - The same cell gives the same record except for times (record.Times). A run that was
//     interrupted and resumed ends with the same weights, bit for bit, as one that was
//     not. Both hold for one BLAS and one number of its threads; a run resumed under
//     another BLAS has a caveat.
//   - A run's directory is locked while a process works on it. Files that this run did
//     not write are replaced only with Overwrite, and the record of a finished run is
//     returned only for the same configuration and data.
//   - Before the first step the data of the final evaluation are opened and its first
//     questions drawn. If the evaluation still fails, the checkpoint is kept, and resuming
//     evaluates again.
//   - record.json has the SHA-256 of the weights and the curve, a checkpoint those of its
//     tensors and of itself. Of two checkpoints the last intact one is used, whatever the
//     state of the other files.
//   - The training loop has no user interface: it calls hooks and a Progress.
//   - A run that diverges (a loss that is NaN, infinite or above 1e6 times the loss of
//     guessing) is a result, not an error: its record counts no right answers and says so.
//   - A batch is a pure function of (data, seed, step), so the step is the only state of
//     the data in a checkpoint.
//
// # A run's directory
//
//	record.json         the result (package record; SCHEMA.md there lists the keys)
//	bench.txt           the same numbers in the Go benchmark format, for benchstat
//	predictions.jsonl   the answer to every test question, on request
//	curve.jsonl         the learning curve: one JSON object per evaluation
//	model.safetensors   the evaluated weights; its metadata rebuilds the model
//	config.yaml         the resolved cell, as a study of one run
//	checkpoint/         the last two saves of weights, optimizer and trainer state
//	lock                locked while a process works here: its number, host and run
//
// record.json is written last: a run is done when its record has a finished status. A
// run that diverged leaves no model.safetensors. A run that was ended by a time limit
// has a record with status interrupted, and keeps its checkpoint.
package train
