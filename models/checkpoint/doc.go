// Package checkpoint keeps what a training run needs to continue bit for bit,
// and trained weights alone, on disk.
//
// What comes in: a model's State, the trainer's own state, and what identifies
// the run. What goes out: the same, or an error that names the file. A
// checkpoint of step 120 is two files of a directory:
//
//	000000120.safetensors   tensors, named group/name: weights, optimizer, selected
//	000000120.json          step, counters, configuration, hashes, trainer's state, and
//	                        size and SHA-256 of the other file
//
// What always holds:
//
//   - The JSON file is written last and commits the checkpoint; each file is
//     written under another name, synced and renamed, and the directory is
//     synced. A process killed at any moment, or a machine that loses power,
//     leaves the previous checkpoint or the new one, whole.
//   - Older checkpoints, and what an interrupted Save left, are removed only
//     after the new one is committed.
//   - A checkpoint whose tensors do not have the size and SHA-256 that its JSON
//     file names is refused; so is one of another schema version.
//
// Weights alone (SaveWeights) are a safetensors file whose metadata holds the
// configuration from which the model can be built again.
package checkpoint
