package npy

import (
	"encoding/binary"
	"errors"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"memobench/datasets/must"
	"memobench/datasets/npy/npytest"
)

var (
	little = binary.LittleEndian
	big    = binary.BigEndian
)

// open writes a file of that content to path and opens it.
func open(t *testing.T, path string, file []byte) (*Array, error) {
	t.Helper()
	must.Do(t, os.WriteFile(path, file, 0o666))
	a, err := Open(path)
	if err == nil {
		t.Cleanup(func() { a.Close() })
	}
	return a, err
}

func mustOpen(t *testing.T, file []byte) *Array {
	t.Helper()
	return must.Get(open(t, filepath.Join(t.TempDir(), "file"), file))(t)
}

// The file of numpy.save(f, numpy.array([[1.5, -2, 3]], dtype="float32")), put
// together by hand after numpy's documentation: the header is padded so that the
// data begin at byte 128.
func TestFileByHandIsRead(t *testing.T) {
	file := "\x93NUMPY\x01\x00v\x00{'descr': '<f4', 'fortran_order': False, 'shape': (1, 3), }" +
		strings.Repeat(" ", 58) + "\n" + "\x00\x00\xc0\x3f\x00\x00\x00\xc0\x00\x00\x40\x40"
	path := filepath.Join(t.TempDir(), "a.npy")
	must.Do(t, os.WriteFile(path, []byte(file), 0o666))
	a := must.Get(Open(path))(t)
	defer a.Close()
	got := make([]float32, 3)
	if err := a.Float32(got, 0); err != nil || !slices.Equal(got, []float32{1.5, -2, 3}) {
		t.Errorf("%v, %v", got, err)
	}
	if a.Name() != path || !slices.Equal(a.Shape(), []int{1, 3}) || a.Len() != 3 || a.Type().String() != "float32" || a.Offset(0) != 128 {
		t.Errorf("%s: %v of %v at %d", a.Name(), a.Shape(), a.Type(), a.Offset(0))
	}
	if own := npytest.File(1, npytest.Describe("<f4", 1, 3), little, []float32{1.5, -2, 3}); string(own) != file {
		t.Errorf("the tests' own files differ:\n%q\n%q", own, file)
	}
}

