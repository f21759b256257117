package train

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memobench/benchmarks/evaluate"
	"memobench/benchmarks/record"
	"memobench/benchmarks/study"
	"memobench/datasets"
	_ "memobench/datasets/babi"
	"memobench/datasets/must"
	_ "memobench/datasets/pai"
	_ "memobench/datasets/shortestpath"
	"memobench/models"
	_ "memobench/models/dnc"
	_ "memobench/models/emn"
	_ "memobench/models/memo"
	"memobench/models/safetensors"
	_ "memobench/models/ut"
)

// toyCell returns the first cell of the toy preset after some overrides.
func toyCell(t *testing.T, overrides ...string) study.Cell {
	t.Helper()
	p := must.Get(study.Parse("toy", []byte(toyPreset)))(t)
	for _, o := range overrides {
		must.Do(t, p.Set(o))
	}
	return p.Cells()[0]
}

// A run's config.yaml gives the same run with the same name.
func TestLeftConfigurationGivesTheSameRun(t *testing.T) {
	cell := toyCell(t, "steps=20", "soft.momentum=0.25", `task.note=a: "b" # c`)
	first := t.TempDir()
	want := finish(t, cell, first)
	data, err := os.ReadFile(filepath.Join(first, configName))
	if err != nil {
		t.Fatal(err)
	}
	p, err := study.Parse(cell.Study, data)
	if err != nil {
		t.Fatalf("%v\n%s", err, data)
	}
	got := finish(t, p.Cells()[0], t.TempDir())
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("-first +again:\n%s\n%s", d, data)
	}
}

// watcher is a Progress that calls a function after each step.
type watcher struct {
	silent
	stepped    func(Update)
	evaluating func()
	ended      []string
	mu         sync.Mutex
	warned     []string
	phases     []string
	points     []record.Point
}

func (w *watcher) Stepped(u Update) {
	if w.stepped != nil {
		w.stepped(u)
	}
}
func (w *watcher) Ended(rec *record.Record, err error) {
	w.ended = append(w.ended, fmt.Sprintf("record %v, error %v", rec != nil, err != nil))
}
func (w *watcher) Evaluating(string) {
	if w.evaluating != nil {
		w.evaluating()
	}
}
func (w *watcher) Warned(text string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.warned = append(w.warned, text)
}
func (w *watcher) Phase(text string)        { w.phases = append(w.phases, text) }
func (w *watcher) Evaluated(p record.Point) { w.points = append(w.points, p) }

func mustRun(t *testing.T, c study.Cell, o Options) *record.Record {
	t.Helper()
	rec := must.Get(Run(context.Background(), c, o))(t)
	if err := rec.Validate(); err != nil {
		t.Error(err)
	}
	return rec
}

func weights(t *testing.T, dir string) []models.Tensor {
	t.Helper()
	f := must.Get(safetensors.ReadFile(filepath.Join(dir, evaluate.WeightsName)))(t)
	return f.Tensors
}

// curveOf returns the learning curve without its times.
func curveOf(t *testing.T, dir string) []record.Point {
	t.Helper()
	points := must.Get(record.ReadCurve(filepath.Join(dir, record.CurveName)))(t)
	for i := range points {
		points[i].Seconds = 0
	}
	return points
}

// result is the result of a run without times.
type result struct {
	Record  record.Record
	Curve   []record.Point
	Weights []models.Tensor
}

// finish runs a cell in dir and resumes a run there.
func finish(t *testing.T, c study.Cell, dir string) result {
	t.Helper()
	rec := mustRun(t, c, Options{Dir: dir, Resume: true})
	return result{rec.WithoutTimes(), curveOf(t, dir), weights(t, dir)}
}

// stopAt runs a cell until a step and returns the watcher of the run. It must be interrupted.
func stopAt(t *testing.T, c study.Cell, o Options, step int) *watcher {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	w := &watcher{stepped: func(u Update) {
		if u.Step >= step {
			cancel()
		}
	}}
	o.Progress = func(study.Cell) Progress { return w }
	var stopped *Interrupted
	if _, err := Run(ctx, c, o); !errors.As(err, &stopped) {
		t.Fatalf("step %d: error %v, want an interruption", step, err)
	}
	return w
}

// watched returns options with the Progress w.
func watched(o Options, w *watcher) Options {
	o.Progress = func(study.Cell) Progress { return w }
	return o
}

