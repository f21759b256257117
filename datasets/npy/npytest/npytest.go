// Package npytest writes .npy files for tests, as numpy does, and files that
// numpy would not write.
package npytest

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"strings"
	"testing"

	"memobench/datasets/must"
)

// File returns the bytes of a file of the given format version, description and
// data, a slice of numbers written in the given byte order.
func File(version byte, description string, order binary.ByteOrder, data any) []byte {
	var b bytes.Buffer
	b.WriteString("\x93NUMPY")
	b.Write([]byte{version, 0})
	if version == 1 {
		b.Write(binary.LittleEndian.AppendUint16(nil, uint16(len(description))))
	} else {
		b.Write(binary.LittleEndian.AppendUint32(nil, uint32(len(description))))
	}
	b.WriteString(description)
	if err := binary.Write(&b, order, data); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// Describe returns a description as numpy writes it: padded, so that the data
// of a version 1 file begin at a multiple of 64.
func Describe(descr string, shape ...int) string {
	var axes strings.Builder
	for i, n := range shape {
		if i > 0 {
			axes.WriteByte(' ')
		}
		fmt.Fprintf(&axes, "%d,", n)
	}
	tuple := axes.String()
	if len(shape) > 1 {
		tuple = strings.TrimSuffix(tuple, ",")
	}
	text := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", descr, tuple)
	const before = 10 // magic, version and length
	pad := 64 - (before+len(text)+1)%64
	return text + strings.Repeat(" ", pad%64) + "\n"
}

// Write writes a version 1 file of little-endian numbers, a slice whose type
// descr says.
func Write(t testing.TB, path, descr string, data any, shape ...int) {
	t.Helper()
	must.Do(t, os.WriteFile(path, File(1, Describe(descr, shape...), binary.LittleEndian, data), 0o666))
}
