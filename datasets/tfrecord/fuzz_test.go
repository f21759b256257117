package tfrecord

import (
	"bytes"
	"errors"
	"path/filepath"
	"testing"

	"memobench/datasets/tfrecord/tfrecordtest"
)

// FuzzRecords checks that no file makes the reader panic, that errors are
// inside of the file, that no record is larger than the file, and that what was
// read is, written again, the beginning of the file.
func FuzzRecords(f *testing.F) {
	f.Add([]byte{}, true)
	f.Add(tfrecordtest.Append(nil, nil), true)
	f.Add(tfrecordtest.Append(tfrecordtest.Append(nil, []byte("one")), []byte("another")), true)
	f.Add([]byte("\x1f\x8b123456789012345"), true)
	f.Add(tfrecordtest.Example(tfrecordtest.Feature("a", tfrecordtest.Floats(1, 2)),
		tfrecordtest.Feature("b", tfrecordtest.Ints(-1))), false)
	path := filepath.Join(f.TempDir(), "file")
	f.Fuzz(func(t *testing.T, file []byte, whole bool) {
		if !whole { // so that the fuzzer need not find checksums
			file = tfrecordtest.Append(nil, file)
		}
		records, err := readBytes(t, path, file)
		var where *Error
		if err != nil && (!errors.As(err, &where) || where.Offset < 0 || where.Offset > int64(len(file))) {
			t.Fatalf("%d bytes: %v", len(file), err)
		}
		var again []byte
		for _, r := range records {
			again = tfrecordtest.Append(again, r)
		}
		if !bytes.HasPrefix(file, again) || err == nil && len(again) != len(file) {
			t.Fatalf("%d records of %x written again are %x", len(records), file, again)
		}
		for _, r := range records {
			checkExample(t, r)
		}
	})
}

// FuzzExample does the same for messages.
func FuzzExample(f *testing.F) {
	d := tfrecordtest.Delimited
	for _, list := range [][]byte{
		tfrecordtest.Floats(1, 2, 3), tfrecordtest.Ints(1, -1, 1<<40), tfrecordtest.Bytes("a", ""), nil,
		d(2, []byte{1<<3 | 5, 0, 0, 128, 63}, d(1, tfrecordtest.RawFloats(2))),
		d(3, []byte{1 << 3, 5}, d(1, tfrecordtest.RawInts(6))),
		append(tfrecordtest.Ints(4), tfrecordtest.Floats(5)...),
	} {
		f.Add(tfrecordtest.Example(tfrecordtest.Feature("name", list), tfrecordtest.Feature("other", list)))
	}
	f.Add([]byte{9<<3 | 3, 9<<3 | 4})
	f.Fuzz(func(t *testing.T, data []byte) { checkExample(t, data) })
}

// checkExample parses data: errors and features are inside of them, and there are no more
// values than bytes.
func checkExample(t *testing.T, data []byte) {
	features, err := ParseExample("file", 1000, data)
	if err != nil {
		var where *Error
		if !errors.As(err, &where) || where.Offset < 1000 || where.Offset > 1000+int64(len(data)) {
			t.Fatalf("%x: %v", data, err)
		}
		return
	}
	values := 0
	for name, f := range features {
		if f.Offset < 1000 || f.Offset > 1000+int64(len(data)) {
			t.Fatalf("%x: feature %q at %d", data, name, f.Offset)
		}
		values += len(f.Floats) + len(f.Ints)
	}
	if values > len(data) {
		t.Fatalf("%x: %d values", data, values)
	}
}