func TestRunLearnsAndLeavesItsFiles(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	cell := toyCell(t)
	rec := mustRun(t, cell, Options{Dir: dir, BLAS: "none"})
	if rec.Status != record.Complete || rec.Training.Steps != 300 || rec.Training.Examples != 2400 || rec.Curve.Points != 10 {
		t.Errorf("record: %+v", rec)
	}
	if v, ok := record.Accuracy.Overall(rec); !ok || v < 99 {
		t.Errorf("accuracy %v after training, want near 100", v)
	}
	if v, ok := record.Hops.Overall(rec); !ok || v != 3 {
		t.Errorf("hops %v, %v; want 3", v, ok)
	}
	if k := rec.Evaluation.Kinds[0]; k.Total != 20 || k.ChoiceCorrect == nil {
		t.Errorf("kind %+v, want 20 questions with choices", k)
	}
	if d := cmp.Diff([]string{"toy data"}, rec.Caveats.Texts()); d != "" {
		t.Errorf("labels:\n%s", d)
	}
	entries := must.Get(os.ReadDir(dir))(t)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if d := cmp.Diff([]string{"bench.txt", "checkpoint", "config.yaml", "curve.jsonl", "lock", "model.safetensors", "record.json"}, names); d != "" {
		t.Errorf("files (-want +got):\n%s", d)
	}
	back := must.Get(record.ReadFile(filepath.Join(dir, record.FileName)))(t)
	if d := cmp.Diff(rec, back); d != "" {
		t.Errorf("returned and written record differ:\n%s", d)
	}
}

// Ended is called once, with a record or an error, and not after a panic.
func TestEndedIsCalledOnceWithARecordOrAnError(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		override string
		want     []string
	}{
		{"soft.hops=1", []string{"record true, error false"}},
		{"soft.momentum=2", []string{"record false, error true"}},
		{"soft.panic=true", nil},
	} {
		w := new(watcher)
		var caught any
		func() {
			defer func() { caught = recover() }()
			// Ended gets the result.
			Run(context.Background(), toyCell(t, "steps=5", c.override),
				watched(Options{Dir: filepath.Join(dir, c.override)}, w))
		}()
		if d := cmp.Diff(c.want, w.ended); d != "" {
			t.Errorf("%s (-want +got):\n%s", c.override, d)
		}
		if (caught != nil) != (c.want == nil) {
			t.Errorf("%s: panic %v", c.override, caught)
		}
	}
}

func TestSameSeedSameResultButForTimes(t *testing.T) {
	want := finish(t, toyCell(t), t.TempDir())
	if d := cmp.Diff(want, finish(t, toyCell(t), t.TempDir())); d != "" {
		t.Errorf("results differ:\n%s", d)
	}
	if c := toyCells(t)[2]; c.Seed != 1 || cmp.Equal(want.Weights, finish(t, c, t.TempDir()).Weights) {
		t.Error("another seed gave the same weights")
	}
}

func TestDivergedRunHasNoRightAnswersAndSaysSo(t *testing.T) {
	dir := t.TempDir()
	rec := mustRun(t, toyCell(t, "soft.diverge_at=45"), Options{Dir: dir})
	if rec.Status != record.Diverged || rec.Training.DivergedAt != 45 || rec.Training.Loss != nil || rec.Evaluation.Loss != nil {
		t.Errorf("record %+v", rec)
	}
	for _, k := range rec.Evaluation.Kinds {
		if k.Total != 20 || k.Correct != 0 || k.ChoiceCorrect == nil || *k.ChoiceCorrect != 0 {
			t.Errorf("kind %+v, want 0 right of 20", k)
		}
	}
	if last := rec.Caveats.Texts()[1]; !strings.Contains(last, "diverged at step 45") {
		t.Errorf("labels %q do not say so", rec.Caveats.Texts())
	}
	if _, err := os.Stat(filepath.Join(dir, evaluate.WeightsName)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("weights were left: %v", err)
	}
}

// A finite loss far above that of guessing is divergence, too.
func TestAbsurdLossIsDivergence(t *testing.T) {
	rec := mustRun(t, toyCell(t, "soft.absurd_at=45"), Options{Dir: t.TempDir()})
	if rec.Status != record.Diverged || rec.Training.DivergedAt != 45 {
		t.Errorf("status %s, training %+v", rec.Status, rec.Training)
	}
	state := trainerState{maxLoss: maxLoss(10)}
	for loss, want := range map[float64]bool{2.3e6: false, 2.4e6: true, math.Inf(1): true, math.NaN(): true} {
		if got := state.diverges(loss); got != want {
			t.Errorf("loss %v among 10 words: diverged is %v", loss, got)
		}
	}
}

