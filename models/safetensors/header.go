package safetensors

import (
	"encoding/json"
	"fmt"
	"slices"

	"memobench/datasets/strictjson"
)

const (
	metadataKey = "__metadata__"
	// maxHeader is the format's limit on the header, in bytes.
	maxHeader = 100_000_000
	// align is the boundary on which the values start.
	align = 8
)

// entry is the header entry of one tensor.
type entry struct {
	DType   dtype    `json:"dtype"`
	Shape   []int    `json:"shape"`
	Offsets [2]int64 `json:"data_offsets"` // into the values, end exclusive
	name    string
}

// parseHeader reads the JSON header of a file with size bytes of values. It
// returns the entries in the order of their values.
func parseHeader(data []byte, size int64) ([]entry, map[string]string, error) {
	var metadata map[string]string
	var entries []entry
	err := strictjson.Object(data, func(key string, value json.RawMessage) error {
		if key == metadataKey {
			metadata = map[string]string{}
			return strictjson.Object(value, func(k string, v json.RawMessage) error {
				var text *string
				if err := json.Unmarshal(v, &text); err != nil || text == nil {
					return fmt.Errorf("metadata %q: want a string", k)
				}
				metadata[k] = *text
				return nil
			})
		}
		if key == "" {
			return fmt.Errorf("a tensor has no name")
		}
		e, err := parseEntry(value)
		if err != nil {
			return fmt.Errorf("tensor %q: %w", key, err)
		}
		e.name = key
		entries = append(entries, e)
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	slices.SortStableFunc(entries, func(a, b entry) int { return slices.Compare(a.Offsets[:], b.Offsets[:]) })
	return entries, metadata, checkLayout(entries, size)
}

// parseEntry parses one tensor's entry. Every key is required once.
func parseEntry(data []byte) (entry, error) {
	var e entry
	var kind *dtype
	var shape *[]int
	var offsets *[]int64
	err := strictjson.Object(data, func(key string, value json.RawMessage) error {
		var err error
		switch key {
		case "dtype":
			err = json.Unmarshal(value, &kind)
		case "shape":
			err = json.Unmarshal(value, &shape)
		case "data_offsets":
			err = json.Unmarshal(value, &offsets)
		default:
			return fmt.Errorf("unknown key %q", key)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", key, err)
		}
		return nil
	})
	switch {
	case err != nil:
		return e, err
	case kind == nil || shape == nil || offsets == nil || *shape == nil:
		return e, fmt.Errorf("want dtype, shape and data_offsets")
	case len(*offsets) != 2:
		return e, fmt.Errorf("data_offsets: %d numbers, want 2", len(*offsets))
	case kind.size() == 0:
		return e, fmt.Errorf("dtype %q: only %s and %s are supported", *kind, f32, f64)
	}
	return entry{DType: *kind, Shape: *shape, Offsets: [2]int64{(*offsets)[0], (*offsets)[1]}}, nil
}

// checkLayout returns an error unless the entries cover size bytes without gaps and overlaps.
func checkLayout(entries []entry, size int64) error {
	at := int64(0)
	for _, e := range entries {
		begin, end := e.Offsets[0], e.Offsets[1]
		n, err := elements(e.Shape)
		switch {
		case err != nil:
			return fmt.Errorf("tensor %q: %w", e.name, err)
		case begin < 0 || end < begin || end > size:
			return fmt.Errorf("tensor %q: data_offsets [%d, %d] outside of the file's %d bytes of values", e.name, begin, end, size)
		case begin < at:
			return fmt.Errorf("tensor %q: data_offsets [%d, %d] overlap another tensor", e.name, begin, end)
		case begin > at:
			return fmt.Errorf("tensor %q: %d unused bytes before its values", e.name, begin-at)
		case end-begin != n*int64(e.DType.size()):
			return fmt.Errorf("tensor %q: %d bytes for shape %v of %s", e.name, end-begin, e.Shape, e.DType)
		}
		at = end
	}
	if at != size {
		return fmt.Errorf("%d bytes after the last tensor", size-at)
	}
	return nil
}
