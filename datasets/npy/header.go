package npy

import (
	"encoding/binary"
	"strings"
)

const (
	magic     = "\x93NUMPY"
	maxHeader = 1 << 16 // structures can have longer ones, arrays of numbers cannot
	maxDims   = 64      // as numpy
)

// header is what stands before the data.
type header struct {
	descr   string
	fortran bool
	shape   []int
	at      map[string]int64 // offset of the value of each key
	end     int64            // offset of the data
}

// readHeader reads magic, version and description.
func (a *Array) readHeader() (header, error) {
	fixed := make([]byte, len(magic)+2+4)
	n := min(int64(len(fixed)), a.Size())
	fixed = fixed[:n]
	if err := a.Fill(fixed, 0); err != nil {
		return header{}, err
	}
	if !strings.HasPrefix(string(fixed), magic) {
		return header{}, a.Errorf(0, "not an .npy file: it does not begin with %q", magic)
	}
	at := int64(len(magic))
	if n < at+2+2 {
		return header{}, a.Errorf(n, "the file ends in the header")
	}
	major, minor := fixed[at], fixed[at+1]
	length := int64(binary.LittleEndian.Uint16(fixed[at+2:]))
	start := at + 2 + 2
	switch {
	case major < 1 || major > 3 || minor != 0:
		return header{}, a.Errorf(at, "format version %d.%d, want 1.0, 2.0 or 3.0", major, minor)
	case major > 1 && n < at+2+4:
		return header{}, a.Errorf(n, "the file ends in the header")
	case major > 1:
		length = int64(binary.LittleEndian.Uint32(fixed[at+2:]))
		start += 2
	}
	if length > maxHeader {
		return header{}, a.Errorf(at+2, "a description of %d bytes, want at most %d", length, maxHeader)
	}
	if length > a.Size()-start {
		return header{}, a.Errorf(at+2, "a description of %d bytes, but %d left", length, a.Size()-start)
	}
	text := make([]byte, length)
	if err := a.Fill(text, start); err != nil {
		return header{}, err
	}
	p := &parser{text: string(text), start: start}
	h, err := p.header()
	if err != nil {
		return header{}, a.Errorf(start+int64(p.at), "%v", err)
	}
	h.end = start + length
	return h, nil
}
