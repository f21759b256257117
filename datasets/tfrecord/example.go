package tfrecord

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"google.golang.org/protobuf/encoding/protowire"
)

// Feature holds the values of one feature, floats or integers. Bytes are not read.
type Feature struct {
	Offset int64 // of the entry with the feature in its file
	Floats []float32
	Ints   []int64
}

// ParseExample returns the features of a tf.train.Example by name; data are at the given
// offset of a file. As in any protocol buffer, unknown fields are skipped, and of two
// features with one name the later counts.
//
//	message Example  { Features features = 1; }
//	message Features { map<string, Feature> feature = 1; }
//	message Entry    { string key = 1; Feature value = 2; }
func ParseExample(file string, offset int64, data []byte) (map[string]Feature, error) {
	features := map[string]Feature{}
	err := message{file, offset, data}.fields(func(f field) error {
		if f.number != 1 {
			return nil
		}
		if err := f.delimited("features of an Example"); err != nil {
			return err
		}
		return f.value.fields(func(f field) error {
			if f.number != 1 {
				return nil
			}
			name, feature, err := parseEntry(f)
			features[name] = feature
			return err
		})
	})
	if err != nil {
		return nil, err
	}
	return features, nil
}

// parseEntry reads one feature and its name.
func parseEntry(entry field) (name string, feature Feature, err error) {
	feature.Offset = entry.at
	if err := entry.delimited("entry of features"); err != nil {
		return "", feature, err
	}
	err = entry.value.fields(func(f field) error {
		switch f.number {
		case 1:
			name = string(f.value.data)
			return f.delimited("name of a feature")
		case 2:
			if err := f.delimited("value of a feature"); err != nil {
				return err
			}
			return f.value.fields(feature.add)
		}
		return nil
	})
	return name, feature, err
}

// The fields of a Feature. Of lists of several kinds the last counts; several lists of
// one kind count as one.
//
//	message Feature   { oneof kind { BytesList bytes_list = 1; FloatList float_list = 2; Int64List int64_list = 3; } }
//	message FloatList { repeated float value = 1 [packed = true]; }
//	message Int64List { repeated int64 value = 1 [packed = true]; }
const (
	bytesList = 1
	floatList = 2
	int64List = 3
)

// add adds the values of one list.
func (x *Feature) add(list field) error {
	if list.number < bytesList || list.number > int64List {
		return nil
	}
	if list.number != floatList {
		x.Floats = nil
	}
	if list.number != int64List {
		x.Ints = nil
	}
	if err := list.delimited("list of values"); err != nil || list.number == bytesList {
		return err
	}
	single := protowire.Fixed32Type
	if list.number == int64List {
		single = protowire.VarintType
	}
	return list.value.fields(func(f field) error {
		switch {
		case f.number != 1:
			return nil
		case f.typ != single && f.typ != protowire.BytesType: // packed
			return f.errorf("value of wire type %d, want %d or %d", f.typ, single, protowire.BytesType)
		case list.number == floatList:
			return x.addFloats(f)
		}
		return x.addInts(f)
	})
}

func (x *Feature) addFloats(f field) error {
	data := f.value.data
	if len(data)%4 != 0 {
		return f.errorf("%d bytes of float32 values, want a multiple of 4", len(data))
	}
	x.Floats = slices.Grow(x.Floats, len(data)/4)
	for ; len(data) > 0; data = data[4:] {
		x.Floats = append(x.Floats, math.Float32frombits(binary.LittleEndian.Uint32(data)))
	}
	return nil
}

func (x *Feature) addInts(f field) error {
	for data := f.value.data; len(data) > 0; {
		v, size := protowire.ConsumeVarint(data)
		if size < 0 {
			return f.errorf("no int64 value: %w", protowire.ParseError(size))
		}
		x.Ints = append(x.Ints, int64(v))
		data = data[size:]
	}
	return nil
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

// fields calls visit for each field, in order, until it fails.
func (m message) fields(visit func(f field) error) error {
	for rest := m.data; len(rest) > 0; {
		f := field{at: m.at + int64(len(m.data)-len(rest)), value: message{file: m.file}}
		var n int
		f.number, f.typ, n = protowire.ConsumeTag(rest)
		size := n
		if n >= 0 {
			rest = rest[n:]
			size = protowire.ConsumeFieldValue(f.number, f.typ, rest)
		}
		if size < 0 {
			return f.errorf("no field of a message: %w", protowire.ParseError(size))
		}
		f.value.data, rest = rest[:size], rest[size:]
		if f.typ == protowire.BytesType {
			f.value.data, _ = protowire.ConsumeBytes(f.value.data)
		}
		f.value.at = m.at + int64(len(m.data)-len(rest)-len(f.value.data))
		if err := visit(f); err != nil {
			return err
		}
	}
	return nil
}

// delimited checks that a field that must be length-delimited is.
func (f field) delimited(what string) error {
	if f.typ == protowire.BytesType {
		return nil
	}
	return f.errorf("%s has wire type %d, want %d", what, f.typ, protowire.BytesType)
}

func (f field) errorf(format string, args ...any) error {
	return &Error{File: f.value.file, Offset: f.at, Problem: fmt.Errorf(format, args...).Error()}
}
