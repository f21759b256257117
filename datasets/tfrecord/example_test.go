package tfrecord

import (
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"memobench/datasets/tfrecord/tfrecordtest"
)

func parse(t *testing.T, data []byte) Example {
	t.Helper()
	e, err := ParseExample("file", 100, data)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func floats(f Feature) []float32 {
	all := make([]float32, f.Len())
	return all[:f.Floats(all, 0)]
}

func ints(f Feature) []int64 {
	all := make([]int64, f.Len())
	return all[:f.Ints(all, 0)]
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
	var names []string
	for name := range e.Features() {
		names = append(names, name)
	}
	if want := []string{"trials", "größe", "names", "none", "empty"}; !slices.Equal(names, want) {
		t.Errorf("features %q, want %q", names, want)
	}
	if f, ok := e.Feature("trials"); !ok || f.Kind() != Floats || !slices.Equal(floats(f), wantFloats) {
		t.Errorf("floats %v, want %v", floats(f), wantFloats)
	}
	if f, ok := e.Feature("größe"); !ok || f.Kind() != Ints || !slices.Equal(ints(f), wantInts) {
		t.Errorf("integers %v, want %v", ints(f), wantInts)
	}
	f, _ := e.Feature("names")
	if f.Kind() != Bytes || f.Len() != 3 {
		t.Errorf("%d strings of kind %v", f.Len(), f.Kind())
	}
	for name, kind := range map[string]Kind{"none": None, "empty": Floats} {
		if f, ok := e.Feature(name); !ok || f.Kind() != kind || f.Len() != 0 {
			t.Errorf("%s: %v values of kind %v", name, f.Len(), f.Kind())
		}
	}
	if _, ok := e.Feature("other"); ok {
		t.Error("a feature that is not there")
	}
	for range e.Features() {
		break // must not go on
	}
}

func TestPartsOfFeaturesAreRead(t *testing.T) {
	e := parse(t, tfrecordtest.Example(
		tfrecordtest.Feature("f", tfrecordtest.Floats(0, 1, 2, 3, 4)),
		tfrecordtest.Feature("i", tfrecordtest.Ints(0, 1000, 2, -3, 4))))
	f, _ := e.Feature("f")
	i, _ := e.Feature("i")
	two, twoInts := make([]float32, 2), make([]int64, 2)
	for from, want := range map[int]int{0: 2, 3: 2, 4: 1, 5: 0, 9: 0, -1: 0} {
		if n := f.Floats(two, from); n != want || n > 0 && two[0] != float32(from) {
			t.Errorf("from %d: %d floats %v", from, n, two)
		}
		if n := i.Ints(twoInts, from); n != want {
			t.Errorf("from %d: %d integers %v", from, n, twoInts)
		}
	}
	if i.Ints(twoInts, 2); !slices.Equal(twoInts, []int64{2, -3}) {
		t.Errorf("integers %v", twoInts)
	}
	if n := f.Ints(twoInts, 0) + i.Floats(two, 0); n != 0 {
		t.Errorf("%d values of another kind", n)
	}
}

// Other encoders may write the same message in other ways.
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
		e := parse(t, slices.Concat(junk, list(1, junk, tfrecordtest.Feature("f", list(2, packed(7))), tfrecordtest.Feature("f", feature)), junk))
		f, ok := e.Feature("f")
		if !ok || !slices.Equal(floats(f), want) {
			t.Errorf("%s: %v, want %v", name, floats(f), want)
		}
		if part := make([]float32, 1); f.Floats(part, 2) != 1 || part[0] != 3 {
			t.Errorf("%s: value 2 is %v", name, part)
		}
	}
	e := parse(t, slices.Concat( // two Features count as one
		tfrecordtest.Example(tfrecordtest.Feature("a", list(3, unpackedInt(-5), list(1, tfrecordtest.RawInts(6, 700)), unpackedInt(8)))),
		tfrecordtest.Example(tfrecordtest.Feature("b", tfrecordtest.Ints(1)))))
	a, _ := e.Feature("a")
	b, _ := e.Feature("b")
	if !slices.Equal(ints(a), []int64{-5, 6, 700, 8}) || !slices.Equal(ints(b), []int64{1}) {
		t.Errorf("integers %v and %v", ints(a), ints(b))
	}
	if e := parse(t, nil); len(slices.Collect(keys(e))) != 0 {
		t.Error("an empty message has features")
	}
}

