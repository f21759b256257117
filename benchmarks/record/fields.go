package record

import (
	"fmt"
	"reflect"
	"strings"
)

// Field documents one key of a record.
type Field struct {
	Key  string // path, such as "evaluation.kinds[].total"
	Type string // JSON type
	Doc  string
}

// FieldsOf lists every key of the JSON form of T, from json and doc tags.
func FieldsOf[T any]() []Field {
	var list []Field
	walk(reflect.TypeFor[T](), "", &list)
	return list
}

func walk(t reflect.Type, prefix string, list *[]Field) {
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		key := prefix + name
		inner := f.Type
		for inner.Kind() == reflect.Pointer || inner.Kind() == reflect.Slice {
			if inner.Kind() == reflect.Slice {
				key += "[]"
			}
			inner = inner.Elem()
		}
		*list = append(*list, Field{Key: key, Type: jsonType(inner), Doc: f.Tag.Get("doc")})
		if inner.Kind() == reflect.Struct {
			walk(inner, key+".", list)
		}
	}
}

func jsonType(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "string"
	case reflect.Int, reflect.Int32, reflect.Int64, reflect.Uint64:
		return "integer"
	case reflect.Bool:
		return "boolean"
	case reflect.Float64:
		return "number"
	case reflect.Struct, reflect.Map:
		return "object"
	}
	return t.String()
}

// FieldTable returns a Markdown table of keys.
func FieldTable(fields []Field) string {
	var b strings.Builder
	b.WriteString("| Key | Type | Meaning |\n|---|---|---|\n")
	for _, f := range fields {
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", f.Key, f.Type, f.Doc)
	}
	return b.String()
}
