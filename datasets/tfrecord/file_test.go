package tfrecord

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"memobench/datasets/must"
	"memobench/datasets/tfrecord/tfrecordtest"
)

// readAll returns copies of all records.
func readAll(f *File) ([][]byte, error) {
	var all [][]byte
	var buf []byte
	for rec, err := range f.Records() {
		if err == nil {
			buf, err = f.Read(buf, rec)
		}
		if err != nil {
			return all, err
		}
		all = append(all, slices.Clone(buf))
	}
	return all, nil
}

// readBytes writes a file of that content to path and reads its records.
func readBytes(t *testing.T, path string, file []byte) ([][]byte, error) {
	t.Helper()
	must.Do(t, os.WriteFile(path, file, 0o666))
	f := must.Get(Open(path))(t)
	defer f.Close()
	return readAll(f)
}

// The check values of RFC 3720, appendix B.4, and of the CRC catalogues: what
// the tests' encoder writes is a CRC-32C.
func TestEncodersChecksum(t *testing.T) {
	ones := bytes.Repeat([]byte{0xff}, 32)
	up := make([]byte, 32)
	for i := range up {
		up[i] = byte(i)
	}
	for _, c := range []struct {
		data []byte
		want uint32
	}{
		{[]byte("123456789"), 0xe3069283}, {make([]byte, 32), 0x8a9136aa}, {ones, 0x62a8ab43}, {up, 0x46dd794e},
	} {
		if got := tfrecordtest.CRC32C(c.data); got != c.want {
			t.Errorf("%x: %08x, want %08x", c.data, got, c.want)
		}
	}
}

func TestRecordsAreReadBack(t *testing.T) {
	want := [][]byte{[]byte("first"), {}, bytes.Repeat([]byte{7}, 70_000), []byte("last")}
	path := filepath.Join(t.TempDir(), "some.tfrecord")
	tfrecordtest.Write(t, path, want...)
	f := must.Get(Open(path))(t)
	defer f.Close()
	got := must.Get(readAll(f))(t)
	if !slices.EqualFunc(got, want, bytes.Equal) {
		t.Errorf("%d records, want %d", len(got), len(want))
	}
	if info, err := os.Stat(path); err != nil || f.Size() != info.Size() || f.Name() != path {
		t.Errorf("%s has %d bytes", f.Name(), f.Size())
	}
	if got, err := readBytes(t, path, nil); err != nil || len(got) != 0 {
		t.Errorf("an empty file: %d records, %v", len(got), err)
	}
}

// A CRC detects every single flipped bit.
func TestEveryFlippedBitIsFound(t *testing.T) {
	var file []byte
	for _, r := range []string{"one record", "", "and another"} {
		file = tfrecordtest.Append(file, []byte(r))
	}
	path := filepath.Join(t.TempDir(), "file")
	for bit := range 8 * len(file) {
		bad := slices.Clone(file)
		bad[bit/8] ^= 1 << (bit % 8)
		_, err := readBytes(t, path, bad)
		var where *Error
		if !errors.As(err, &where) || where.File != path || where.Offset < 0 || where.Offset > int64(bit/8) {
			t.Fatalf("bit %d of byte %d flipped: %v", bit%8, bit/8, err)
		}
	}
}

func TestEveryTruncationIsFound(t *testing.T) {
	whole := [][]byte{[]byte("one record"), []byte("and another")}
	var file []byte
	ends := map[int]int{0: 0} // bytes, records
	for i, r := range whole {
		file = tfrecordtest.Append(file, r)
		ends[len(file)] = i + 1
	}
	path := filepath.Join(t.TempDir(), "file")
	for n := range len(file) {
		got, err := readBytes(t, path, file[:n])
		if want, whole := ends[n]; whole {
			if err != nil || len(got) != want {
				t.Errorf("cut after %d records: %d, %v", want, len(got), err)
			}
			continue
		}
		var where *Error
		if !errors.As(err, &where) || where.Offset > int64(n) {
			t.Errorf("cut after %d bytes: %v", n, err)
		}
	}
}

func TestErrorsNameFileAndOffset(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	good := tfrecordtest.Append(nil, []byte("data"))
	lengthOf := func(n uint64) []byte {
		b := binary.LittleEndian.AppendUint64(nil, n)
		crc := tfrecordtest.CRC32C(b)
		return binary.LittleEndian.AppendUint32(b, (crc>>15|crc<<17)+0xa282ead8)
	}
	flipped := slices.Clone(good)
	flipped[12]++
	for name, c := range map[string]struct {
		file []byte
		want string
	}{
		"half a header": {append(slices.Clone(good), 1, 2, 3),
			"offset 20: 3 bytes left, a record begins with 12"},
		"length": {append(slices.Clone(good), make([]byte, 12)...),
			"offset 20: checksum of the length is 8c28b28a, the file says"},
		"data": {flipped, "offset 12: checksum of the 4 bytes of data is"},
		"long": {append(lengthOf(1<<40), "data...."...),
			"offset 0: a record of 1099511627776 bytes and its checksum, but 8 bytes left"},
		"longest": {append(lengthOf(1<<64-1), "data...."...),
			"offset 0: a record of 18446744073709551615 bytes"},
		"one too long": {append(lengthOf(5), good[12:]...),
			"offset 0: a record of 5 bytes and its checksum, but 8 bytes left"},
		"no checksum left": {append(lengthOf(0), 1, 2),
			"offset 0: a record of 0 bytes and its checksum, but 2 bytes left"},
		"compressed": {append([]byte("\x1f\x8b\x08"), make([]byte, 20)...),
			"offset 0: the file is compressed: unpack it first"},
	} {
		if _, err := readBytes(t, path, c.file); err == nil || !strings.HasPrefix(err.Error(), path+": "+c.want) {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
	// A file that was truncated after it was opened, and a wrong offset.
	must.Do(t, os.WriteFile(path, good, 0o666))
	f := must.Get(Open(path))(t)
	defer f.Close()
	must.Do(t, os.Truncate(path, 14))
	if _, err := f.Read(nil, Record{Offset: 12, Length: 4}); err == nil ||
		!strings.HasPrefix(err.Error(), path+": offset 14: the file ends here") {
		t.Errorf("shorter than it was: %v", err)
	}
	for _, rec := range []Record{{Offset: -1, Length: 1}, {Offset: 12, Length: -1}, {Offset: 12, Length: 1 << 62},
		{Offset: 1 << 62, Length: 1}} {
		if _, err := f.Read(nil, rec); err == nil {
			t.Errorf("%+v is read", rec)
		}
	}
}

// TestHostileLengthsTakeNoMemory reads a record whose length, with a right
// checksum, says one gigabyte, in a file of a few bytes.
func TestHostileLengthsTakeNoMemory(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	b := binary.LittleEndian.AppendUint64(nil, 1<<30)
	crc := tfrecordtest.CRC32C(b)
	b = binary.LittleEndian.AppendUint32(b, (crc>>15|crc<<17)+0xa282ead8)
	b = append(b, "little"...)
	if n := allocated(func() {
		if _, err := readBytes(t, path, b); err == nil {
			t.Error("read")
		}
	}); n > 1<<16 {
		t.Errorf("%d bytes were allocated", n)
	}
}

// allocated returns the bytes that f allocates.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}
