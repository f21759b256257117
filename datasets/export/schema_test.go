package export

import (
	"flag"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memobench/benchmarks/record"
	"memobench/datasets/must"
)

// recordSchema documents the keys of result records.
const recordSchema = "../../benchmarks/record/SCHEMA.md"

var update = flag.Bool("update", false, "write the SCHEMA.md of package record anew")

// The tables of keys in SCHEMA.md are those of the types.
func TestSchemaDocumentsEveryKey(t *testing.T) {
	for _, table := range []string{fieldTable(fieldsOf[Header]()), fieldTable(fieldsOf[Example]()), fieldTable(fieldsOf[plainExample]())} {
		if !strings.Contains(schemaText, table) {
			t.Errorf("%s lacks this table:\n%s", SchemaName, table)
		}
	}
}

func TestSchemaOfRecordsDocumentsEveryKey(t *testing.T) {
	for _, f := range append(fieldsOf[record.Record](), fieldsOf[record.Point]()...) {
		if f.Doc == "" || strings.HasSuffix(f.Key, ".") {
			t.Errorf("key %q has no doc tag or no name", f.Key)
		}
	}
	want := recordMarkdown()
	if *update {
		must.Do(t, os.WriteFile(recordSchema, []byte(want), 0o644))
	}
	if d := cmp.Diff(want, string(must.Get(os.ReadFile(recordSchema))(t))); d != "" {
		t.Errorf("%s is out of date; run go test -run Schema -update (-want +have):\n%s", recordSchema, d)
	}
}

// recordMarkdown returns the documentation of every key of a record as Markdown tables.
func recordMarkdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Result record, schema version %d\n\n", record.Version)
	b.WriteString("One JSON object per run. `[]` marks the elements of an array.\n\n" + fieldTable(fieldsOf[record.Record]()))
	b.WriteString("\n# Learning curve\n\n`" + record.CurveName + "` has one JSON object per evaluation, in the order of steps.\n\n" + fieldTable(fieldsOf[record.Point]()))
	return b.String()
}

// field documents one key of a JSON file.
type field struct {
	Key  string // path, such as "evaluation.kinds[].total"
	Type string // JSON type
	Doc  string
}

// fieldsOf lists every key of the JSON form of T, from json and doc tags.
func fieldsOf[T any]() []field {
	var list []field
	walk(reflect.TypeFor[T](), "", &list)
	return list
}

func walk(t reflect.Type, prefix string, list *[]field) {
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
		*list = append(*list, field{Key: key, Type: jsonType(inner), Doc: f.Tag.Get("doc")})
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
	case reflect.Struct, reflect.Map, reflect.Interface:
		return "object"
	}
	return t.String()
}

// fieldTable returns a Markdown table of keys.
func fieldTable(fields []field) string {
	var b strings.Builder
	b.WriteString("| Key | Type | Meaning |\n|---|---|---|\n")
	for _, f := range fields {
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", f.Key, f.Type, f.Doc)
	}
	return b.String()
}
