package tfrecord

import (
	"errors"
	"fmt"

	"google.golang.org/protobuf/encoding/protowire"
)

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