func TestOpenRefusesWhatIsNoArray(t *testing.T) {
	dir := t.TempDir()
	if _, err := Open(filepath.Join(dir, "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	path := filepath.Join(dir, "text")
	must.Do(t, os.WriteFile(path, []byte("some text"), 0o666))
	if _, err := Open(path); err == nil || !strings.HasPrefix(err.Error(), path+": offset 0: not an .npy file") {
		t.Errorf("a text: %v", err)
	}
}

func TestEveryTypeIsRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	for _, c := range []struct {
		descr string
		name  string
		data  any
		want  []int64
	}{
		{"i1", "int8", []int8{-128, 127}, []int64{-128, 127}},
		{"u1", "uint8", []uint8{0, 255}, []int64{0, 255}},
		{"i2", "int16", []int16{-32768, 258}, []int64{-32768, 258}},
		{"u2", "uint16", []uint16{65535, 258}, []int64{65535, 258}},
		{"i4", "int32", []int32{math.MinInt32, 66051}, []int64{math.MinInt32, 66051}},
		{"u4", "uint32", []uint32{math.MaxUint32, 66051}, []int64{math.MaxUint32, 66051}},
		{"i8", "int64", []int64{math.MinInt64, 5}, []int64{math.MinInt64, 5}},
		{"u8", "uint64", []uint64{math.MaxInt64, 5}, []int64{math.MaxInt64, 5}},
		{"f2", "float16", []uint16{0xb800, 0x7bff}, nil},
		{"f4", "float32", []float32{-0.5, math.MaxFloat32}, nil},
		{"f8", "float64", []float64{-0.5, 0.1}, nil},
	} {
		for version := byte(1); version <= 3; version++ {
			for mark, order := range map[string]binary.ByteOrder{"<": little, ">": big, "|": little} {
				a, err := open(t, path, npytest.File(version, npytest.Describe(mark+c.descr, 2), order, c.data))
				if one := c.descr[1] == '1'; mark == "|" && !one {
					if err == nil {
						t.Errorf("|%s is read without a byte order", c.descr)
					}
					continue
				}
				if err != nil {
					t.Errorf("%s%s: %v", mark, c.descr, err)
					continue
				}
				if a.Type().String() != c.name || a.Type().Integer() != (c.want != nil) {
					t.Errorf("%s: %v", c.descr, a.Type())
				}
				ints, floats := make([]int64, 2), make([]float32, 2)
				if err := a.Int64(ints, 0); (err == nil) != (c.want != nil) || err == nil && !slices.Equal(ints, c.want) {
					t.Errorf("%s%s: %v, %v", mark, c.descr, ints, err)
				}
				if err := a.Float32(floats, 0); err != nil {
					t.Error(err)
				}
				want := []float32{-0.5, math.MaxFloat32}
				switch c.descr {
				case "f2":
					want[1] = 65504 // the largest
				case "f8":
					want[1] = 0.1
				}
				for i, n := range c.want {
					want[i] = float32(n)
				}
				if !slices.Equal(floats, want) {
					t.Errorf("%s%s: %v, want %v", mark, c.descr, floats, want)
				}
			}
		}
	}
}

func TestShapesAreRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	for text, want := range map[string][]int{
		"()": {}, "(6,)": {6}, "(2, 3)": {2, 3}, "(2,3,)": {2, 3}, "( 1 ,2 , 3 )": {1, 2, 3}, "(0, 5)": {0, 5}, "(0, 2147483647)": {0, 1<<31 - 1},
	} {
		n := 1
		for _, d := range want {
			n *= d
		}
		for _, text := range []string{
			"{'descr': '<i4', 'fortran_order': False, 'shape': " + text + "}",
			"{ \"shape\":" + text + ",\"fortran_order\":False , 'descr' : '<i4' , } \n",
		} {
			a, err := open(t, path, npytest.File(1, text, little, make([]int32, n)))
			if err != nil || !slices.Equal(a.Shape(), want) || a.Len() != int64(n) {
				t.Errorf("%s: %v", text, err)
			}
		}
	}
}

func TestPartsAreReadInPlace(t *testing.T) {
	n := 3 * (1 << 15) // several blocks
	data := make([]float64, n)
	for i := range data {
		data[i] = float64(i)
	}
	a := mustOpen(t, npytest.File(1, npytest.Describe("<f8", n), little, data))
	for _, c := range []struct{ from, n int }{{0, n}, {1, 5}, {n - 1, 1}, {n, 0}, {4095, 4098}} {
		got := make([]float32, c.n)
		must.Do(t, a.Float32(got, int64(c.from)))
		for i, x := range got {
			if int(x) != c.from+i {
				t.Fatalf("element %d is %v", c.from+i, x)
			}
		}
	}
	for _, from := range []int64{-1, int64(n) - 1, int64(n) + 1, math.MaxInt64} {
		if err := a.Float32(make([]float32, 2), from); err == nil || !strings.HasPrefix(err.Error(), a.Name()+": elements ") {
			t.Errorf("from %d: %v", from, err)
		}
	}
}

func TestFortranOrderIsReadWhereItIsTheSame(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	for shape, same := range map[string]bool{"(6,)": true, "(1, 6)": true, "(6, 1, 1)": true, "(2, 3)": false, "(3, 2, 1)": false} {
		text := "{'descr': '<i4', 'fortran_order': True, 'shape': " + shape + ", }"
		_, err := open(t, path, npytest.File(1, text, little, make([]int32, 6)))
		if (err == nil) != same {
			t.Errorf("%s: %v", shape, err)
		}
		if err != nil && !strings.Contains(err.Error(), "Fortran order: save numpy.ascontiguousarray of it") {
			t.Error(err)
		}
	}
}

