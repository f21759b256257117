// Package tfrecord writes the files that TensorBoard reads: records of tensorflow.Event messages.
//
// A record is its length (uint64, little-endian), the masked CRC-32C of these 8 bytes (uint32), the data
// and the masked CRC-32C of the data. Sources: TensorFlow, tensorflow/core/lib/io/record_writer.h and
// tensorflow/core/util/event.proto.
package tfrecord

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"
	"os"
	"path/filepath"
	"time"
)

// EventsPrefix begins the names of files that TensorBoard reads.
const EventsPrefix = "events.out.tfevents."

// EventsSuffix ends the names of those of this program.
const EventsSuffix = ".memobench"

// Scalar is a value of a curve in TensorBoard.
type Scalar struct {
	Tag   string // curves of one name before a slash are shown together
	Value float64
}

// EventWriter writes scalars for TensorBoard.
type EventWriter struct{ f *os.File }

// NewEventWriter makes a new file in the directory.
func NewEventWriter(dir string) (*EventWriter, error) {
	now := time.Now()
	f, err := os.OpenFile(filepath.Join(dir, fmt.Sprintf("%s%d%s", EventsPrefix, now.UnixNano(), EventsSuffix)), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return nil, err
	}
	w := &EventWriter{f}
	return w, w.write(now, 0, appendBytes(nil, 3, "brain.Event:2"))
}

// Write writes the values of a step.
func (w *EventWriter) Write(step int, scalars ...Scalar) error {
	var summary []byte
	for _, s := range scalars {
		value := append(appendBytes(nil, 1, s.Tag), 2<<3|fixed32)
		value = binary.LittleEndian.AppendUint32(value, math.Float32bits(float32(s.Value)))
		summary = appendBytes(summary, 1, string(value))
	}
	return w.write(time.Now(), step, appendBytes(nil, 5, string(summary)))
}

// write writes an event: its time, its step and one field.
func (w *EventWriter) write(at time.Time, step int, field []byte) error {
	event := binary.LittleEndian.AppendUint64([]byte{1<<3 | fixed64}, math.Float64bits(float64(at.UnixNano())/1e9))
	event = binary.AppendUvarint(append(event, 2<<3|varint), uint64(step))
	event = append(event, field...)
	record := binary.LittleEndian.AppendUint64(nil, uint64(len(event)))
	record = append(appendMasked(record, record), event...)
	_, err := w.f.Write(appendMasked(record, event))
	return err
}

// Close closes the file.
func (w *EventWriter) Close() error { return w.f.Close() }

// Wire types of protocol buffers.
const varint, fixed64, delimited, fixed32 = 0, 1, 2, 5

// appendBytes appends a field of bytes to a message.
func appendBytes(message []byte, number byte, value string) []byte {
	message = binary.AppendUvarint(append(message, number<<3|delimited), uint64(len(value)))
	return append(message, value...)
}

// appendMasked appends the masked CRC-32C of data.
func appendMasked(dst, data []byte) []byte {
	crc := crc32.Checksum(data, crc32.MakeTable(crc32.Castagnoli))
	return binary.LittleEndian.AppendUint32(dst, (crc>>15|crc<<17)+0xa282ead8)
}
