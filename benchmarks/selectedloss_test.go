package benchmarks

import (
	"cmp"
	"slices"
	"testing"
)

// The record has the validation loss of the weights that were evaluated: the last one
// of the curve, or the lowest where those weights were kept.
func TestTheRecordHasTheLossOfTheEvaluatedWeights(t *testing.T) {
	for selection, want := range map[string]func(points []Point) Point{
		SelectFinal: func(points []Point) Point { return points[len(points)-1] },
		SelectBestValidation: func(points []Point) Point {
			return slices.MinFunc(points, func(a, b Point) int { return cmp.Compare(a.Loss, b.Loss) })
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
