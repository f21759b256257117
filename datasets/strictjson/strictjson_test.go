package strictjson

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestWhatIsRefused(t *testing.T) {
	var v struct {
		Schema int `json:"schema"`
		A      int `json:"a"`
	}
	none := func(string, json.RawMessage) error { return nil }
	for _, c := range []struct {
		read func(string) error
		text string
		want string // "" for no error
	}{
		{func(s string) error { return Decode([]byte(s), &v) }, `{"a": 1} `, ""},
		{func(s string) error { return Decode([]byte(s), &v) }, `{"b": 1}`, `unknown field "b"`},
		{func(s string) error { return Decode([]byte(s), &v) }, `{"a": 1} {}`, "data after the JSON value"},
		{func(s string) error { return Decode([]byte(s), &v) }, "{\n\"a\": 1}\n\n{}", "line 4: data after the JSON value"},
		{func(s string) error { return Decode([]byte(s), &v) }, "{\n\"a\": []}", "line 2: json: cannot unmarshal"},
		{func(s string) error { return DecodeVersion([]byte(s), "note", 2, &v) }, `{"schema": 2, "a": 1}`, ""},
		{func(s string) error { return DecodeVersion([]byte(s), "note", 2, &v) }, `{"a": 1}`, `not a note: no "schema" key`},
		{func(s string) error { return DecodeVersion([]byte(s), "note", 2, &v) }, `{"schema": 3, "b": 1}`, "schema version 3: this program reads version 2"},
		{func(s string) error { return DecodeVersion([]byte(s), "note", 2, &v) }, `{"schema": 2, "b": 1}`, `bad note: json: unknown field "b"`},
		{func(s string) error { return DecodeVersion([]byte(s), "note", 2, &v) }, `{"schema": 2`, "unexpected EOF"},
		{func(s string) error { return Object([]byte(s), none) }, `{"a": 1, "A": {"a": 2}}`, ""},
		{func(s string) error { return Object([]byte(s), none) }, `{"a": 1, "a": 2}`, `key "a" is duplicated`},
		{func(s string) error { return Object([]byte(s), none) }, `[1]`, "want a JSON object, have ["},
		{func(s string) error { return Object([]byte(s), none) }, `{"a": 1}]`, "data after the JSON value"},
		{func(s string) error { return Object([]byte(s), none) }, `{"a": 1`, "bad JSON: "},
	} {
		err := c.read(c.text)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: error %v, want %q", c.text, err, c.want)
		}
	}
}
