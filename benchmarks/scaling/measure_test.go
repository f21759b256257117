package scaling

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"golang.org/x/perf/benchfmt"

	"memobench/benchmarks/scaling/slope"
	"memobench/datasets/must"
)

// small measures two systems at sizes that take a moment.
func small(t *testing.T, change func(*Options)) (*Report, error) {
	t.Helper()
	o := Options{Modes: Modes(), From: 64, To: 512, Examples: 1, Rounds: 2}
	for _, name := range []string{"memo", "emn4"} {
		s := must.Get(Find(name))(t)
		o.Systems = append(o.Systems, s)
	}
	change(&o)
	return Measure(t.Context(), o)
}

func TestReportForms(t *testing.T) {
	var told []Progress
	r := must.Get(small(t, func(o *Options) { o.Progress = func(p Progress) { told = append(told, p) } }))(t)
	if len(r.Series) != 4 {
		t.Fatalf("%d series", len(r.Series))
	}
	if last := told[len(told)-1]; last.Done < 0.5 || last.Done > 1 {
		t.Errorf("the last progress is %+v", last)
	}

	t.Run("text", func(t *testing.T) {
		var out bytes.Buffer
		must.Do(t, r.Print(&out, true))
		for _, want := range []string{"MEMO", "quadratic", "linear", "second difference", "slope of time"} {
			if !strings.Contains(out.String(), want) {
				t.Errorf("no %q in\n%s", want, out.String())
			}
		}
		for _, c := range out.String() {
			if c > 127 {
				t.Fatalf("%q in plain ASCII:\n%s", c, out.String())
			}
		}
	})

	t.Run("Go benchmark format", func(t *testing.T) {
		var out bytes.Buffer
		must.Do(t, r.Bench(&out))
		names := map[string]int{}
		reader := benchfmt.NewReader(&out, "scaling")
		for reader.Scan() {
			switch rec := reader.Result().(type) {
			case *benchfmt.SyntaxError:
				t.Fatal(rec)
			case *benchfmt.Result:
				names[string(rec.Name)]++
				for _, unit := range []string{"sec/op", "cpu-sec/op", "FLOP/op", "held-B/op", "FLOP/s"} {
					if v, ok := rec.Value(unit); !ok || !(v > 0) {
						t.Errorf("%s: %s is %v (%t)", rec.Name, unit, v, ok)
					}
				}
			}
		}
		if len(names) != 4*4 || names["Scaling/model=memo/mode=train/I=256"] != 2 {
			t.Errorf("results %v", names)
		}
		if m := reader.Units().Get("FLOP/op", "assume"); m == nil || m.Value != "exact" {
			t.Errorf("FLOP/op is assumed to be %v", m)
		}
	})

	t.Run("JSON", func(t *testing.T) {
		data := must.Get(json.Marshal(r))(t)
		var back struct {
			Series []struct {
				Law    string
				Points []struct {
					SecondDifference *int `json:"second_difference"`
				}
			}
		}
		must.Do(t, json.Unmarshal(data, &back))
		memo := back.Series[0]
		if memo.Law != "quadratic" ||
			*memo.Points[2].SecondDifference != 6*6*64*64 {
			t.Errorf("%s", data)
		}
	})
}

func TestLimitsAreNamed(t *testing.T) {
	r := must.Get(small(t, func(o *Options) { o.MaxPass = time.Nanosecond }))(t)
	if list := strings.Join(r.notes(), "\n"); strings.Count(list, "I = 256 and above: a pass would take") != 4 || !strings.Contains(list, "max-pass") {
		t.Errorf("notes:\n%s", list)
	}
	r = must.Get(small(t, func(o *Options) { o.MaxBytes, o.Systems, o.Modes = 9<<20, o.Systems[:1], Modes()[:1] }))(t)
	if list := strings.Join(r.notes(), "\n"); !strings.Contains(list, "NOT TIMED: MEMO, infer, I = 512 and above: would hold about 10.2 MiB") {
		t.Errorf("notes:\n%s", list)
	}
}

func TestMeasureRefusesAndStops(t *testing.T) {
	for _, from := range []int{0, 32, 65, 1024} {
		if _, err := small(t, func(o *Options) { o.From = from }); err == nil {
			t.Errorf("sizes from %d are taken", from)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	s, _ := Find("emn4")
	_, err := Measure(ctx, Options{Systems: []System{s}, Modes: Modes(), From: 64, To: 256, Examples: 1, Rounds: 50,
		Progress: func(p Progress) {
			if strings.Contains(p.What, "round 3") {
				cancel()
			}
		}})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v after it was cancelled", err)
	}
	if _, err := Find("emm4"); err == nil || !strings.Contains(err.Error(), `did you mean "emn4"`) {
		t.Errorf("unknown model: %v", err)
	}
	if s, err := Find("memo-noln"); err != nil || s.Title == "" {
		t.Errorf("a variant is not found: %v", err)
	}
}

// TestEveryKeyIsExplained looks for the keys of a report in SCHEMA.md.
func TestEveryKeyIsExplained(t *testing.T) {
	text := must.Get(os.ReadFile("SCHEMA.md"))(t)
	for prefix, of := range map[string]any{"": Report{}, "series.": Series{}, "point.": Point{}, "slope.": slope.Slope{}} {
		typ := reflect.TypeOf(of)
		for i := range typ.NumField() {
			key, _, _ := strings.Cut(typ.Field(i).Tag.Get("json"), ",")
			if !typ.Field(i).IsExported() {
				continue
			}
			if !strings.Contains(string(text), "`"+prefix+key+"`") {
				t.Errorf("SCHEMA.md does not explain %s%s", prefix, key)
			}
		}
	}
}

// separationVariable enables the test of times, which may fail on a busy machine.
const separationVariable = "MEMOBENCH_TEST_TIMES"

// TestTimesSeparateUTFromEMN is the only gate on times: the intervals of a
// quadratic model's slope and a linear one's must not overlap.
func TestTimesSeparateUTFromEMN(t *testing.T) {
	if os.Getenv(separationVariable) == "" {
		t.Skipf("times are tested where %s is set", separationVariable)
	}
	o := Options{Modes: Modes(), From: 128, To: 2048, Examples: 1, Rounds: 5, MaxPass: time.Minute}
	for _, name := range []string{"ut", "emn4"} {
		s := must.Get(Find(name))(t)
		o.Systems = append(o.Systems, s)
	}
	r := must.Get(Measure(t.Context(), o))(t)
	for i, mode := range o.Modes {
		ut, emn := r.Series[i].Slope, r.Series[len(o.Modes)+i].Slope
		t.Logf("%s: UT %.2f to %.2f, EMN %.2f to %.2f", mode, ut.Low, ut.High, emn.Low, emn.High)
		if ut.Low <= emn.High {
			t.Errorf("%s: the slopes overlap", mode)
		}
	}
}
