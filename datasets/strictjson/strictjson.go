// Package strictjson reads JSON more strictly than encoding/json: data after the value and,
// by what each function says, unknown keys, another schema version or duplicated keys are
// errors.
package strictjson

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"memobench/datasets/binfile"
)

// Decode reads one value into v, without unknown keys and with nothing after it. Errors in
// data of several lines name the line.
func Decode(data []byte, v any) error {
	data, err := binfile.WithoutMark(data)
	if err != nil {
		return err
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return located(data, err)
	}
	if err := end(d); err != nil {
		return at(data, d.InputOffset(), err)
	}
	return nil
}

// DecodeVersion is Decode for an object whose key schema has to be want. That is compared
// first: the keys of another version are unknown. what is the object, for errors.
func DecodeVersion(data []byte, what string, want int, v any) error {
	data, err := binfile.WithoutMark(data)
	if err != nil {
		return err
	}
	var head struct {
		Schema *int `json:"schema"`
	}
	if err := json.NewDecoder(bytes.NewReader(data)).Decode(&head); err != nil {
		return fmt.Errorf("not a %s: %w", what, located(data, err))
	}
	switch {
	case head.Schema == nil:
		return fmt.Errorf(`not a %s: no "schema" key`, what)
	case *head.Schema != want:
		return fmt.Errorf("schema version %d: this program reads version %d", *head.Schema, want)
	}
	if err := Decode(data, v); err != nil {
		return fmt.Errorf("bad %s: %w", what, err)
	}
	return nil
}

// located adds the line to an error of encoding/json.
func located(data []byte, err error) error {
	switch e := err.(type) {
	case *json.SyntaxError:
		return at(data, e.Offset, err)
	case *json.UnmarshalTypeError:
		return at(data, e.Offset, err)
	}
	return err
}

func at(data []byte, offset int64, err error) error {
	if !bytes.Contains(data, []byte("\n")) {
		return err
	}
	return fmt.Errorf("line %d: %w", 1+bytes.Count(data[:min(int(offset), len(data))], []byte("\n")), err)
}

// Object calls f for each key of an object, in order. Other values, duplicated keys and data
// after the object are errors.
func Object(data []byte, f func(key string, value json.RawMessage) error) error {
	d := json.NewDecoder(bytes.NewReader(data))
	if t, err := d.Token(); err != nil {
		return fmt.Errorf("bad JSON: %w", err)
	} else if t != json.Delim('{') {
		return fmt.Errorf("want a JSON object, have %v", t)
	}
	seen := map[string]bool{}
	for d.More() {
		t, err := d.Token()
		if err != nil {
			return fmt.Errorf("bad JSON: %w", err)
		}
		key := t.(string) // the decoder allows only strings here
		if seen[key] {
			return fmt.Errorf("key %q is duplicated", key)
		}
		seen[key] = true
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return fmt.Errorf("%q: bad JSON: %w", key, err)
		}
		if err := f(key, value); err != nil {
			return err
		}
	}
	if _, err := d.Token(); err != nil {
		return fmt.Errorf("bad JSON: %w", err)
	}
	return end(d)
}

// end returns an error if there is more to read.
func end(d *json.Decoder) error {
	if _, err := d.Token(); err != io.EOF {
		return fmt.Errorf("data after the JSON value")
	}
	return nil
}
