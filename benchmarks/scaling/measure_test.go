package scaling

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"golang.org/x/perf/benchfmt"

	"memobench/benchmarks/printable"
	"memobench/benchmarks/scaling/slope"
	"memobench/datasets/must"
)

// small measures two systems at sizes that take a moment.
func small(t *testing.T, change func(*Options)) (*Report, error) {
	t.Helper()
	o := Options{Modes: Modes(), Sizes: []int{64, 128, 256, 512}, Examples: 1, Rounds: 3}
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
	if len(r.limits()) != 0 || len(r.Series) != 4 {
		t.Fatalf("%d series, limits %v", len(r.Series), r.limits())
	}
	if last := told[len(told)-1]; last.Done < 0.5 || last.Done > 1 {
		t.Errorf("the last progress is %+v", last)
	}

	t.Run("text", func(t *testing.T) {
		var out bytes.Buffer
		must.Do(t, r.Print(&out, true))
		for _, want := range []string{"MEMO", "quadratic", "linear", "second difference", "slope of time",
			"W_h is I x I"} {
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
		if len(names) != 4*4 || names["Scaling/model=memo/mode=train/I=256"] != 3 {
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
				Growth struct {
					Law          string
					Coefficients []float64
				}
				Points []struct {
					SecondDifference *int `json:"second_difference"`
				}
			}
		}
		must.Do(t, json.Unmarshal(data, &back))
		memo := back.Series[0]
		if memo.Growth.Law != "quadratic" || memo.Growth.Coefficients[2] != 6 ||
			*memo.Points[2].SecondDifference != 6*6*64*64 {
			t.Errorf("%s", data)
		}
	})
}

// TestHeldBytesAreThoseCounted compares the counted bytes with those in use after the
// first pass. What other tests have left may be freed or allocated meanwhile: of three
// measurements one must agree.
func TestHeldBytesAreThoseCounted(t *testing.T) {
	measured := func(name string) (wrong []string) {
		r := must.Get(small(t, func(o *Options) {
			s := must.Get(Find(name))(t)
			o.Systems, o.Sizes, o.Examples, o.Rounds = []System{s}, []int{128}, 1, 1
		}))(t)
		for _, s := range r.Series {
			p := s.Points[0]
			const small = 64 << 10 // lists of words and the like, which are not counted
			if p.HeldBytes < p.Bytes*95/100 || p.HeldBytes > p.Bytes*110/100+small {
				wrong = append(wrong, fmt.Sprintf("%s, %s: counted %s, the first pass holds %s", name, s.Mode,
					printable.Bytes(int64(p.Bytes)), printable.Bytes(int64(p.HeldBytes))))
			}
		}
		return wrong
	}
	for _, name := range []string{"memo", "emn4", "ut", "transformer", "deltanet", "lstm", "dnc", "dnc-fixed"} {
		wrong := measured(name)
		for tries := 1; wrong != nil && tries < 3; tries++ {
			wrong = measured(name)
		}
		if wrong != nil {
			t.Error(strings.Join(wrong, "; "))
		}
	}
}

func TestLimitsAreNamed(t *testing.T) {
	r := must.Get(small(t, func(o *Options) { o.MaxPass = time.Nanosecond }))(t)
	if list := strings.Join(r.limits(), "\n"); strings.Count(list, "I = 128 to 512") != 4 ||
		!strings.Contains(list, "max-pass") {
		t.Errorf("limits:\n%s", list)
	}
	for _, s := range r.Series {
		if !s.Points[0].Timed || s.Points[1].Timed || !s.Points[1].Counted {
			t.Errorf("%s: %+v, %+v", s.Title, s.Points[0], s.Points[1])
		}
	}
	r = must.Get(small(t, func(o *Options) { o.MaxBytes = 24 << 20; o.Sizes = []int{64, 128, 2048, 8192} }))(t)
	list := strings.Join(r.limits(), "\n")
	for _, want := range []string{"MEMO, infer, I = 8192: not counted: weights would take about 1.0 GiB",
		"EMN, 4 hops, infer, I = 8192: would hold", "(max-memory)"} {
		if !strings.Contains(list, want) {
			t.Errorf("no %q in:\n%s", want, list)
		}
	}
	if !r.Series[2].Points[3].Counted {
		t.Error("EMN, whose weights do not grow, is not counted at every size")
	}
}

func TestMeasureRefusesAndStops(t *testing.T) {
	for _, sizes := range [][]int{nil, {32}, {65}, {128, 64}} {
		if _, err := small(t, func(o *Options) { o.Sizes = sizes }); err == nil {
			t.Errorf("sizes %v are taken", sizes)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	s, _ := Find("emn4")
	_, err := Measure(ctx, Options{Systems: []System{s}, Modes: Modes(), Sizes: []int{64, 128, 256}, Examples: 1, Rounds: 50,
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
	for prefix, of := range map[string]any{"": Report{}, "series.": Series{}, "point.": Point{}, "slope.": slope.Slope{}, "growth.": growth{}} {
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

// separationVariable enables the test of times, which may fail on a busy machine.
const separationVariable = "MEMOBENCH_TEST_TIMES"

// TestTimesSeparateUTFromEMN is the only gate on times: the intervals of a
// quadratic model's slope and a linear one's must not overlap.
func TestTimesSeparateUTFromEMN(t *testing.T) {
	if os.Getenv(separationVariable) == "" {
		t.Skipf("times are tested where %s is set", separationVariable)
	}
	o := Options{Modes: Modes(), Sizes: Doublings(128, 2048), Examples: 1, Rounds: 5, Sample: DefaultSample, MaxPass: time.Minute}
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