func TestEarlyStopAndSelection(t *testing.T) {
	w := new(watcher)
	rec := mustRun(t, toyCell(t, "early_stop={accuracy: {low: 100}, evaluations: 2}", "soft.warn_every=50"),
		watched(Options{Dir: t.TempDir()}, w))
	n := len(w.points)
	if rec.Status != record.EarlyStopped || rec.Training.Steps != w.points[n-1].Step || rec.Training.Steps >= 300 {
		t.Fatalf("status %s after %d steps", rec.Status, rec.Training.Steps)
	}
	for i, p := range w.points {
		if full := p.Kinds[0].Correct == p.Kinds[0].Total; full != (i >= n-2) {
			t.Errorf("point %d of %d: low is %+v", i, n, p.Kinds[0])
		}
	}
	if len(rec.Training.Warnings) == 0 && rec.Training.Steps >= 50 {
		t.Error("the model's warnings are not in the record")
	}
	best := mustRun(t, toyCell(t, "selection=best-validation"), Options{Dir: t.TempDir()})
	if best.Training.SelectedStep != best.Curve.BestStep || best.Training.Steps != 300 {
		t.Errorf("selected step %d, best %d", best.Training.SelectedStep, best.Curve.BestStep)
	}
	_, err := Run(context.Background(), toyCell(t, "early_stop={accuracy: {lwo: 100}, evaluations: 2}"), Options{Dir: t.TempDir()})
	if err == nil || !strings.Contains(err.Error(), `did you mean "low"`) {
		t.Errorf("unknown kind: %v", err)
	}
}

// A failed evaluation loses no training.
func TestFailedEvaluationCanBeFinished(t *testing.T) {
	cell, dir := toyCell(t, "soft.fails_at=300", "evaluate_every=150", "steps=300"), t.TempDir()
	want := mustRun(t, cell, Options{Dir: t.TempDir()})
	// The last validation works, the test questions fail.
	w := &watcher{evaluating: func() { toyFails = func() error { return errors.New("toy failure") } }}
	_, err := Run(t.Context(), cell, watched(Options{Dir: dir}, w))
	toyFails = nil
	if err == nil || !strings.Contains(err.Error(), "toy failure") || !strings.Contains(err.Error(), dir+" holds a checkpoint") {
		t.Fatalf("error %v", err)
	}
	w = new(watcher)
	got := mustRun(t, cell, watched(Options{Dir: dir, Resume: true}, w))
	if d := cmp.Diff(want.WithoutTimes(), got.WithoutTimes()); d != "" || len(w.points) > 0 {
		t.Errorf("%d evaluations after the resume; record (-want +got):\n%s", len(w.points), d)
	}
}

// The record has the SHA-256 of the weights and of the curve.
func TestDamagedWeightsAreNotEvaluated(t *testing.T) {
	dir := t.TempDir()
	rec := mustRun(t, toyCell(t, "steps=20"), Options{Dir: dir})
	for _, name := range []string{evaluate.WeightsName, record.CurveName} {
		if err := rec.CheckFile(dir, name); err != nil || rec.Files[name] == "" {
			t.Errorf("%v, files %v", err, rec.Files)
		}
	}
	path := filepath.Join(dir, evaluate.WeightsName)
	data := must.Get(os.ReadFile(path))(t)
	data[len(data)-3] ^= 1
	must.Do(t, os.WriteFile(path, data, 0o644))
	for _, of := range []string{dir, path} {
		if _, err := evaluate.Stored(t.Context(), of, evaluate.Options{Split: datasets.Test}); err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "damaged") {
			t.Errorf("error %v", err)
		}
	}
	// A record without it claims nothing.
	rec.Files = nil
	must.Get(evaluate.WriteRecord(dir, rec, nil))(t)
	if _, err := evaluate.Stored(t.Context(), dir, evaluate.Options{Split: datasets.Test}); err != nil {
		t.Error(err)
	}
}

func TestStoredAgreesWithTheRecord(t *testing.T) {
	dir := t.TempDir()
	rec := mustRun(t, toyCell(t, "steps=20"), Options{Dir: dir})
	for _, path := range []string{dir, filepath.Join(dir, evaluate.WeightsName)} {
		res := must.Get(evaluate.Stored(context.Background(), path, evaluate.Options{Split: datasets.Test}))(t)
		if d := cmp.Diff(rec.Evaluation, res.Evaluation); d != "" {
			t.Errorf("%s (-record +eval):\n%s", path, d)
		}
		if !res.SameData || res.Step != 20 || res.Model != rec.Identity.Name {
			t.Errorf("result %+v", res)
		}
	}
	res, err := evaluate.Stored(context.Background(), dir, evaluate.Options{Split: datasets.Validation, PerKind: 7, DataPath: "other"})
	if err != nil || res.SameData || res.Evaluation.Kinds[1].Total != 7 || res.Evaluation.Split != "validation" {
		t.Errorf("%+v, %v", res, err)
	}
	if _, err := evaluate.Stored(context.Background(), filepath.Join(dir, record.FileName), evaluate.Options{}); err == nil || !strings.Contains(err.Error(), record.FileName) {
		t.Errorf("record.json as weights: %v", err)
	}
}
