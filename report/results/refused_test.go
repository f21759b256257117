package results

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestBadResultsAreRefused(t *testing.T) {
	good := marshal(t, sample(0, 600, 540))
	line := twin(t, sample(0, 600, 540))
	for name, c := range map[string]struct {
		files map[string]string
		path  string
		want  string
	}{
		"nothing there":         {nil, "none", "no results: "},
		"empty directory":       {map[string]string{"a/notes": ""}, "a", "no record.json and no bench.txt in or below"},
		"empty file":            {map[string]string{"a": " \n"}, "a", "a: empty"},
		"text of another kind":  {map[string]string{"a": "hello\n"}, "a", "neither a result record nor"},
		"truncated JSON":        {map[string]string{"record.json": good[:len(good)/2]}, "record.json", "not a result record: "},
		"truncated array":       {map[string]string{"a": "[" + good[:len(good)/2]}, "a", "not an array of result records"},
		"empty array":           {map[string]string{"a": "[]"}, "a", "without records"},
		"NaN in JSON":           {map[string]string{"a": strings.Replace(good, `"loss": 0.3`, `"loss": NaN`, 1)}, "a", "line "},
		"truncated line":        {map[string]string{"a": line[:len(line)-3]}, "a", "the last line is cut off"},
		"NaN":                   {map[string]string{"a": "BenchmarkX/kind=a 1 NaN accuracy\n"}, "a", "a:1: NaN accuracy: want a finite number"},
		"infinity":              {map[string]string{"a": "\nBenchmarkX 1 +Inf nats\n"}, "a", "a:2: +Inf nats"},
		"a huge number":         {map[string]string{"a": "BenchmarkX 1 1e308 nats\n"}, "a", "a:1: 1e+308 nats: too large"},
		"above 100 %":           {map[string]string{"a": "BenchmarkX 1 101 accuracy\n"}, "a", "want per cent, 0 to 100"},
		"a value without unit":  {map[string]string{"a": "BenchmarkX 1 98\n"}, "a", "a:1: missing units"},
		"no values":             {map[string]string{"a": "BenchmarkX 1\n"}, "a", "a:1: missing measurements"},
		"a number that is none": {map[string]string{"a": "BenchmarkX 1 9.8.1 accuracy\n"}, "a", "a:1: parsing measurement"},
		"a unit twice":          {map[string]string{"a": "BenchmarkX 1 98 accuracy 97 accuracy\n"}, "a", "unit accuracy stands twice"},
		"a wrong direction":     {map[string]string{"a": "Unit accuracy better=lower\nBenchmarkX 1 98 accuracy\n"}, "a", "better=higher, but also better=lower"},
		"no such direction":     {map[string]string{"a": "Unit x better=more\nBenchmarkX 1 98 x\n"}, "a", "want higher or lower"},
		"a seed twice":          {map[string]string{"a": "BenchmarkX/seed=1 1 98 accuracy\nBenchmarkX/seed=1 1 97 accuracy\n"}, "a", "X accuracy, seed 1 is there twice, in"},
		"a seed that is none":   {map[string]string{"a": "BenchmarkX/seed=one 1 98 accuracy\n"}, "a", `seed "one"`},
		"a line twice":          {map[string]string{"a": "BenchmarkX 1 98 accuracy 5 ns/op\nBenchmarkX 1 98 accuracy 5 ns/op\n"}, "a", "the same line, times included"},
		"a record twice":        {map[string]string{"x/0/record.json": good, "x/1/record.json": good + "\n"}, "x", "pai3 memo, seed 0 is there twice"},
		"a file twice":          {map[string]string{"x/0/bench.txt": line, "x/1/bench.txt": line}, "x", "are the same file"},
		"an unreadable record":  {map[string]string{"x/record.json": strings.Replace(good, `"schema": 2`, `"schema": 3`, 1)}, "x", "schema version 3"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := write(t, c.files)
			s, err := Read(filepath.Join(dir, c.path))
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), c.path) {
				t.Errorf("%+v, error %v; want %q", s, err, c.want)
			}
		})
	}
}
