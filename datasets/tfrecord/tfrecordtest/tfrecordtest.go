// Package tfrecordtest writes TFRecord files and tf.train.Example messages for
// tests. It shares no code with the reader, so that an error in one does not hide
// one in the other.
package tfrecordtest

import (
	"encoding/binary"
	"hash/crc32"
	"math"
	"os"
	"testing"

	"memobench/datasets/must"
)

// CRC32C is the cyclic redundancy check of RFC 3720.
func CRC32C(data []byte) uint32 { return crc32.Checksum(data, crc32.MakeTable(crc32.Castagnoli)) }

func masked(data []byte) uint32 {
	crc := CRC32C(data)
	return (crc>>15 | crc<<17) + 0xa282ead8
}

// Append appends one record to a file's bytes.
func Append(file, data []byte) []byte {
	at := len(file)
	file = binary.LittleEndian.AppendUint64(file, uint64(len(data)))
	file = binary.LittleEndian.AppendUint32(file, masked(file[at:]))
	file = append(file, data...)
	return binary.LittleEndian.AppendUint32(file, masked(data))
}

// Write writes a file of the given records.
func Write(t testing.TB, path string, records ...[]byte) {
	t.Helper()
	var file []byte
	for _, r := range records {
		file = Append(file, r)
	}
	must.Do(t, os.WriteFile(path, file, 0o666))
}

// Delimited is a length-delimited field of a message.
func Delimited(number byte, parts ...[]byte) []byte {
	var body []byte
	for _, p := range parts {
		body = append(body, p...)
	}
	return append(binary.AppendUvarint([]byte{number<<3 | 2}, uint64(len(body))), body...)
}

// Feature is one named feature; list is a field of tf.train.Feature, from
// Floats, Ints or Bytes.
func Feature(name string, list []byte) []byte {
	return Delimited(1, Delimited(1, []byte(name)), Delimited(2, list))
}

// Example is a tf.train.Example of features from Feature.
func Example(features ...[]byte) []byte { return Delimited(1, features...) }

// Floats is a packed list of floats.
func Floats(values ...float32) []byte { return Delimited(2, Delimited(1, RawFloats(values...))) }

// RawFloats are the packed values alone.
func RawFloats(values ...float32) []byte {
	var packed []byte
	for _, v := range values {
		packed = binary.LittleEndian.AppendUint32(packed, math.Float32bits(v))
	}
	return packed
}

// Ints is a packed list of integers.
func Ints(values ...int64) []byte { return Delimited(3, Delimited(1, RawInts(values...))) }

// RawInts are the packed values alone.
func RawInts(values ...int64) []byte {
	var packed []byte
	for _, v := range values {
		packed = binary.AppendUvarint(packed, uint64(v))
	}
	return packed
}

// Bytes is a list of strings.
func Bytes(values ...string) []byte {
	var list []byte
	for _, v := range values {
		list = append(list, Delimited(1, []byte(v))...)
	}
	return Delimited(1, list)
}
