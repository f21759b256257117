package tfrecord

import (
	"encoding/binary"
	"errors"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"memobench/datasets/tfrecord/tfrecordtest"
)

func parse(t *testing.T, data []byte) map[string]Feature {
	t.Helper()
	features, err := ParseExample("file", 100, data)
	if err != nil {
		t.Fatal(err)
	}
	return features
}

func TestFeaturesAreReadBack(t *testing.T) {
	wantFloats := []float32{0, 1.5, float32(math.Inf(-1)), math.MaxFloat32, -math.SmallestNonzeroFloat32}
	wantInts := []int64{0, 1, 127, 128, math.MaxInt64, -1, math.MinInt64}
	e := parse(t, tfrecordtest.Example(
		tfrecordtest.Feature("trials", tfrecordtest.Floats(wantFloats...)),
		tfrecordtest.Feature("größe", tfrecordtest.Ints(wantInts...)),
		tfrecordtest.Feature("names", tfrecordtest.Bytes("one", "", "three")),
		tfrecordtest.Feature("none", nil),
		tfrecordtest.Feature("empty", tfrecordtest.Floats()),
	))
	want := []string{"empty", "größe", "names", "none", "trials"}
	if names := slices.Sorted(maps.Keys(e)); !slices.Equal(names, want) {
		t.Errorf("features %q, want %q", names, want)
	}
	if got := e["trials"].Floats; !slices.Equal(got, wantFloats) {
		t.Errorf("floats %v, want %v", got, wantFloats)
	}
	if got := e["größe"].Ints; !slices.Equal(got, wantInts) {
		t.Errorf("integers %v, want %v", got, wantInts)
	}
	for _, name := range []string{"names", "none", "empty"} {
		if f := e[name]; len(f.Floats)+len(f.Ints) > 0 || f.Offset <= 100 {
			t.Errorf("%s: %+v", name, f)
		}
	}
}

// Other encodings of the same message.
func TestOtherEncodingsMeanTheSame(t *testing.T) {
	list := func(number byte, parts ...[]byte) []byte { return tfrecordtest.Delimited(number, parts...) }
	packed := func(v ...float32) []byte { return list(1, tfrecordtest.RawFloats(v...)) }
	unpacked := func(v float32) []byte {
		return append([]byte{1<<3 | 5}, tfrecordtest.RawFloats(v)...)
	}
	unpackedInt := func(v int64) []byte { return binary.AppendUvarint([]byte{1 << 3}, uint64(v)) }
	unknown := [][]byte{
		{9 << 3, 0x96, 1}, {9<<3 | 5, 1, 2, 3, 4}, {9<<3 | 1, 1, 2, 3, 4, 5, 6, 7, 8}, list(9, []byte("x")),
		{9<<3 | 3, 8 << 3, 1, 9<<3 | 4}, // a group
	}
	junk := slices.Concat(unknown...)
	want := []float32{1, 2, 3}
	for name, feature := range map[string][]byte{
		"packed":             list(2, packed(1, 2, 3)),
		"unpacked":           list(2, unpacked(1), unpacked(2), unpacked(3)),
		"chunks":             list(2, packed(1), packed(), packed(2, 3)),
		"mixed":              list(2, packed(1, 2), unpacked(3)),
		"two lists":          slices.Concat(list(2, packed(1, 2)), list(2, packed(3))),
		"unknown fields":     slices.Concat(junk, list(2, junk, packed(1), junk, packed(2, 3), junk), junk),
		"another kind first": slices.Concat(list(2, packed(9)), list(3, unpackedInt(5)), list(2, packed(1, 2, 3))),
	} {
		e := parse(t, slices.Concat(junk, list(1, junk, tfrecordtest.Feature("f", list(2, packed(7))),
			tfrecordtest.Feature("f", feature)), junk))
		if got := e["f"].Floats; !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	e := parse(t, slices.Concat( // two Features count as one
		tfrecordtest.Example(tfrecordtest.Feature("a",
			list(3, unpackedInt(-5), list(1, tfrecordtest.RawInts(6, 700)), unpackedInt(8)))),
		tfrecordtest.Example(tfrecordtest.Feature("b", tfrecordtest.Ints(1)))))
	if a, b := e["a"].Ints, e["b"].Ints; !slices.Equal(a, []int64{-5, 6, 700, 8}) || !slices.Equal(b, []int64{1}) {
		t.Errorf("integers %v and %v", a, b)
	}
	if e := parse(t, nil); len(e) != 0 {
		t.Error("an empty message has features")
	}
}

func TestBrokenExamplesNameTheOffset(t *testing.T) {
	d := tfrecordtest.Delimited
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"no tag":          {[]byte{0x80}, "file: offset 100: no field of a message: "},
		"field 0":         {[]byte{2, 0}, "file: offset 100: no field of a message: "},
		"end of no group": {[]byte{9<<3 | 4}, "file: offset 100: no field of a message: "},
		"features of wrong type": {[]byte{1 << 3, 1},
			"file: offset 100: features of an Example has wire type 0, want 2"},
		"too long": {[]byte{1<<3 | 2, 100, 1}, "file: offset 100: no field of a message: "},
		"far too long": {append([]byte{1<<3 | 2}, binary.AppendUvarint(nil, 1<<63)...),
			"file: offset 100: no field of a message: "},
		"entry of wrong type": {d(1, []byte{1 << 3, 1}), "file: offset 102: entry of features has wire type 0"},
		"name of wrong type": {d(1, d(1, []byte{1 << 3, 1})),
			"file: offset 104: name of a feature has wire type 0"},
		"value of wrong type": {d(1, d(1, []byte{2 << 3, 1})),
			"file: offset 104: value of a feature has wire type 0"},
		"list of wrong type": {d(1, d(1, d(2, []byte{2 << 3, 1}))),
			"file: offset 106: list of values has wire type 0"},
		"odd floats": {d(1, d(1, d(2, d(2, d(1, []byte{1, 2, 3}))))),
			"file: offset 108: 3 bytes of float32 values, want a multiple of 4"},
		"float of wrong type": {d(1, d(1, d(2, d(2, []byte{1 << 3, 1})))), "file: offset 108: value of wire type 0"},
		"integer of wrong type": {d(1, d(1, d(2, d(3, []byte{1<<3 | 5, 1, 2, 3, 4})))),
			"file: offset 108: value of wire type 5"},
		"half an integer": {d(1, d(1, d(2, d(3, d(1, []byte{1, 0x80}))))), "file: offset 108: no int64 value: "},
		"deep groups":     {[]byte(strings.Repeat("\x4b", 1<<20)), "file: offset 100: no field of a message: "},
	} {
		_, err := ParseExample("file", 100, c.data)
		var where *Error
		if !errors.As(err, &where) || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
}
