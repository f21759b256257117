package tfrecord

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"google.golang.org/protobuf/encoding/protowire"
)

// Kind is the type of a feature's values.
type Kind int

// The kinds of features; their numbers are those of the fields of
// tf.train.Feature. None is a feature without a list.
const (
	None Kind = iota
	Bytes
	Floats
	Ints
)

var (
	kindNames = [...]string{"none", "bytes", "float32", "int64"}
	listNames = [...]string{"", "list of bytes", "list of float32", "list of int64"}
)

func (k Kind) String() string {
	if k < 0 || int(k) >= len(kindNames) {
		return fmt.Sprintf("Kind(%d)", int(k))
	}
	return kindNames[k]
}

// Feature is a list of values of one kind.
//
//	message Feature   { oneof kind { BytesList bytes_list = 1; FloatList float_list = 2; Int64List int64_list = 3; } }
//	message BytesList { repeated bytes value = 1; }
//	message FloatList { repeated float value = 1 [packed = true]; }
//	message Int64List { repeated int64 value = 1 [packed = true]; }
type Feature struct {
	kind Kind
	n    int
	body message // ends with the lists of this kind, which count as one
}

// newFeature checks a Feature and counts its values.
func newFeature(m message) (Feature, error) {
	out := Feature{body: m}
	err := m.fields(func(f field) error {
		kind := Kind(f.number)
		if kind != Bytes && kind != Floats && kind != Ints {
			return nil
		}
		if err := f.delimited(listNames[kind]); err != nil {
			return err
		}
		if kind != out.kind { // of a oneof the last counts
			skip := f.at - m.at
			out = Feature{kind: kind, body: message{m.file, f.at, m.data[skip:]}}
		}
		n, err := countValues(kind, f.value)
		out.n += n
		return err
	})
	return out, err
}

// countValues counts the values of one list and checks that they can be read.
func countValues(kind Kind, list message) (n int, err error) {
	err = list.fields(func(f field) error {
		if f.number != 1 {
			return nil
		}
		switch {
		case kind == Bytes && f.typ == protowire.BytesType, kind == Floats && f.typ == protowire.Fixed32Type,
			kind == Ints && f.typ == protowire.VarintType:
			n++
		case kind == Floats && f.typ == protowire.BytesType:
			if len(f.value.data)%4 != 0 {
				return f.errorf("%d bytes of float32 values, want a multiple of 4", len(f.value.data))
			}
			n += len(f.value.data) / 4
		case kind == Ints && f.typ == protowire.BytesType:
			for rest := f.value.data; len(rest) > 0; n++ {
				_, size := protowire.ConsumeVarint(rest)
				if size < 0 {
					at := f.value.at + int64(len(f.value.data)-len(rest))
					return &Error{File: list.file, Offset: at, Problem: "no int64 value: " + protowire.ParseError(size).Error()}
				}
				rest = rest[size:]
			}
		default:
			return f.errorf("%v value of wire type %d", kind, f.typ)
		}
		return nil
	})
	return n, err
}

// Kind returns the kind of the values.
func (f Feature) Kind() Kind { return f.kind }

// Len returns the number of values.
func (f Feature) Len() int { return f.n }

// Offset returns where in its file the feature begins.
func (f Feature) Offset() int64 { return f.body.at }

// values calls visit with the raw value or packed values of each field of the
// lists until it says no.
func (f Feature) values(visit func(v field) bool) {
	_ = f.body.fields(func(list field) error { // newFeature found no error
		if Kind(list.number) != f.kind {
			return nil
		}
		return list.value.fields(func(v field) error {
			if v.number == 1 && !visit(v) {
				return errStop
			}
			return nil
		})
	})
}

// Floats copies the values from, from+1, ... of a feature of kind Floats to dst
// and returns how many there were; 0 for another kind.
func (f Feature) Floats(dst []float32, from int) int {
	n := 0
	if f.kind != Floats || from < 0 {
		return n
	}
	f.values(func(v field) bool {
		raw := v.value.data // one value or packed ones
		skip := min(from, len(raw)/4)
		from -= skip
		for raw = raw[4*skip:]; len(raw) > 0 && n < len(dst); raw = raw[4:] {
			dst[n] = math.Float32frombits(binary.LittleEndian.Uint32(raw))
			n++
		}
		return n < len(dst)
	})
	return n
}

// Ints copies the values from, from+1, ... of a feature of kind Ints to dst and
// returns how many there were; 0 for another kind.
func (f Feature) Ints(dst []int64, from int) int {
	n := 0
	if f.kind != Ints || from < 0 {
		return n
	}
	f.values(func(v field) bool {
		for raw := v.value.data; len(raw) > 0 && n < len(dst); {
			x, size := protowire.ConsumeVarint(raw)
			raw = raw[size:]
			if from > 0 {
				from--
				continue
			}
			dst[n] = int64(x)
			n++
		}
		return n < len(dst)
	})
	return n
}

// message is a part of a file in the wire format of protocol buffers.
type message struct {
	file string
	at   int64 // offset of data in the file
	data []byte
}

// field is one field of a message.
type field struct {
	number protowire.Number
	typ    protowire.Type
	at     int64   // offset of the tag
	value  message // without the length of a length-delimited field
}

// errStop ends fields early where nothing is wrong.
var errStop = errors.New("stop")

// fields calls visit for each field, in order, until it fails.
func (m message) fields(visit func(f field) error) error {
	for rest := m.data; len(rest) > 0; {
		at := m.at + int64(len(m.data)-len(rest))
		number, typ, n := protowire.ConsumeTag(rest)
		if n < 0 {
			return m.broken(at, n)
		}
		rest = rest[n:]
		size := protowire.ConsumeFieldValue(number, typ, rest)
		if size < 0 {
			return m.broken(at, size)
		}
		value := rest[:size]
		rest = rest[size:]
		if typ == protowire.BytesType {
			value, _ = protowire.ConsumeBytes(value)
		}
		end := m.at + int64(len(m.data)-len(rest))
		f := field{number, typ, at, message{m.file, end - int64(len(value)), value}}
		if err := visit(f); err != nil {
			return err
		}
	}
	return nil
}

func (m message) broken(at int64, code int) error {
	return &Error{File: m.file, Offset: at, Problem: "no field of a message: " + protowire.ParseError(code).Error()}
}

// delimited checks that a field that must be length-delimited is.
func (f field) delimited(what string) error {
	if f.typ == protowire.BytesType {
		return nil
	}
	return f.errorf("%s has wire type %d, want %d", what, f.typ, protowire.BytesType)
}

func (f field) errorf(format string, args ...any) error {
	return &Error{File: f.value.file, Offset: f.at, Problem: fmt.Sprintf(format, args...)}
}
