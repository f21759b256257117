package external

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
)

// array is a named array of a message. Data is one of []float32, []float64, []int32,
// []int64 and []byte.
type array struct {
	Name  string
	Shape []int
	Data  any
}

// message is one frame: a header and arrays. Only the fields that a type of message
// needs are set (PROTOCOL.md).
type message struct {
	header
	arrays []array
}

type header struct {
	Type   string      `json:"type"`
	ID     int         `json:"id"` // of a request; its answer has the same
	Arrays []arrayHead `json:"arrays,omitempty"`

	Task     *taskInfo `json:"task,omitempty"`     // hello
	Protocol int       `json:"protocol,omitempty"` // hello, both ways

	Step *int `json:"step,omitempty"` // train: updates done before

	Parameters int             `json:"parameters,omitempty"` // hello from the process
	Loss       json.RawMessage `json:"loss,omitempty"`       // trained
	Rate       float64         `json:"learning_rate,omitempty"`
	GradNorm   *float64        `json:"grad_norm,omitempty"`
	Error      string          `json:"error,omitempty"` // instead of an answer
}

type arrayHead struct {
	Name  string `json:"name"`
	DType string `json:"dtype"`
	Shape []int  `json:"shape"`
}

// Limits on frames from the process, in bytes. A larger frame is an error and not allocated.
const (
	maxHeader = 1 << 20
	maxSmall  = 1 << 16 // the arrays of an answer that needs none
)

// write sends m: the length of the header in 4 bytes, the header as JSON, and the arrays, all
// numbers little-endian.
func (m *message) write(w io.Writer) error {
	m.Arrays = m.Arrays[:0]
	for _, a := range m.arrays {
		m.Arrays = append(m.Arrays, arrayHead{a.Name, dtype(a.Data), a.Shape})
	}
	head, err := json.Marshal(m.header)
	if err != nil {
		return err
	}
	var frame bytes.Buffer
	binary.Write(&frame, binary.LittleEndian, uint32(len(head)))
	frame.Write(head)
	for _, a := range m.arrays {
		if err := binary.Write(&frame, binary.LittleEndian, a.Data); err != nil {
			return fmt.Errorf("array %s: %w", a.Name, err)
		}
	}
	_, err = w.Write(frame.Bytes())
	return err
}

// read reads one frame with at most limit bytes of arrays. Errors name the field; io.EOF means the
// end before a frame.
func (m *message) read(r io.Reader, limit int) error {
	var length uint32
	const printed = "is something else printed to standard output?"
	if err := binary.Read(r, binary.LittleEndian, &length); err == io.ErrUnexpectedEOF {
		return fmt.Errorf("fewer than 4 bytes, then the end; %s", printed)
	} else if err != nil {
		return err
	}
	if length > maxHeader {
		return fmt.Errorf("header of %d bytes, at most %d are allowed; %s", length, maxHeader, printed)
	}
	head := make([]byte, length)
	if _, err := io.ReadFull(r, head); err != nil {
		return fmt.Errorf("header of %d bytes: %w", length, unexpectedEOF(err))
	}
	*m = message{}
	if err := json.Unmarshal(head, &m.header); err != nil {
		if bytes.Contains(head, []byte("NaN")) || bytes.Contains(head, []byte("Infinity")) {
			err = fmt.Errorf("%w; JSON has neither NaN nor Infinity: a loss that is not finite is null", err)
		}
		return fmt.Errorf("header: %w", err)
	}
	left := limit
	for _, h := range m.Arrays {
		a := array{Name: h.Name, Shape: h.Shape}
		n, err := count(h, left)
		if err != nil {
			return fmt.Errorf("array %q: %w; at most %d bytes of arrays are allowed in this answer", h.Name, err, limit)
		}
		left -= n * int(types[h.DType].Size())
		if a.Data, err = readArray(r, h.DType, n); err != nil {
			return fmt.Errorf("array %q, %v of %s: %w", h.Name, h.Shape, h.DType, unexpectedEOF(err))
		}
		m.arrays = append(m.arrays, a)
	}
	return nil
}

// types are the types of the elements of an array.
var types = map[string]reflect.Type{
	"f32": reflect.TypeFor[float32](), "f64": reflect.TypeFor[float64](), "i32": reflect.TypeFor[int32](), "i64": reflect.TypeFor[int64](), "u8": reflect.TypeFor[byte](),
}

// count returns the number of elements of an array of at most left bytes.
func count(h arrayHead, left int) (int, error) {
	element, ok := types[h.DType]
	if !ok {
		return 0, fmt.Errorf("dtype %q, want f32, f64, i32, i64 or u8", h.DType)
	}
	n := 1
	for _, d := range h.Shape {
		if d < 0 || d > 0 && n > left/int(element.Size())/d {
			return 0, fmt.Errorf("shape %v of %s: negative or too large", h.Shape, h.DType)
		}
		n *= d
	}
	return n, nil
}

// readArray reads n elements.
func readArray(r io.Reader, dtype string, n int) (any, error) {
	const piece = 1 << 16 // binary.Read copies what it reads
	all := reflect.MakeSlice(reflect.SliceOf(types[dtype]), n, n)
	for i := 0; i < n; i += piece {
		if err := binary.Read(r, binary.LittleEndian, all.Slice(i, min(n, i+piece)).Interface()); err != nil {
			return nil, err
		}
	}
	return all.Interface(), nil
}

func dtype(data any) string {
	for name, element := range types {
		if reflect.TypeOf(data) == reflect.SliceOf(element) {
			return name
		}
	}
	return ""
}

// unexpectedEOF replaces io.EOF inside a frame by io.ErrUnexpectedEOF.
func unexpectedEOF(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// float32s returns the array of the given name and shape.
func (m *message) float32s(name string, shape ...int) ([]float32, error) {
	for _, a := range m.arrays {
		if a.Name != name {
			continue
		}
		data, ok := a.Data.([]float32)
		if !ok || fmt.Sprint(a.Shape) != fmt.Sprint(shape) {
			return nil, fmt.Errorf("array %q is %v of %s, want %v of f32", name, a.Shape, dtype(a.Data), shape)
		}
		return data, nil
	}
	return nil, fmt.Errorf("no array %q in the answer", name)
}