func keys(e Example) func(func(string) bool) {
	return func(yield func(string) bool) {
		for name := range e.Features() {
			if !yield(name) {
				return
			}
		}
	}
}

func TestBrokenExamplesNameTheOffset(t *testing.T) {
	d := tfrecordtest.Delimited
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"no tag":                 {[]byte{0x80}, "file: offset 100: no field of a message: "},
		"field 0":                {[]byte{2, 0}, "file: offset 100: no field of a message: "},
		"end of no group":        {[]byte{9<<3 | 4}, "file: offset 100: no field of a message: "},
		"features of wrong type": {[]byte{1 << 3, 1}, "file: offset 100: features of an Example has wire type 0, want 2"},
		"too long":               {[]byte{1<<3 | 2, 100, 1}, "file: offset 100: no field of a message: "},
		"far too long":           {append([]byte{1<<3 | 2}, binary.AppendUvarint(nil, 1<<63)...), "file: offset 100: no field of a message: "},
		"entry of wrong type":    {d(1, []byte{1 << 3, 1}), "file: offset 102: entry of features has wire type 0"},
		"name of wrong type":     {d(1, d(1, []byte{1 << 3, 1})), "file: offset 104: name of a feature has wire type 0"},
		"name is no text":        {d(1, d(1, d(1, []byte{0xff}))), `file: offset 104: name of a feature "\xff" is not UTF-8`},
		"name too long":          {d(1, d(1, d(1, make([]byte, 1025)))), "file: offset 106: name of a feature of 1025 bytes, want at most 1024"},
		"value of wrong type":    {d(1, d(1, []byte{2 << 3, 1})), "file: offset 104: value of a feature has wire type 0"},
		"two names":              {d(1, d(1, d(1, []byte("a")), d(1, []byte("b")))), "file: offset 102: entry of features with 2 names and 0 values"},
		"list of wrong type":     {d(1, d(1, d(2, []byte{2 << 3, 1}))), "file: offset 106: list of float32 has wire type 0"},
		"odd floats":             {d(1, d(1, d(2, d(2, d(1, []byte{1, 2, 3}))))), "file: offset 108: 3 bytes of float32 values, want a multiple of 4"},
		"float of wrong type":    {d(1, d(1, d(2, d(2, []byte{1 << 3, 1})))), "file: offset 108: float32 value of wire type 0"},
		"integer of wrong type":  {d(1, d(1, d(2, d(3, []byte{1<<3 | 5, 1, 2, 3, 4})))), "file: offset 108: int64 value of wire type 5"},
		"half an integer":        {d(1, d(1, d(2, d(3, d(1, []byte{1, 0x80}))))), "file: offset 111: no int64 value: "},
		"string of wrong type":   {d(1, d(1, d(2, d(1, []byte{1 << 3, 1})))), "file: offset 108: bytes value of wire type 0"},
		"deep groups":            {[]byte(strings.Repeat("\x4b", 1<<20)), "file: offset 100: no field of a message: "},
	} {
		_, err := ParseExample("file", 100, c.data)
		var where *Error
		if !errors.As(err, &where) || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
}

// Many small features, the form that takes most memory for its size elsewhere,
// take none here.
func TestParsingTakesNoMemory(t *testing.T) {
	var features [][]byte
	for range 10_000 {
		features = append(features, tfrecordtest.Feature("", tfrecordtest.Ints(1, 2, 3)))
	}
	data := tfrecordtest.Example(features...)
	if n := allocated(func() { parse(t, data) }); n > uint64(len(data)) {
		t.Errorf("%d bytes allocated for %d", n, len(data))
	}
}

func TestKindsHaveNames(t *testing.T) {
	for k, want := range map[Kind]string{None: "none", Bytes: "bytes", Floats: "float32", Ints: "int64", 9: "Kind(9)"} {
		if k.String() != want {
			t.Errorf("%d: %s, want %s", int(k), k, want)
		}
	}
}
