package results

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path/filepath"
	"slices"

	"memobench/benchmarks/record"
)

// checkCounts returns an error unless files next to a record confirm its counts: kept
// answers with these counts, or, for a training run, a learning curve with the SHA-256 in
// the record and with similar validation accuracies.
func (r *Run) checkCounts(file string) error {
	rec := r.Record
	p, err := record.ReadPredictions(r.answers)
	if err == nil {
		if err = p.Fits(&rec.Evaluation); err != nil {
			return fmt.Errorf("the answers next to it do not give them (%w)", err)
		}
		return nil
	}
	dir := filepath.Dir(file)
	switch {
	case !errors.Is(err, fs.ErrNotExist):
		return err
	case rec.Origin == record.Scored || filepath.Base(file) != record.FileName:
		return errors.New("no answers are next to it")
	case rec.Files[record.CurveName] == "":
		return errors.New("no answers are next to it, and it names no learning curve")
	}
	var points []record.Point
	if err = rec.CheckFile(dir, record.CurveName); err == nil {
		points, err = record.ReadCurve(filepath.Join(dir, record.CurveName))
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return errors.New("neither answers nor a learning curve are next to it")
	case err != nil:
		return err
	}
	return checkNearCurve(rec, points)
}

// maxStandardErrors is the maximum difference of test and validation accuracy, in standard
// errors. In the recorded runs it is below 4.
const maxStandardErrors = 6

// checkNearCurve returns an error if the test accuracy of a run differs much from the
// validation accuracy of its weights. The kinds of questions are the same, but items or
// stories may differ: the difference is suspicious, but no proof.
func checkNearCurve(rec *record.Record, points []record.Point) error {
	i := slices.IndexFunc(points, func(p record.Point) bool { return p.Step == rec.Training.SelectedStep })
	if i < 0 || rec.Status.Failed() {
		return nil
	}
	for _, test := range rec.Evaluation.Kinds {
		k := slices.IndexFunc(points[i].Kinds, func(v record.Kind) bool { return v.Name == test.Name && v.Total > 0 })
		if k < 0 || test.Total == 0 {
			continue
		}
		validation := points[i].Kinds[k]
		n, m := float64(test.Total), float64(validation.Total)
		x, y := float64(test.Correct)/n, float64(validation.Correct)/m
		both := float64(test.Correct+validation.Correct) / (n + m)
		if math.Abs(x-y) > maxStandardErrors*math.Sqrt(both*(1-both)*(1/n+1/m)) {
			return fmt.Errorf("on %s it has %.1f %% of the test questions, and the learning curve next to it %.1f %% of the validation questions at step %d",
				test.Name, 100*x, 100*y, points[i].Step)
		}
	}
	return nil
}
