package safetensors

import (
	"bytes"
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memobench/datasets/must"
	"memobench/models"
)

func sample() ([]models.Tensor, map[string]string) {
	return []models.Tensor{
		{Name: "double", Shape: []int{2}, F64: []float64{math.Pi, -1.5}},
		{Name: "matrix", Shape: []int{2, 3}, F32: []float32{1, 2, 3, 4, 5, float32(math.Inf(1))}},
		{Name: "scalar", Shape: []int{}, F32: []float32{7}},
		{Name: "empty", Shape: []int{0, 4}, F32: []float32{}},
	}, map[string]string{"config": `{"a": "ü"}`, "": ""}
}

func encode(t testing.TB, tensors []models.Tensor, metadata map[string]string) []byte {
	t.Helper()
	var b bytes.Buffer
	must.Do(t, Write(&b, tensors, metadata))
	return b.Bytes()
}

// raw builds a file from a header as text and a number of zero value bytes.
func raw(header string, values int) []byte {
	b := binary.LittleEndian.AppendUint64(nil, uint64(len(header)))
	return append(append(b, header...), make([]byte, values)...)
}

func TestTensorsSurviveTheFile(t *testing.T) {
	tensors, metadata := sample()
	data := encode(t, tensors, metadata)
	if !bytes.Equal(data, encode(t, tensors, metadata)) {
		t.Error("equal input gave different bytes")
	}
	path := filepath.Join(t.TempDir(), "x.safetensors")
	must.Do(t, os.WriteFile(path, data, 0o644))
	f := must.Get(ReadFile(path))(t)
	// Values that start at the same offset (the empty tensor's) may swap places.
	for _, want := range tensors {
		got, ok := find(f, want.Name)
		if !ok {
			t.Errorf("tensor %q is gone", want.Name)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("tensor %q changed (-want +got):\n%s", want.Name, d)
		}
	}
	if d := cmp.Diff(metadata, f.Metadata); d != "" {
		t.Errorf("metadata changed:\n%s", d)
	}
}

func TestValuesAreAligned(t *testing.T) {
	for _, name := range []string{"a", "ab", "abc", "abcd", "abcde", "abcdef", "abcdefg"} {
		data := encode(t, []models.Tensor{{Name: name, Shape: []int{1}, F32: []float32{1}}}, nil)
		if n := 8 + binary.LittleEndian.Uint64(data); n%8 != 0 {
			t.Errorf("name %q: values start at byte %d", name, n)
		}
	}
}

// The bytes below were laid out by hand after the format's description.
func TestReadKnownBytes(t *testing.T) {
	data := raw(`{"x":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}`, 0)
	data = append(data, 0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0) // 1, -2
	f := must.Get(Read(bytes.NewReader(data), int64(len(data))))(t)
	if d := cmp.Diff([]models.Tensor{{Name: "x", Shape: []int{2}, F32: []float32{1, -2}}}, f.Tensors); d != "" {
		t.Error(d)
	}
}

func TestReadRefuses(t *testing.T) {
	const x = `"x":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}`
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"no prefix":           {[]byte("abc"), "want at least 8"},
		"header beyond file":  {append(binary.LittleEndian.AppendUint64(nil, 1000), '{', '}'), "header of 1000 bytes"},
		"header huge":         {binary.LittleEndian.AppendUint64(nil, math.MaxUint64), "header of"},
		"not JSON":            {raw(`{"x"`, 0), "bad JSON"},
		"name twice":          {raw(`{`+x+`,`+x+`}`, 8), `"x" is duplicated`},
		"trailing bytes":      {raw(`{`+x+`}`, 9), "1 bytes after"},
		"too few bytes":       {raw(`{`+x+`}`, 7), "within the file"},
		"overlap":             {raw(`{`+x+`,"y":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}}`, 8), "begin at 8"},
		"gap":                 {raw(`{"y":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}}`, 8), "begin at 0"},
		"shape disagrees":     {raw(`{"x":{"dtype":"F32","shape":[3],"data_offsets":[0,8]}}`, 8), "8 bytes for shape [3]"},
		"shape overflows":     {raw(`{"x":{"dtype":"F32","shape":[4294967296,4294967296,2],"data_offsets":[0,8]}}`, 8), "too large"},
		"unknown key":         {raw(`{"x":{"dtype":"F32","shape":[2],"data_offsets":[0,8],"z":1}}`, 8), `unknown field "z"`},
		"missing key":         {raw(`{"x":{"dtype":"F32","data_offsets":[0,8]}}`, 8), "want a name"},
		"unsupported type":    {raw(`{"x":{"dtype":"BF16","shape":[4],"data_offsets":[0,8]}}`, 8), "BF16"},
		"metadata no strings": {raw(`{"__metadata__":{"a":1}}`, 0), "cannot unmarshal"},
	} {
		_, err := Read(bytes.NewReader(c.data), int64(len(c.data)))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", name, err, c.want)
		}
	}
}

