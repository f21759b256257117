// Package binfile reads regular files of known size at any offset, or as a whole up to a size
// limit. Errors name file and offset.
//
// A path to a device or a pipe is an error and does not block. A read beyond the end of the
// file is an *Error. A File is safe for concurrent use.
package binfile

import (
	"fmt"
	"io"
	"io/fs"
	"os"
)

// File is a file of known size.
type File struct {
	f    *os.File
	size int64
}

// Open opens a regular file.
func Open(path string) (*File, error) {
	f, size, err := OpenRegular(path)
	if err != nil {
		return nil, err
	}
	return &File{f, size}, nil
}

// OpenRegular opens a regular file, or a link to one, for reading, and returns
// its size.
func OpenRegular(path string) (*os.File, int64, error) {
	// Before os.Open, which blocks on a pipe.
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, 0, fmt.Errorf("%s is %s, want a regular file", path, kindOf(info.Mode()))
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, 0, err
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, 0, err
	}
	return f, info.Size(), nil
}

// ReadFile reads a regular file of at most limit bytes.
func ReadFile(path string, limit int64) ([]byte, error) {
	f, _, err := OpenRegular(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(data)) > limit {
		err = fmt.Errorf("%s is larger than %s, the most that is read of such a file", path, amount(limit))
	}
	return data, err
}

func kindOf(mode fs.FileMode) string {
	for _, kind := range []struct {
		bit  fs.FileMode
		name string
	}{{fs.ModeDir, "a directory"}, {fs.ModeNamedPipe, "a named pipe"}, {fs.ModeSocket, "a socket"}, {fs.ModeDevice, "a device"}} {
		if mode&kind.bit != 0 {
			return kind.name
		}
	}
	return "no file"
}

func amount(bytes int64) string {
	switch {
	case bytes >= 1<<20:
		return fmt.Sprintf("%d MiB", bytes>>20)
	case bytes >= 1<<10:
		return fmt.Sprintf("%d KiB", bytes>>10)
	}
	return fmt.Sprintf("%d bytes", bytes)
}

// Close closes the file.
func (f *File) Close() error { return f.f.Close() }

// Name returns the path that the file was opened by, for errors.
func (f *File) Name() string { return f.f.Name() }

// Size returns the size in bytes.
func (f *File) Size() int64 { return f.size }

// Fill reads len(buf) bytes from offset at.
func (f *File) Fill(buf []byte, at int64) error {
	n, err := f.f.ReadAt(buf, at)
	if n == len(buf) {
		return nil
	}
	if err == io.EOF {
		return f.Errorf(at+int64(n), "the file ends here, though its size was %d", f.size)
	}
	return fmt.Errorf("%s: offset %d: %w", f.Name(), at, err)
}

// Error is a violation of a file's format, or an unsupported feature.
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
	return &Error{f.Name(), at, fmt.Sprintf(format, args...)}
}
