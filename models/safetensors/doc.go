// Package safetensors reads and writes files of named numeric arrays in the
// safetensors format: an unsigned 64-bit little-endian header length, a JSON
// header, and the raw little-endian values, row-major, without gaps.
//
//	{"__metadata__": {"k": "v"}, "name": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}, ...}
//
// What comes in: tensors of float32 or float64 with string metadata, or a
// file. What goes out: the same. What always holds:
//
//   - Reading is strict: a header that is too long, is not one JSON object,
//     names a tensor twice or has unknown keys, and offsets that overlap, leave
//     gaps, leave the file or disagree with shape and type are refused, naming
//     the tensor. No input makes it panic.
//   - Reading never allocates more for values than the file holds, whatever the
//     header promises.
//   - Written files have their values on 8-byte boundaries, so that they can be
//     mapped into memory, and equal input gives equal bytes.
//
// Only the types F32 and F64 are supported; others are refused by name.
//
// Source: the format description of the safetensors project, version 0.4.
package safetensors
