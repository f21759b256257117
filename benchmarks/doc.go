// Package benchmarks holds the protocols and runs them: what is trained on
// what, for how long, from which seed, and how it is judged.
//
// What comes in: a preset (embedded YAML, see presets/, or a file of the same
// form), changed by key=value overrides. What goes out: one directory a run,
// with its result record. The way through the package:
//
//	LoadPreset("quick")            *Preset: experiments, each one task under one
//	                               protocol, with its models and seeds
//	Preset.Select(task, model, …)  keep a part of it
//	Preset.Set("memo.hops=5")      override; errors suggest the nearest key
//	Preset.YAML()                  the resolved whole, itself a preset
//	Preset.Cells()                 []Cell: model x task x seed, fully resolved
//	Run(ctx, cell, options)        *record.Record of one cell, in options.Dir
//	RunAll(ctx, cells, options)    one directory per cell below options.Dir;
//	                               finished cells are kept, half-done ones resume
//	EvalRun(ctx, path, options)    judge trained weights once more
//
// What always holds:
//
//   - Every model of an experiment gets the same batches in the same order, at
//     most the same number of steps, the same evaluation code and questions. A
//     run that ends before the last step (early stop, time limit, divergence)
//     says so in its status and caveats. The Protocol, which holds these terms,
//     is a value with a hash, and runs of different hashes are never compared.
//     Nothing of a model is in it.
//   - Where a question asks for several answers in turn, each is counted, and all
//     of them together: asked for with the model's own answers in its queries,
//     and beside that, of every model that can be asked so, with the right ones.
//     Where others than the target are right as well, they are counted, too.
//   - The same cell gives the same record but for times (record.Times), and a
//     run that was interrupted and resumed ends with the same weights, bit for
//     bit, as one that was not. Both hold for one linear algebra library and
//     number of its threads; a run resumed under another says so.
//   - A run's directory is locked while a process works on it. What this run did
//     not write is never replaced without Overwrite, and what a finished run left
//     is not returned for another configuration or other data. Before every save
//     the lock is compared with the file at its path: a run whose directory was
//     moved, removed or replaced saves next to it and ends with an error.
//   - What the final evaluation needs is opened, and its first questions are drawn,
//     before the first step. If it fails nevertheless, the weights and the
//     checkpoint are kept, and resuming evaluates again.
//   - record.json has the SHA-256 of the weights and the curve, a checkpoint those
//     of its tensors, of the curve so far and of itself. Damaged files are not used.
//   - The training loop knows no user interface: it calls hooks and a Progress.
//   - A run that diverges (a loss that is NaN, infinite or above 1e6 times the loss
//     of guessing) is a result, not an error: its record counts no right answers and
//     says so.
//   - A batch is a pure function of (data, seed, step), so the step is all the
//     state that the data have in a checkpoint.
//
// # A run's directory
//
//	record.json         the result (package record; SCHEMA.md there lists the keys)
//	bench.txt           the same numbers in the Go benchmark format, for benchstat
//	predictions.jsonl   the answer to every test question, when it was asked for
//	curve.jsonl         the learning curve: one JSON object per evaluation
//	model.safetensors   the judged weights; its metadata rebuilds the model
//	config.yaml         the resolved cell, as a preset of one experiment
//	checkpoint/         what resuming needs: weights, optimizer, counters at its last two saves
//	lock                held while a process works here: its number, host and run
//
// record.json is written last: a directory that has one with a finished
// status is done. A run that diverged leaves no model.safetensors. A run that
// was ended by a time limit has a record of what it reached, with status
// interrupted, and keeps its checkpoint.
package benchmarks
