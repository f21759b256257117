// Package binfile is what the readers of binary formats share: a file of known
// size that is read at any place, and errors that name file and offset.
//
// What comes in: a path, or an io.ReaderAt and its size. What goes out: the
// bytes at a place. What always holds: a read that the file cannot fill is an
// *Error, and a File is safe for concurrent use.
package binfile

import (
	"fmt"
	"io"
	"os"
)

// File is a file of known size.
type File struct {
	name   string
	r      io.ReaderAt
	size   int64
	closer io.Closer // nil without Open
}

// New returns a File of size bytes of r; name stands in errors.
func New(name string, r io.ReaderAt, size int64) *File {
	return &File{name: name, r: r, size: size}
}

// Open opens a regular file.
func Open(path string) (*File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s: not a regular file", path)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return &File{path, f, info.Size(), f}, nil
}

// Close closes what Open opened.
func (f *File) Close() error {
	if f.closer == nil {
		return nil
	}
	return f.closer.Close()
}

// Name returns the name that stands in errors.
func (f *File) Name() string { return f.name }

// Size returns the size in bytes.
func (f *File) Size() int64 { return f.size }

// Fill fills buf with the bytes from offset at on.
func (f *File) Fill(buf []byte, at int64) error {
	n, err := f.r.ReadAt(buf, at)
	if n == len(buf) {
		return nil
	}
	if err == io.EOF {
		return f.Errorf(at+int64(n), "the file ends here, though its size was %d", f.size)
	}
	return fmt.Errorf("%s: offset %d: %w", f.name, at, err)
}

// Error is a file that breaks its format, or that holds what is not read.
type Error struct {
	File    string
	Offset  int64 // bytes from the start of the file
	Problem string
}

func (e *Error) Error() string {
	return fmt.Sprintf("%s: offset %d: %s", e.File, e.Offset, e.Problem)
}

// Errorf returns an *Error.
func (f *File) Errorf(at int64, format string, args ...any) error {
	return &Error{f.name, at, fmt.Sprintf(format, args...)}
}
