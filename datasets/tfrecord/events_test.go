package tfrecord

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"

	"memobench/datasets/must"
	"memobench/datasets/tfrecord/tfrecordtest"
)

// fields reads the fields of a message: numbers as bits, the others as bytes.
func fields(t *testing.T, message []byte) map[protowire.Number]any {
	t.Helper()
	list := map[protowire.Number]any{}
	for len(message) > 0 {
		number, typ, n := protowire.ConsumeTag(message)
		message = message[max(n, 0):]
		switch typ {
		case protowire.VarintType:
			list[number], n = protowire.ConsumeVarint(message)
		case protowire.Fixed64Type:
			list[number], n = protowire.ConsumeFixed64(message)
		case protowire.Fixed32Type:
			list[number], n = protowire.ConsumeFixed32(message)
		default:
			list[number], n = protowire.ConsumeBytes(message)
		}
		if n < 0 {
			t.Fatal(protowire.ParseError(n))
		}
		message = message[n:]
	}
	return list
}

// What TensorBoard reads is a version, and then the values of each step.
func TestEventsAreReadBack(t *testing.T) {
	dir := t.TempDir()
	w, err := NewEventWriter(dir)
	if err != nil {
		t.Fatal(err)
	}
	must.Do(t, w.Write(250, Scalar{"accuracy/A-C", 51.5}))
	must.Do(t, w.Close())
	files, err := filepath.Glob(filepath.Join(dir, EventsPrefix+"*"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	f := must.Get(Open(files[0]))(t)
	defer f.Close()
	var events []map[protowire.Number]any
	var again []byte
	for rec, err := range f.Records() {
		if err != nil {
			t.Fatal(err)
		}
		data := must.Get(f.Read(nil, rec))(t)
		again = tfrecordtest.Append(again, data)
		events = append(events, fields(t, data))
	}
	if written, err := os.ReadFile(files[0]); err != nil || string(written) != string(again) {
		t.Errorf("the framing is another one than that of the format (%v)", err)
	}
	if len(events) != 2 || string(events[0][3].([]byte)) != "brain.Event:2" || events[1][2] != uint64(250) || math.Float64frombits(events[1][1].(uint64)) < 1.6e9 {
		t.Fatalf("%v", events)
	}
	value := fields(t, fields(t, events[1][5].([]byte))[1].([]byte))
	if string(value[1].([]byte)) != "accuracy/A-C" || math.Float32frombits(value[2].(uint32)) != 51.5 {
		t.Errorf("%v", value)
	}
	if _, err := NewEventWriter(filepath.Join(dir, "none")); err == nil || !strings.Contains(err.Error(), "none") {
		t.Errorf("no directory: %v", err)
	}
}
