package tfrecord

import (
	"bytes"
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memobench/datasets/must"
)

// The checksum is that of the TFRecord format: computed bit by bit.
func TestMaskedChecksum(t *testing.T) {
	length := []byte{3, 0, 0, 0, 0, 0, 0, 0}
	if got := appendMasked(nil, length); !bytes.Equal(got, []byte{0xb0, 0x99, 0x49, 0x0e}) {
		t.Errorf("% x", got)
	}
}

// What TensorBoard reads is a version, and then the values of each step.
func TestEvents(t *testing.T) {
	dir := t.TempDir()
	w := must.Get(NewEventWriter(dir))(t)
	must.Do(t, w.Write(250, Scalar{"accuracy/A-C", 51.5}))
	must.Do(t, w.Close())
	files, err := filepath.Glob(filepath.Join(dir, EventsPrefix+"*"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	var events [][]byte
	for data := must.Get(os.ReadFile(files[0]))(t); len(data) > 0; {
		n := binary.LittleEndian.Uint64(data)
		events = append(events, data[12:12+n])
		data = data[12+n+4:]
	}
	if len(events) != 2 || !bytes.HasSuffix(events[0], []byte("\x1a\x0dbrain.Event:2")) {
		t.Fatalf("%q", events)
	}
	// Step 250 as a varint, then summary, value, tag and simple_value.
	want := "\x10\xfa\x01\x2a\x15\x0a\x13\x0a\x0caccuracy/A-C\x15" + string(binary.LittleEndian.AppendUint32(nil, math.Float32bits(51.5)))
	if !strings.HasSuffix(string(events[1]), want) {
		t.Errorf("%q, want the end %q", events[1], want)
	}
	if _, err := NewEventWriter(filepath.Join(dir, "none")); err == nil || !strings.Contains(err.Error(), "none") {
		t.Errorf("no directory: %v", err)
	}
}
