package scaling

import (
	"os"
	"reflect"
	"strings"
	"testing"

	"memobench/benchmarks/scaling/slope"
	"memobench/internal/must"
)

// TestEveryKeyIsExplained looks for the keys of a report in SCHEMA.md.
func TestEveryKeyIsExplained(t *testing.T) {
	text := must.Get(os.ReadFile("SCHEMA.md"))(t)
	for prefix, of := range map[string]any{"": Report{}, "series.": Series{}, "point.": Point{}, "slope.": slope.Slope{}, "growth.": growthJSON{}} {
		typ := reflect.TypeOf(of)
		for i := range typ.NumField() {
			key, _, _ := strings.Cut(typ.Field(i).Tag.Get("json"), ",")
			if key == "" {
				t.Errorf("%v.%s has no key", typ, typ.Field(i).Name)
			}
			if !strings.Contains(string(text), "`"+prefix+key+"`") {
				t.Errorf("SCHEMA.md does not explain %s%s", prefix, key)
			}
		}
	}
}
