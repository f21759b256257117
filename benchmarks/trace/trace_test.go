package trace

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memobench/datasets/must"
)

func sample() *Trace {
	return &Trace{Schema: Version, Task: "pai3", Label: "memo", Title: "MEMO", Preset: "quick", Split: "test", Labels: []string{"reduced"},
		Kind: "A-C", Query: "A-C: 1 goes with 3 or 6? 3", Rows: []string{"1 2", "2 3", "5 6"},
		Answers: []Answer{{Target: "3", Given: "3", Hops: [][][]float64{
			{{0.75, 0.25, 0}, {0.25, 0.5, 0.25}}, {{0, 1, 0}, {0.5, 0.5, 0}},
		}}}}
}

func TestATraceIsReadAsItWasWritten(t *testing.T) {
	want := sample()
	var out bytes.Buffer
	must.Do(t, want.Write(&out))
	path := filepath.Join(t.TempDir(), FileName)
	must.Do(t, os.WriteFile(path, out.Bytes(), 0o644))
	got := must.Get(Read(path))(t)
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]float64{0.5, 0.375, 0.125}, got.Answers[0].Mean(0)); d != "" {
		t.Error(d)
	}
}

func TestAnImpossibleTraceIsRefused(t *testing.T) {
	for want, spoil := range map[string]func(*Trace){
		"schema version 2":                func(t *Trace) { t.Schema = 2 },
		"is missing":                      func(t *Trace) { t.Kind = "" },
		"0 memory rows":                   func(t *Trace) { t.Rows = nil },
		"answer 0: no hops":               func(t *Trace) { t.Answers[0].Hops = nil },
		"hop 1: 1 heads":                  func(t *Trace) { t.Answers[0].Hops[1] = t.Answers[0].Hops[1][:1] },
		"head 0: 2 weights for 3 memory":  func(t *Trace) { t.Answers[0].Hops[0][0] = t.Answers[0].Hops[0][0][:2] },
		"head 1: weights sum to 0.75":     func(t *Trace) { t.Answers[0].Hops[0][1][2] = 0 },
		"row 0: weight NaN":               func(t *Trace) { t.Answers[0].Hops[0][1][0] = math.NaN() },
		"row 2: weight -0.1, want 0 to 1": func(t *Trace) { t.Answers[0].Hops[1][0][2] = -0.1 },
	} {
		trace := sample()
		spoil(trace)
		var out bytes.Buffer
		if err := trace.Write(&out); err == nil || !strings.Contains(err.Error(), want) || out.Len() > 0 {
			t.Errorf("%v, want %q; %d bytes written", err, want, out.Len())
		}
	}
}

func FuzzParse(f *testing.F) {
	var out bytes.Buffer
	must.Do(f, sample().Write(&out))
	f.Add(out.Bytes())
	f.Add(out.Bytes()[:out.Len()/2])
	f.Add([]byte("{}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		trace, err := parse(data)
		if err != nil {
			return
		}
		for a := range trace.Answers {
			for n := range trace.Answers[a].Hops {
				trace.Answers[a].Mean(n)
			}
		}
		var out bytes.Buffer
		if err := trace.Write(&out); err != nil {
			t.Fatalf("read, but cannot be written: %v", err)
		}
	})
}
