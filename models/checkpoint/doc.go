// Package checkpoint keeps what a training run needs to continue bit for bit,
// and trained weights alone, on disk.
//
// What comes in: a model's State, the trainer's own state, and what identifies
// the run. What goes out: the same, or an error that names the file. A
// checkpoint of step 120 is two files of a directory:
//
//	000000120.safetensors   tensors, named group/name: weights, optimizer, selected
//	000000120.json          step, counters, configuration, hashes, trainer's state, size and
//	                        SHA-256 of the other file, and last the SHA-256 of all before
//
// What always holds:
//
//   - The JSON file is written last and commits the checkpoint; each file is
//     written under another name, synced and renamed, and the directory is
//     synced. A process killed at any moment, or a machine that loses power,
//     leaves the previous checkpoint or the new one, whole.
//   - The last two checkpoints are kept. Older ones, and what an interrupted Save
//     left, are removed only after the new one is committed. No file is removed
//     whose name does not have one of these forms.
//   - A checkpoint whose tensors do not have the size and SHA-256 that its JSON
//     file names, or whose JSON file does not have its own, is passed over for the
//     one before, and the reason is returned; so is one of an unknown schema version.
//
// Weights alone (SaveWeights) are a safetensors file whose metadata holds the
// configuration from which the model can be built again.
package checkpoint
