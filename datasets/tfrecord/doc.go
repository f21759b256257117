// Package tfrecord reads TFRecord files and the tf.train.Example messages in
// them.
//
// What comes in: a file, one record after another:
//
//	uint64  length        little-endian
//	uint32  masked CRC-32C of the 8 bytes of length
//	byte    data[length]
//	uint32  masked CRC-32C of data
//
// What goes out: the place of each record (Records), its checked bytes (Read),
// and its features (ParseExample). What always holds:
//
//   - A file that breaks the format is an *Error with file and offset; nothing
//     panics.
//   - Memory is for one record at a time, and a record cannot be longer than the
//     rest of its file: a length is held against the file's size before anything
//     is allocated for it. An Example is read where it lies and copies nothing.
//
// Compressed files are not read. The format is that of TensorFlow,
// tensorflow/core/lib/io/record_writer.h and tensorflow/core/example/*.proto.
package tfrecord
