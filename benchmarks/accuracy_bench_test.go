package benchmarks

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/perf/benchfmt"

	"memobench/benchmarks/study"
	"memobench/benchmarks/train"
	"memobench/datasets/must"
)

// BenchmarkAccuracy trains each cell of preset quick and reports accuracy, in per
// cent, by kind of question, under the names and units of a run's bench.txt:
//
//	BenchmarkAccuracy/model=memo/task=pai3/kind=A-C 1 98.9 accuracy
//
// It trains from seed 0; with -count n also from the seeds after it, so that
// every line is one sample, and two builds can be compared. MEMO takes
// seconds with OpenBLAS and up to a minute in pure Go, DNC and UT minutes.
func BenchmarkAccuracy(b *testing.B) {
	p := must.Get(study.Load("quick"))(b)
	for _, e := range p.Experiments {
		for _, m := range e.Runs {
			b.Run("model="+m.Name+"/task="+e.Task, func(b *testing.B) {
				t := &trainedRuns{task: e.Task, label: m.Name, dir: b.TempDir()}
				for _, kind := range t.results(b, 0) {
					t.report(b, kind.name)
				}
			})
		}
	}
}

// kindResult is one line of a run's bench.txt.
type kindResult struct {
	name   string // "kind=A-C"
	values []benchfmt.Value
}

// trainedRuns trains a cell with seed after seed, on demand.
type trainedRuns struct {
	task, label string
	dir         string
	seeds       [][]kindResult
}

// report runs the benchmark of one kind. The testing package first calls it with N = 1 for
// every count; each such call is for the next seed.
func (t *trainedRuns) report(b *testing.B, name string) {
	seed := -1
	b.Run(name, func(b *testing.B) {
		if b.N == 1 {
			seed++
		}
		b.ReportMetric(0, "ns/op") // what is measured is no time
		for _, kind := range t.results(b, seed) {
			if kind.name != name {
				continue
			}
			for _, v := range kind.values {
				b.ReportMetric(v.Value, v.Unit)
			}
			return
		}
		b.Fatalf("seed %d has no result for %s", seed, name)
	})
}

// results returns the results of a seed.
func (t *trainedRuns) results(b *testing.B, seed int) []kindResult {
	b.Helper()
	for len(t.seeds) <= seed {
		results := must.Get(t.train(b, uint64(len(t.seeds))))(b)
		t.seeds = append(t.seeds, results)
	}
	return t.seeds[seed]
}

func (t *trainedRuns) train(b *testing.B, seed uint64) ([]kindResult, error) {
	p, err := study.Load("quick")
	if err != nil {
		return nil, err
	}
	if err := p.Select([]string{t.task}, []string{t.label}); err != nil {
		return nil, err
	}
	if err := p.SetSeeds(seed); err != nil {
		return nil, err
	}
	rec, err := train.Run(b.Context(), p.Cells()[0], train.Options{Dir: filepath.Join(t.dir, fmt.Sprint(seed))})
	if err != nil {
		return nil, err
	}
	text, err := rec.Bench()
	if err != nil {
		return nil, err
	}
	var results []kindResult
	for r := benchfmt.NewReader(bytes.NewReader(text), "bench.txt"); r.Scan(); {
		switch line := r.Result().(type) {
		case *benchfmt.SyntaxError:
			return nil, line
		case *benchfmt.Result:
			_, name, ok := strings.Cut(string(line.Name), "/model="+t.label+"/")
			if !ok {
				return nil, fmt.Errorf("result %s is none of model %s", line.Name, t.label)
			}
			results = append(results, kindResult{name, append([]benchfmt.Value(nil), line.Values...)})
		}
	}
	return results, nil
}
