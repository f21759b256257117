package tfrecord

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"iter"
	"os"
)

const (
	headerSize = 8 + 4 // length and its checksum
	footerSize = 4     // checksum of the data
)

// File reads the records of one file. It is safe for concurrent use.
type File struct {
	name   string
	r      io.ReaderAt
	size   int64
	closer io.Closer // nil without Open
}

// Record is the place of one record in its file.
type Record struct {
	Offset int64  // of the data
	Length int64  // of the data, bytes
	CRC    uint32 // CRC-32C of the data, as the file states it
}

// New returns a reader of size bytes of r; name stands in errors.
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
	return &File{name: path, r: f, size: info.Size(), closer: f}, nil
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

// Size returns the size of the file in bytes.
func (f *File) Size() int64 { return f.size }

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// maskDelta is added to a rotated checksum, so that the checksum of data that
// hold checksums is not weak.
const maskDelta = 0xa282ead8

// unmask undoes ((crc >> 15) | (crc << 17)) + maskDelta.
func unmask(masked uint32) uint32 {
	rotated := masked - maskDelta
	return rotated>>17 | rotated<<15
}

// Records yields the places of all records in order. It reads and checks
// lengths, not data. After an error nothing more is yielded.
func (f *File) Records() iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		for at := int64(0); at < f.size; {
			rec, err := f.record(at)
			if !yield(rec, err) || err != nil {
				return
			}
			at = rec.Offset + rec.Length + footerSize
		}
	}
}

// record reads the record that begins at the given offset.
func (f *File) record(at int64) (Record, error) {
	left := f.size - at
	if left < headerSize {
		return Record{}, f.errorf(at, "%d bytes left, a record begins with %d", left, headerSize)
	}
	var header [headerSize]byte
	if err := f.read(header[:], at); err != nil {
		return Record{}, err
	}
	if got, want := crc32.Checksum(header[:8], castagnoli), unmask(binary.LittleEndian.Uint32(header[8:])); got != want {
		if at == 0 && bytes.HasPrefix(header[:], []byte("\x1f\x8b")) { // gzip, RFC 1952
			return Record{}, f.errorf(at, "the file is compressed: unpack it first")
		}
		return Record{}, f.errorf(at, "checksum of the length is %08x, the file says %08x", got, want)
	}
	length := binary.LittleEndian.Uint64(header[:8])
	if left -= headerSize; left < footerSize || length > uint64(left-footerSize) {
		return Record{}, f.errorf(at, "a record of %d bytes and its checksum, but %d bytes left", length, left)
	}
	rec := Record{Offset: at + headerSize, Length: int64(length)}
	var footer [footerSize]byte
	if err := f.read(footer[:], rec.Offset+rec.Length); err != nil {
		return Record{}, err
	}
	rec.CRC = unmask(binary.LittleEndian.Uint32(footer[:]))
	return rec, nil
}

// Read returns the data of a record after checking them, in buf where they
// fit.
func (f *File) Read(buf []byte, rec Record) ([]byte, error) {
	if rec.Offset < 0 || rec.Length < 0 || rec.Length > f.size-rec.Offset {
		return nil, f.errorf(rec.Offset, "no record of %d bytes in a file of %d", rec.Length, f.size)
	}
	if int64(cap(buf)) < rec.Length {
		buf = make([]byte, rec.Length)
	}
	buf = buf[:rec.Length]
	if err := f.read(buf, rec.Offset); err != nil {
		return nil, err
	}
	if got := crc32.Checksum(buf, castagnoli); got != rec.CRC {
		return nil, f.errorf(rec.Offset, "checksum of the %d bytes of data is %08x, the file says %08x", rec.Length, got, rec.CRC)
	}
	return buf, nil
}

// read fills buf.
func (f *File) read(buf []byte, at int64) error {
	n, err := f.r.ReadAt(buf, at)
	if n == len(buf) {
		return nil
	}
	if err == io.EOF {
		return f.errorf(at+int64(n), "the file ends here, though its size was %d", f.size)
	}
	return fmt.Errorf("%s: offset %d: %w", f.name, at, err)
}

func (f *File) errorf(at int64, format string, args ...any) error {
	return &Error{File: f.name, Offset: at, Problem: fmt.Sprintf(format, args...)}
}
