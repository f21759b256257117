package npy

import (
	"encoding/binary"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

const (
	magic     = "\x93NUMPY"
	maxHeader = 1 << 16 // structures can have longer ones, arrays of numbers cannot
	maxDims   = 64      // as numpy
)

// header is the header of a file.
type header struct {
	descr   string
	fortran bool
	shape   []int
	at, end int64 // offsets of the description and of the data
}

// readHeader reads magic, version and description.
func (a *Array) readHeader() (header, error) {
	fixed := make([]byte, min(int64(len(magic)+2+4), a.Size()))
	if err := a.Fill(fixed, 0); err != nil {
		return header{}, err
	}
	if !strings.HasPrefix(string(fixed), magic) {
		return header{}, a.Errorf(0, "not an .npy file: it does not begin with %q", magic)
	}
	at := len(magic)
	version, size := fixed[at:], 2 // of the length
	if len(version) > 0 && version[0] > 1 {
		size = 4
	}
	if len(version) < 2+size {
		return header{}, a.Errorf(a.Size(), "the file ends in the header")
	}
	if version[0] < 1 || version[0] > 3 || version[1] != 0 {
		return header{}, a.Errorf(int64(at), "format version %d.%d, want 1.0, 2.0 or 3.0", version[0], version[1])
	}
	length := int64(binary.LittleEndian.Uint16(version[2:]))
	if size == 4 {
		length = int64(binary.LittleEndian.Uint32(version[2:]))
	}
	h := header{at: int64(at + 2 + size)}
	h.end = h.at + length
	if length > maxHeader || h.end > a.Size() {
		return header{}, a.Errorf(int64(at+2), "a description of %d bytes, but %d left, and at most %d are read", length, a.Size()-h.at, maxHeader)
	}
	text := make([]byte, length)
	if err := a.Fill(text, h.at); err != nil {
		return header{}, err
	}
	if err := h.parse(string(text)); err != nil {
		return header{}, a.Errorf(h.at, "%v", err)
	}
	return h, nil
}

// The description is a dictionary in Python with three keys, in any order:
//
//	{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }
var (
	dictionary = regexp.MustCompile(`^\s*\{\s*(?:` + entry + `\s*,\s*){2}` + entry + `\s*,?\s*\}\s*$`)
	descrOf    = regexp.MustCompile(`['"]descr['"]\s*:\s*['"]([^'"]*)['"]`)
	fortranOf  = regexp.MustCompile(`['"]fortran_order['"]\s*:\s*(True|False)`)
	shapeOf    = regexp.MustCompile(`['"]shape['"]\s*:\s*\(\s*((?:\d+\s*,\s*)*(?:\d+\s*)?)\)`)
)

const entry = `['"]\w+['"]\s*:\s*(?:['"][^'"]*['"]|True|False|\([\d\s,]*\))`

func (h *header) parse(text string) error {
	descr, fortran, shape := descrOf.FindStringSubmatch(text), fortranOf.FindStringSubmatch(text), shapeOf.FindStringSubmatch(text)
	if descr == nil || fortran == nil || shape == nil || !dictionary.MatchString(text) {
		return fmt.Errorf("the description %.100q: want {'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)}, elements being numbers", text)
	}
	h.descr, h.fortran = descr[1], fortran[1] == "True"
	if axes := strings.TrimSpace(shape[1]); axes != "" && !strings.Contains(axes, ",") {
		return fmt.Errorf("shape (%s): a tuple of one number ends with a comma", axes)
	}
	for axis := range strings.FieldsFuncSeq(shape[1], func(r rune) bool { return r == ',' || r == ' ' || r == '\t' || r == '\n' || r == '\r' }) {
		n, err := strconv.Atoi(axis)
		if err != nil {
			return fmt.Errorf("shape (%s): %v", shape[1], err)
		}
		if h.shape = append(h.shape, n); len(h.shape) > maxDims {
			return fmt.Errorf("more than %d axes", maxDims)
		}
	}
	return nil
}
