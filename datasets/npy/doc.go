// Package npy reads and writes numpy's .npy files: one array of numbers each.
//
// What comes in: a file of format version 1, 2 or 3 that holds floats (16, 32 or
// 64 bits) or integers (8 to 64 bits), of either byte order, in C order. What
// goes out: its shape and any stretch of its elements, converted to float32 or
// int64; and from a Writer such a file, number by number. What always holds:
//
//   - A file that breaks the format, or holds what is not read here (structures,
//     strings, complex numbers, Fortran order), is an *Error with file and
//     offset; nothing panics.
//   - The array stays in the file: memory is for the header, at most 64 KiB, and
//     for what is asked for. The shape is held against the file's size when the
//     file is opened.
//
// The format is described in numpy's documentation, numpy.lib.format.
package npy
