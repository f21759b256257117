// Package tfrecord reads TFRecord files and the tf.train.Example messages in
// them, and writes those that TensorBoard reads (EventWriter).
//
// A file is a sequence of records:
//
//	uint64  length        little-endian
//	uint32  masked CRC-32C of the 8 bytes of length
//	byte    data[length]
//	uint32  masked CRC-32C of data
//
// Records yields the offset of each record, Read its checked bytes, and ParseExample its
// features.
//
//   - A format error is an *Error with file and offset.
//   - One record at a time is in memory. Its length is checked against the file's size
//     before allocation.
//
// Compressed files are not supported. The format is that of TensorFlow,
// tensorflow/core/lib/io/record_writer.h and tensorflow/core/example/*.proto.
package tfrecord

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"iter"

	"memobench/datasets/binfile"
)

const (
	headerSize = 8 + 4 // length and its checksum
	footerSize = 4     // checksum of the data
)

// File reads the records of one file. It is safe for concurrent use.
type File struct{ *binfile.File }

// Error is a violation of the format.
type Error = binfile.Error

// Record locates a record in its file.
type Record struct {
	Offset int64  // of the data
	Length int64  // of the data, bytes
	CRC    uint32 // CRC-32C of the data, as the file states it
}

// Open opens a regular file.
func Open(path string) (*File, error) {
	f, err := binfile.Open(path)
	if err != nil {
		return nil, err
	}
	return &File{f}, nil
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// maskDelta is added to a rotated checksum: a plain CRC of data that contain CRCs is weak.
const maskDelta = 0xa282ead8

// appendRecord appends one record to a file's bytes.
func appendRecord(file, data []byte) []byte {
	at := len(file)
	file = binary.LittleEndian.AppendUint64(file, uint64(len(data)))
	file = binary.LittleEndian.AppendUint32(file, mask(crc32.Checksum(file[at:], castagnoli)))
	file = append(file, data...)
	return binary.LittleEndian.AppendUint32(file, mask(crc32.Checksum(data, castagnoli)))
}

func mask(crc uint32) uint32 { return (crc>>15 | crc<<17) + maskDelta }

// unmask undoes ((crc >> 15) | (crc << 17)) + maskDelta.
func unmask(masked uint32) uint32 {
	rotated := masked - maskDelta
	return rotated>>17 | rotated<<15
}

// Records yields all records in order. It reads and checks their lengths, not their data. It
// stops after an error.
func (f *File) Records() iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		for at := int64(0); at < f.Size(); {
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
	left := f.Size() - at
	if left < headerSize {
		return Record{}, f.Errorf(at, "%d bytes left, a record begins with %d", left, headerSize)
	}
	var header [headerSize]byte
	if err := f.Fill(header[:], at); err != nil {
		return Record{}, err
	}
	if got, want := crc32.Checksum(header[:8], castagnoli),
		unmask(binary.LittleEndian.Uint32(header[8:])); got != want {
		if at == 0 && bytes.HasPrefix(header[:], []byte("\x1f\x8b")) { // gzip, RFC 1952
			return Record{}, f.Errorf(at, "the file is compressed: unpack it first")
		}
		return Record{}, f.Errorf(at, "checksum of the length is %08x, the file says %08x", got, want)
	}
	length := binary.LittleEndian.Uint64(header[:8])
	if left -= headerSize; left < footerSize || length > uint64(left-footerSize) {
		return Record{}, f.Errorf(at, "a record of %d bytes and its checksum, but %d bytes left", length, left)
	}
	rec := Record{Offset: at + headerSize, Length: int64(length)}
	var footer [footerSize]byte
	if err := f.Fill(footer[:], rec.Offset+rec.Length); err != nil {
		return Record{}, err
	}
	rec.CRC = unmask(binary.LittleEndian.Uint32(footer[:]))
	return rec, nil
}

// Read returns the checked data of a record, in buf if they fit.
func (f *File) Read(buf []byte, rec Record) ([]byte, error) {
	if rec.Offset < 0 || rec.Length < 0 || rec.Length > f.Size()-rec.Offset {
		return nil, f.Errorf(rec.Offset, "no record of %d bytes in a file of %d", rec.Length, f.Size())
	}
	if int64(cap(buf)) < rec.Length {
		buf = make([]byte, rec.Length)
	}
	buf = buf[:rec.Length]
	if err := f.Fill(buf, rec.Offset); err != nil {
		return nil, err
	}
	if got := crc32.Checksum(buf, castagnoli); got != rec.CRC {
		return nil, f.Errorf(rec.Offset, "checksum of the %d bytes of data is %08x, the file says %08x", rec.Length,
			got, rec.CRC)
	}
	return buf, nil
}
