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
	var out bytes.Buffer
	must.Do(t, sample().Write(&out))
	path := filepath.Join(t.TempDir(), FileName)
	must.Do(t, os.WriteFile(path, out.Bytes(), 0o644))
	got := must.Get(Read(path))(t)
	if d := cmp.Diff(sample(), got) + cmp.Diff([]float64{0.5, 0.375, 0.125}, got.Answers[0].Mean(0)); d != "" {
		t.Error(d)
	}
}

func FuzzParse(f *testing.F) {
	var out bytes.Buffer
	must.Do(f, sample().Write(&out))
	f.Add(out.Bytes())
	f.Add(out.Bytes()[:out.Len()/2])
	f.Add([]byte("{}"))
	for want, spoil := range map[string]func(*Trace){
		"schema version 2":                   func(t *Trace) { t.Schema = 2 },
		"answer 0: no hops or no heads":      func(t *Trace) { t.Answers[0].Hops = nil },
		"hop 1: 1 heads":                     func(t *Trace) { t.Answers[0].Hops[1] = t.Answers[0].Hops[1][:1] },
		"head 1: weights [0.25 0.5 0], want": func(t *Trace) { t.Answers[0].Hops[0][1][2] = 0 },
		"head 0: weights [NaN 0.25 0], want": func(t *Trace) { t.Answers[0].Hops[0][0][0] = math.NaN() },
	} {
		trace := sample()
		spoil(trace)
		if err := trace.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			f.Errorf("%v, want %q", err, want)
		}
	}
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
		if err := trace.Write(new(bytes.Buffer)); err != nil {
			t.Fatalf("read, but cannot be written: %v", err)
		}
	})
}
