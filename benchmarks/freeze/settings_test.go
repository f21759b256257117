package freeze

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

// set changes settings, a pointer to a struct with yaml tags, by "key=value" texts separated by
// blanks.
func set(t *testing.T, settings any, changes string) {
	t.Helper()
	for _, change := range strings.Fields(changes) {
		key, value, _ := strings.Cut(change, "=")
		field := fieldOf(reflect.ValueOf(settings).Elem(), key)
		if !field.IsValid() {
			t.Fatalf("%T has no setting %s", settings, key)
		}
		if field.Kind() == reflect.Pointer { // a setting that may be off
			field.Set(reflect.New(field.Type().Elem()))
			field = field.Elem()
		}
		if err := yaml.Unmarshal([]byte(value), field.Addr().Interface()); err != nil {
			t.Fatal(fmt.Errorf("%s: %w", change, err))
		}
	}
}

// fieldOf returns the field with the yaml key, embedded structs included.
func fieldOf(v reflect.Value, key string) reflect.Value {
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if f.Anonymous {
			if found := fieldOf(v.Field(i), key); found.IsValid() {
				return found
			}
		}
		if name, _, _ := strings.Cut(f.Tag.Get("yaml"), ","); name == key {
			return v.Field(i)
		}
	}
	return reflect.Value{}
}