func TestWriteRefuses(t *testing.T) {
	one := []float32{1}
	for name, tensors := range map[string][]models.Tensor{
		"shape disagrees": {{Name: "x", Shape: []int{2}, F32: one}},
		"both types":      {{Name: "x", Shape: []int{1}, F32: one, F64: []float64{1}}},
		"name twice":      {{Name: "x", Shape: []int{1}, F32: one}, {Name: "x", Shape: []int{1}, F32: one}},
		"reserved name":   {{Name: "__metadata__", Shape: []int{1}, F32: one}},
	} {
		var b bytes.Buffer
		if err := Write(&b, tensors, nil); err == nil {
			t.Errorf("%s: written", name)
		} else if b.Len() != 0 {
			t.Errorf("%s: %d bytes written before the error", name, b.Len())
		}
	}
}

// A few bytes must not make the reader allocate gigabytes.
func TestReadAllocatesNoMoreThanTheFile(t *testing.T) {
	for _, data := range [][]byte{
		binary.LittleEndian.AppendUint64(nil, 90_000_000),
		raw(`{"x":{"dtype":"F64","shape":[1000000000],"data_offsets":[0,8000000000]}}`, 8),
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if _, err := Read(bytes.NewReader(data), int64(len(data))); err == nil {
			t.Error("accepted")
		}
		runtime.ReadMemStats(&after)
		if n := after.TotalAlloc - before.TotalAlloc; n > 1<<20 {
			t.Errorf("%d bytes allocated for a file of %d", n, len(data))
		}
	}
}

// find returns the named tensor, and false when there is none.
func find(f *File, name string) (models.Tensor, bool) {
	for _, t := range f.Tensors {
		if t.Name == name {
			return t, true
		}
	}
	return models.Tensor{}, false
}

// FuzzRead checks that the reader does not panic, that the values fit into the file, and that
// accepted files can be written and read again.
func FuzzRead(f *testing.F) {
	tensors, metadata := sample()
	f.Add(encode(f, tensors, metadata))
	f.Add(encode(f, nil, nil))
	f.Add(raw(`{"x":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"y":{"dtype":"F64","shape":[],"data_offsets":[8,16]}}`, 16))
	f.Add(raw(`{"x":{"dtype":"F32","shape":[0],"data_offsets":[0,0]},"__metadata__":{}}`, 0))
	f.Add([]byte{255, 255, 255, 255, 255, 255, 255, 255, '{', '}'})
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := Read(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			return
		}
		held := int64(0)
		for _, t := range file.Tensors {
			held += int64(4*len(t.F32) + 8*len(t.F64))
		}
		if held > int64(len(data)) {
			t.Fatalf("%d bytes of values from a file of %d", held, len(data))
		}
		var again bytes.Buffer
		if err := Write(&again, file.Tensors, file.Metadata); err != nil {
			t.Fatalf("accepted but cannot be written: %v", err)
		}
		second, err := Read(bytes.NewReader(again.Bytes()), int64(again.Len()))
		if err != nil {
			t.Fatalf("written but cannot be read: %v", err)
		}
		for _, want := range file.Tensors {
			got, ok := find(second, want.Name)
			if !ok || !sameBits(want, got) {
				t.Fatalf("tensor %q changed", want.Name)
			}
		}
	})
}

// sameBits compares values bit for bit, so that NaN equals itself.
func sameBits(a, b models.Tensor) bool {
	if typeOf(a) != typeOf(b) || len(a.F32) != len(b.F32) || len(a.F64) != len(b.F64) || len(a.Shape) != len(b.Shape) {
		return false
	}
	for i := range a.F32 {
		if math.Float32bits(a.F32[i]) != math.Float32bits(b.F32[i]) {
			return false
		}
	}
	for i := range a.F64 {
		if math.Float64bits(a.F64[i]) != math.Float64bits(b.F64[i]) {
			return false
		}
	}
	return true
}