func TestFaultyFilesNameTheOffset(t *testing.T) {
	file := func(text string) []byte { return npytest.File(1, text, little, []int32{1, 2}) }
	dict := func(descr, fortran, shape string) []byte {
		return file("{'descr': " + descr + ", 'fortran_order': " + fortran + ", 'shape': " + shape + "}")
	}
	good := dict("'<i4'", "False", "(2,)")
	path := filepath.Join(t.TempDir(), "file")
	for name, c := range map[string]struct {
		file []byte
		want string
	}{
		"empty":              {nil, "offset 0: not an .npy file"},
		"other magic":        {[]byte("\x93NUMPX\x01\x00..........."), "offset 0: not an .npy file"},
		"version":            {[]byte("\x93NUMPY\x04\x00..........."), "offset 6: format version 4.0, want 1.0, 2.0 or 3.0"},
		"minor version":      {[]byte("\x93NUMPY\x01\x01..........."), "offset 6: format version 1.1"},
		"no length":          {[]byte("\x93NUMPY\x01\x00."), "offset 9: the file ends in the header"},
		"half a length":      {[]byte("\x93NUMPY\x02\x00.."), "offset 10: the file ends in the header"},
		"long description":   {[]byte("\x93NUMPY\x01\x00\xff\x00{}"), "offset 8: a description of 255 bytes, but 2 left"},
		"longer description": {[]byte("\x93NUMPY\x02\x00\xff\xff\xff\xff{}"), "offset 8: a description of 4294967295 bytes"},
		"truncated":          {good[:len(good)-1], "offset 72: 7 bytes of data, want 8: shape [2] of int32"},
		"trailing":           {append(slices.Clone(good), 1), "offset 73: 9 bytes of data, want 8"},
		"no dictionary":      {file("no"), `offset 10: the description "no": want {'descr'`},
		"no end":             {file("{'descr': '<i4'"), "offset 10: the description"},
		"twice":              {file("{'descr': '<i4', 'descr': '<i4', 'shape': ()}"), "offset 10: the description"},
		"another key":        {file("{'descr': '<i4', 'fortran_order': False, 'shape': (2,), 'order': 'C'}"), "offset 10: the description"},
		"more text":          {file("{'descr': '<i4', 'fortran_order': False, 'shape': (2,)} x"), "offset 10: the description"},
		"structure":          {dict("[('a', '<i4')]", "False", "(2,)"), "elements being numbers"},
		"strings":            {dict("'<U4'", "False", "(2,)"), `offset 10: elements of type "<U4", want float16, float32, float64 or integers`},
		"objects":            {dict("'|O'", "False", "(2,)"), `offset 10: elements of type "|O"`},
		"no byte order":      {dict("'i4'", "False", "(2,)"), `offset 10: elements of type "i4"`},
		"other byte order":   {dict("'?i4'", "False", "(2,)"), `offset 10: elements of type "?i4"`},
		"no truth":           {dict("'<i4'", "0", "(2,)"), "offset 10: the description"},
		"a number":           {dict("'<i4'", "False", "(2)"), "offset 10: shape (2): a tuple of one number ends with a comma"},
		"negative":           {dict("'<i4'", "False", "(-2,)"), "offset 10: the description"},
		"no number":          {dict("'<i4'", "False", "(,)"), "offset 10: the description"},
		"no comma":           {dict("'<i4'", "False", "(1 2)"), "offset 10: the description"},
		"too large":          {dict("'<i4'", "False", "(9223372036854775808,)"), "value out of range"},
		"too many":           {dict("'<i4'", "False", "(4611686018427387904, 2)"), "offset 10: shape [4611686018427387904 2]: too many elements"},
		"too many bytes":     {dict("'<i4'", "False", "(2305843009213693952,)"), "offset 10: shape [2305843009213693952]: too many elements"},
		"too many axes":      {dict("'<i4'", "False", "("+strings.Repeat("1,", 65)+")"), "more than 64 axes"},
		"large":              {dict("'<i4'", "False", "(1000000000,)"), "offset 82: 8 bytes of data, want 4000000000"},
	} {
		_, err := open(t, path, c.file)
		var where *Error
		if !errors.As(err, &where) || where.File != path || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
	a := mustOpen(t, npytest.File(1, npytest.Describe("<u8", 2), little, []uint64{1, 1 << 63}))
	if err := a.Int64(make([]int64, 2), 0); err == nil || err.Error() != a.Name()+": offset 136: 9223372036854775808 is no int64" {
		t.Errorf("a large integer: %v", err)
	}
	a = mustOpen(t, npytest.File(1, npytest.Describe("<f4", 2), little, []float32{1, 2}))
	if err := a.Int64(make([]int64, 2), 0); err == nil || !strings.Contains(err.Error(), "elements of type float32, want integers") {
		t.Errorf("floats as integers: %v", err)
	}
}

// The headers announce 2 GiB each. Other goroutines of the test process allocate, too, so
// that the bound is loose.
func TestHostileHeadersTakeNoMemory(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	for name, file := range map[string][]byte{
		"description": []byte("\x93NUMPY\x02\x00\xff\xff\xff\x7f{}"),
		"shape":       npytest.File(1, npytest.Describe("<f8", 1<<28), little, []byte{1}),
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if _, err := open(t, path, file); err == nil {
			t.Errorf("%s: read", name)
		}
		runtime.ReadMemStats(&after)
		if n := after.TotalAlloc - before.TotalAlloc; n > 1<<20 {
			t.Errorf("%s: %d bytes allocated", name, n)
		}
	}
}

// All of them, against the definition in IEEE 754-2008, 3.4.
func TestHalfFloatsAreExact(t *testing.T) {
	for i := range 1 << 16 {
		sign, exponent, fraction := 1-2*float64(i>>15), i>>10&31, float64(i&1023)/1024
		var want float64
		switch {
		case exponent == 31 && fraction != 0:
			want = math.NaN()
		case exponent == 31:
			want = math.Inf(int(sign))
		case exponent == 0:
			want = math.Copysign(math.Ldexp(fraction, -14), sign)
		default:
			want = sign * math.Ldexp(1+fraction, exponent-15)
		}
		got := float64(half(uint16(i)))
		if math.IsNaN(want) {
			if !math.IsNaN(got) {
				t.Fatalf("%#04x: %v, want %v", i, got, want)
			}
			continue
		}
		if got != want || math.Signbit(got) != math.Signbit(want) {
			t.Fatalf("%#04x: %v, want %v", i, got, want)
		}
	}
}

// FuzzArray checks that no file makes the reader panic, that errors are inside
// of the file, and that an accepted array can be read whole and is no larger
// than its file.
func FuzzArray(f *testing.F) {
	for version := byte(1); version <= 3; version++ {
		f.Add(npytest.File(version, npytest.Describe("<f4", 2, 1), little, []float32{1, 2}))
	}
	f.Add(npytest.File(2, npytest.Describe(">f2", 3), big, []uint16{0x3c00, 1, 0xfc00}))
	f.Add(npytest.File(1, npytest.Describe(">i8"), big, []int64{-3}))
	f.Add(npytest.File(1, npytest.Describe("|u1", 3), little, []byte{1, 2, 255}))
	f.Add(npytest.File(1, "{'descr': '<f8', 'fortran_order': True, 'shape': (0, 7,)}", little, []float64{}))
	f.Add(npytest.File(1, "{\"shape\": (), 'descr': [('a', '<f4')]}", little, []byte{}))
	path := filepath.Join(f.TempDir(), "file")
	f.Fuzz(func(t *testing.T, file []byte) {
		a, err := open(t, path, file)
		if err != nil {
			checkError(t, file, err)
			return
		}
		if a.Len() > int64(len(file)) {
			t.Fatalf("%d elements in %d bytes", a.Len(), len(file))
		}
		n := int64(1)
		for _, d := range a.Shape() {
			n *= int64(d)
		}
		if n != a.Len() {
			t.Fatalf("shape %v, %d elements", a.Shape(), a.Len())
		}
		must.Do(t, a.Float32(make([]float32, n), 0))
		if err := a.Int64(make([]int64, n), 0); err != nil {
			checkError(t, file, err)
		}
	})
}

func checkError(t *testing.T, file []byte, err error) {
	t.Helper()
	var where *Error
	if !errors.As(err, &where) || where.Offset < 0 || where.Offset > int64(len(file)) {
		t.Fatalf("%q: %v", file, err)
	}
}
