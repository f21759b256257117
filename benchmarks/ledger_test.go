package benchmarks

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memobench/benchmarks/record"
	"memobench/models"
)

func TestLedgerMeansAndWarnings(t *testing.T) {
	var l ledger
	for i, loss := range []float64{3, 1, 2} {
		stats := models.StepStats{Loss: loss, LearningRate: 0.5, GradNorm: 4}
		if i > 0 {
			stats.Warnings = []string{"dead units"}
		}
		news := l.step(i+1, 10, stats)
		if len(news) > 0 != (i == 1) {
			t.Errorf("step %d: new warnings %q", i+1, news)
		}
	}
	if l.meanLoss() != 2 || l.Examples != 30 {
		t.Errorf("mean loss %v over %d examples, want 2 over 30", l.meanLoss(), l.Examples)
	}
	if d := cmp.Diff([]record.Warning{{Text: "dead units", First: 2, Steps: 2}}, l.Warnings); d != "" {
		t.Error(d)
	}
	l.evaluated(Point{Step: 3, TrainLoss: 2, Loss: 1, Kinds: []record.Kind{{Name: "a", Total: 2, Correct: 1}}}, nil)
	if l.meanLoss() != 0 || l.Evaluated != 3 || *l.TrainLoss != 2 || l.Curve.BestAccuracy != 0.5 {
		t.Errorf("after the evaluation: %+v", l)
	}
}

// Whatever a step reports, the ledger can go into a checkpoint.
func TestLedgerStaysFinite(t *testing.T) {
	for _, s := range []models.StepStats{{Loss: math.NaN()}, {Loss: math.Inf(1)}, {Loss: 1, GradNorm: math.Inf(1)}, {Loss: math.MaxFloat64}} {
		l := ledger{LossSum: math.MaxFloat64}
		l.step(9, 1, s)
		if _, err := json.Marshal(&l); err != nil {
			t.Errorf("%+v: %v", s, err)
		}
		if diverged := l.DivergedAt == 9; diverged != (s.Loss != 1) {
			t.Errorf("%+v: diverged is %v", s, diverged)
		}
	}
}

func TestEarlyStopCountsEvaluationsInARow(t *testing.T) {
	rule := &EarlyStop{Accuracy: map[string]float64{"a": 90, "b": 50}, Evaluations: 2}
	point := func(a, b int) Point {
		return Point{Kinds: []record.Kind{{Name: "a", Total: 10, Correct: a}, {Name: "b", Total: 10, Correct: b}, {Name: "c", Total: 10}}}
	}
	var l ledger
	for i, c := range []struct {
		p    Point
		stop bool
	}{{point(9, 5), false}, {point(9, 4), false}, {point(10, 10), false}, {point(8, 10), false}, {point(9, 5), false}, {point(9, 5), true}} {
		if l.evaluated(c.p, rule); l.Stopped != c.stop {
			t.Errorf("evaluation %d: stopped is %v", i, l.Stopped)
		}
	}
	if rule.reached(Point{Kinds: []record.Kind{{Name: "a", Total: 10, Correct: 10}}}) {
		t.Error("reached without kind b")
	}
}
