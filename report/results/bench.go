package results

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"

	"golang.org/x/perf/benchfmt"

	"memobench/benchmarks/record"
)

// largest is the largest value for which sums of squares are finite.
const largest = 1e100

// lines is the content of a text in the Go benchmark format.
type lines struct {
	results []*line
	failed  []failure
	units   benchfmt.UnitMetadataMap
}

// failure is a benchmark that failed.
type failure struct{ name, what string }

// line is one result: the values of one run.
type line struct {
	name   string // without seed and processors
	config Config
	values []benchfmt.Value
	from   string
	seed   *uint64
	run    *Run
	text   string // the whole line if it has a time, which differs between runs; else empty
}

// parse reads a text in the Go benchmark format. Errors name file and line.
func parse(path string, data []byte) (*lines, error) {
	if n := len(data); n > 0 && data[n-1] != '\n' {
		return nil, fmt.Errorf("%s:%d: the last line is cut off: it does not end in a line break", path, 1+bytes.Count(data, []byte("\n")))
	}
	l := &lines{}
	b := benchfmt.NewReader(bytes.NewReader(data), path)
	for b.Scan() {
		switch rec := b.Result().(type) {
		case *benchfmt.SyntaxError:
			return nil, rec
		case *benchfmt.Result:
			file, n := rec.Pos()
			result, err := parseResult(rec, fmt.Sprintf("%s:%d", file, n))
			if err != nil {
				return nil, err
			}
			l.results = append(l.results, result)
		}
	}
	if err := b.Err(); err != nil {
		return nil, err
	}
	l.units = b.Units()
	l.failed = failures(path, string(data))
	return l, nil
}

// failures lists the benchmarks that failed, which the reader of the format ignores. A
// package that failed without the name of a benchmark panicked or was not built.
func failures(path, text string) []failure {
	var list []failure
	for i, row := range strings.Split(text, "\n") {
		row = strings.TrimSpace(row)
		where := fmt.Sprintf("(%s:%d)", path, i+1)
		if rest, ok := strings.CutPrefix(row, "--- FAIL: Benchmark"); ok {
			name, _, _ := strings.Cut(rest, " ")
			stem := strings.TrimRight(name, "0123456789")
			if strings.HasSuffix(stem, "-") && stem != name {
				name = stem[:len(stem)-1]
			}
			list = append(list, failure{name, "the benchmark failed " + where})
		}
		if rest, ok := strings.CutPrefix(row, "FAIL\t"); ok && len(list) == 0 {
			list = append(list, failure{"go test", strings.Join(strings.Fields(rest), " ") + " failed " + where})
		}
	}
	return list
}

// parseResult parses a line. It refuses NaN, infinite values and duplicate units.
func parseResult(r *benchfmt.Result, from string) (*line, error) {
	l := &line{from: from}
	base, parts := r.Name.Parts()
	l.name = string(base)
	for i, part := range parts {
		text := string(part)
		if i == len(parts)-1 && text[0] == '-' {
			continue // processors
		}
		if seed, ok := strings.CutPrefix(text, "/seed="); ok {
			v, err := strconv.ParseUint(seed, 10, 64)
			if err != nil {
				return nil, fmt.Errorf("%s: seed %q in the name is not a number", from, seed)
			}
			l.seed = &v
			continue
		}
		l.name += text
	}
	l.config = Config{r.GetConfig("protocol"), r.GetConfig("dataset"), r.GetConfig("data-labels"), r.GetConfig("labels")}
	seen := map[string]bool{}
	var timed bool
	var text strings.Builder
	text.WriteString(l.name)
	for _, v := range r.Values {
		if v.OrigUnit != "" { // the unit in the text, which margins and record.Metrics use
			v.Value, v.Unit = v.OrigValue, v.OrigUnit
		}
		switch {
		case seen[v.Unit]:
			return nil, fmt.Errorf("%s: unit %s is duplicated", from, v.Unit)
		case !record.Finite(v.Value):
			return nil, fmt.Errorf("%s: %v %s: want a finite number", from, v.Value, v.Unit)
		case math.Abs(v.Value) > largest:
			return nil, fmt.Errorf("%s: %v %s: too large to compute with", from, v.Value, v.Unit)
		case IsAccuracy(v.Unit) && (v.Value < 0 || v.Value > 100):
			return nil, fmt.Errorf("%s: %v %s: want per cent, 0 to 100", from, v.Value, v.Unit)
		}
		seen[v.Unit] = true
		timed = timed || isTime(v.Unit) && v.Value != 0
		fmt.Fprintf(&text, " %v %s", v.Value, v.Unit)
		l.values = append(l.values, benchfmt.Value{Value: v.Value, Unit: v.Unit})
	}
	if timed {
		l.text = text.String()
	}
	return l, nil
}

// IsAccuracy reports whether a unit is an accuracy in per cent: one of the
// metrics, or one with the kind of question in its name ("A-C-accuracy").
func IsAccuracy(unit string) bool {
	const name = "accuracy"
	return strings.HasSuffix(unit, name) || strings.HasPrefix(unit, name+"/") || strings.HasPrefix(unit, name+":")
}

// isTime reports whether a unit is a time or a rate, which differs between runs.
func isTime(unit string) bool {
	return unit == record.WallTime.Name || strings.HasSuffix(unit, "/s") || strings.HasSuffix(unit, "ns/op") || strings.HasSuffix(unit, "sec/op")
}
