package tfrecord

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"time"

	"google.golang.org/protobuf/encoding/protowire"
)

// EventsPrefix begins the names of files that TensorBoard reads.
const EventsPrefix = "events.out.tfevents."

// Scalar is a value of a curve in TensorBoard.
type Scalar struct {
	Tag   string // curves of one name before a slash are shown together
	Value float64
}

// EventWriter writes scalars for TensorBoard: tensorflow.Event messages
// (tensorflow/core/util/event.proto), one per record.
type EventWriter struct{ f *os.File }

// NewEventWriter makes a new file in the directory.
func NewEventWriter(dir string) (*EventWriter, error) {
	now := time.Now()
	f, err := os.OpenFile(filepath.Join(dir, fmt.Sprintf("%s%d.memobench", EventsPrefix, now.UnixNano())), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return nil, err
	}
	w := &EventWriter{f}
	version := protowire.AppendString(protowire.AppendTag(nil, 3, protowire.BytesType), "brain.Event:2")
	return w, w.write(now, 0, version)
}

// Write writes the values of a step.
func (w *EventWriter) Write(step int, scalars ...Scalar) error {
	var summary []byte
	for _, s := range scalars {
		value := protowire.AppendString(protowire.AppendTag(nil, 1, protowire.BytesType), s.Tag)
		value = protowire.AppendFixed32(protowire.AppendTag(value, 2, protowire.Fixed32Type), math.Float32bits(float32(s.Value)))
		summary = protowire.AppendBytes(protowire.AppendTag(summary, 1, protowire.BytesType), value)
	}
	return w.write(time.Now(), step, protowire.AppendBytes(protowire.AppendTag(nil, 5, protowire.BytesType), summary))
}

// write writes an event: its time, its step and one field.
func (w *EventWriter) write(at time.Time, step int, field []byte) error {
	event := protowire.AppendFixed64(protowire.AppendTag(nil, 1, protowire.Fixed64Type), math.Float64bits(float64(at.UnixNano())/1e9))
	event = protowire.AppendVarint(protowire.AppendTag(event, 2, protowire.VarintType), uint64(step))
	_, err := w.f.Write(appendRecord(nil, append(event, field...)))
	return err
}

// Close closes the file.
func (w *EventWriter) Close() error { return w.f.Close() }
