package train

import (
	"encoding/json"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memobench/benchmarks/record"
	"memobench/benchmarks/study"
	"memobench/models"
)

func TestTrainerStateMeansAndWarnings(t *testing.T) {
	var state trainerState
	for i, loss := range []float64{3, 1, 2} {
		stats := models.StepStats{Loss: loss, LearningRate: 0.5, GradNorm: 4}
		if i > 0 {
			stats.Warnings = []string{"dead units"}
		}
		warnings := state.step(i+1, 10, stats)
		if len(warnings) > 0 != (i == 1) {
			t.Errorf("step %d: new warnings %q", i+1, warnings)
		}
	}
	if state.meanLoss() != 2 || state.Examples != 30 {
		t.Errorf("mean loss %v over %d examples, want 2 over 30", state.meanLoss(), state.Examples)
	}
	if d := cmp.Diff([]record.Warning{{Text: "dead units", First: 2, Steps: 2}}, state.Warnings); d != "" {
		t.Error(d)
	}
	state.evaluated(record.Point{Step: 3, TrainLoss: 2, Loss: 1, Kinds: []record.Kind{{Name: "a", Total: 2, Correct: 1}}}, nil)
	if state.meanLoss() != 0 || state.Evaluated != 3 || *state.TrainLoss != 2 || state.Curve.BestAccuracy != 0.5 {
		t.Errorf("after the evaluation: %+v", state)
	}
}

// Whatever a step reports, the trainer state can go into a checkpoint.
func TestTrainerStateStaysFinite(t *testing.T) {
	for _, s := range []models.StepStats{{Loss: math.NaN()}, {Loss: math.Inf(1)}, {Loss: 1, GradNorm: math.Inf(1)}, {Loss: math.MaxFloat64}} {
		state := trainerState{LossSum: math.MaxFloat64}
		state.step(9, 1, s)
		if _, err := json.Marshal(&state); err != nil {
			t.Errorf("%+v: %v", s, err)
		}
		if diverged := state.DivergedAt == 9; diverged != (s.Loss != 1) {
			t.Errorf("%+v: diverged is %v", s, diverged)
		}
	}
}

func TestEarlyStopCountsEvaluationsInARow(t *testing.T) {
	rule := &study.EarlyStop{Accuracy: map[string]float64{"a": 90, "b": 50}, Evaluations: 2}
	point := func(a, b int) record.Point {
		return record.Point{Kinds: []record.Kind{{Name: "a", Total: 10, Correct: a}, {Name: "b", Total: 10, Correct: b}, {Name: "c", Total: 10}}}
	}
	var state trainerState
	for i, c := range []struct {
		p    record.Point
		stop bool
	}{{point(9, 5), false}, {point(9, 4), false}, {point(10, 10), false}, {point(8, 10), false}, {point(9, 5), false}, {point(9, 5), true}} {
		if state.evaluated(c.p, rule); state.Stopped != c.stop {
			t.Errorf("evaluation %d: stopped is %v", i, state.Stopped)
		}
	}
	if reached(rule, record.Point{Kinds: []record.Kind{{Name: "a", Total: 10, Correct: 10}}}) {
		t.Error("reached without kind b")
	}
}

func TestAPlateauIsALossThatFallsNoMore(t *testing.T) {
	rule := &study.EarlyStop{Plateau: true, Evaluations: 2}
	var state trainerState
	for i, c := range []struct {
		loss float64
		stop bool
	}{{3, false}, {2, false}, {2.5, false}, {1, false}, {1, false}, {1.5, true}} {
		if state.evaluated(record.Point{Step: i + 1, Loss: c.loss}, rule); state.Stopped != c.stop {
			t.Errorf("evaluation %d: stopped is %v", i, state.Stopped)
		}
	}
}

// The record has the validation loss of the weights that were evaluated: the last one
// of the curve, or the lowest where those weights were kept.
func TestTheRecordHasTheLossOfTheEvaluatedWeights(t *testing.T) {
	for selection, want := range map[string]func(points []record.Point) record.Point{
		"final": func(points []record.Point) record.Point { return points[len(points)-1] },
		study.SelectBestValidation: func(points []record.Point) record.Point {
			return slices.MinFunc(points, func(a, b record.Point) int { return int(math.Copysign(1, a.Loss-b.Loss)) })
		},
	} {
		dir := t.TempDir()
		rec := mustRun(t, toyCell(t, "selection="+selection, "soft.learning_rate=9", "soft.momentum=0.9"), Options{Dir: dir})
		points := curveOf(t, dir)
		p := want(points)
		if v, ok := rec.ValidationLoss(); !ok || v != p.Loss || rec.Curve.SelectedLoss == nil || rec.Training.SelectedStep != p.Step {
			t.Errorf("%s: loss %v (%v) at step %d, want %v at step %d", selection, v, ok, rec.Training.SelectedStep, p.Loss, p.Step)
		}
		if rec.Curve.BestStep == points[len(points)-1].Step {
			t.Error("the last point is the best: nothing is tested")
		}
	}
}

// Examples a second and the time left are of this session and phase, whatever the sizes of
// its batches.
func TestSpeedIsThatOfTheSessionAndPhase(t *testing.T) {
	run := trainer{cell: &study.Cell{Protocol: study.Protocol{Steps: 20, BatchSize: 1}}, step: 4}
	run.state.Examples = 1000
	run.startPace()
	run.pace.start = run.pace.start.Add(-10 * time.Second)
	run.step, run.state.Examples = 8, 1000+3*64+256 // after it resumed a step had a larger batch
	u := run.progressUpdate()
	if math.Abs(u.PerSecond-44.8) > 1 || math.Abs(u.Left.Seconds()-30) > 1 {
		t.Errorf("%.1f examples a second and %v left, want 44.8 and 30s", u.PerSecond, u.Left)
	}
}
