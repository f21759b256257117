// Package strictjson reads JSON more strictly than encoding/json: unknown and duplicated keys,
// another schema version and data after the value are errors.
package strictjson

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
)

// Decode reads one value into v, without unknown keys and with nothing after it.
func Decode(data []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return err
	}
	return end(d)
}

// DecodeVersion is Decode for an object whose key schema has to be want. That is compared
// first: the keys of another version are unknown.
func DecodeVersion(data []byte, want int, v any) error {
	var head struct {
		Schema *int `json:"schema"`
	}
	if err := json.NewDecoder(bytes.NewReader(data)).Decode(&head); err != nil {
		return err
	}
	switch {
	case head.Schema == nil:
		return fmt.Errorf(`no "schema" key`)
	case *head.Schema != want:
		return fmt.Errorf("schema version %d: this program reads version %d", *head.Schema, want)
	}
	return Decode(data, v)
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
