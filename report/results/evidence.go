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

// evidence reports that nothing next to the file of a record backs its counts. Stored
// answers must give them. Without answers a training run has left its learning curve,
// with the record's SHA-256 or, of older records, of as many points, and accuracies on
// validation near those of the record; a record of answers that another program gave has
// nothing else.
func (r *Run) evidence(file string) error {
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
	case rec.Files[record.CurveName] != "":
		err = rec.CheckFile(dir, record.CurveName)
	default:
		err = nil
	}
	var points []record.Point
	if err == nil {
		points, err = record.ReadCurve(filepath.Join(dir, record.CurveName))
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return errors.New("neither answers nor a learning curve are next to it")
	case err == nil && rec.Files[record.CurveName] == "" && len(points) != rec.Curve.Points:
		return fmt.Errorf("the learning curve next to it has %d points, the record %d", len(points), rec.Curve.Points)
	case err == nil:
		return nearCurve(rec, points)
	}
	return err
}

// mostErrors is how many standard errors an accuracy on test may be away from that on
// validation. Of the recorded runs none is 4 away.
const mostErrors = 6

// nearCurve reports that the accuracy of a run on test questions is not that of its
// weights on validation questions. Both are of the same kinds of questions, though not
// always of the same items or stories: the difference is a reason to look, and no proof.
func nearCurve(rec *record.Record, points []record.Point) error {
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
		if math.Abs(x-y) > mostErrors*math.Sqrt(both*(1-both)*(1/n+1/m)) {
			return fmt.Errorf("on %s it has %.1f %% of the test questions, and the learning curve next to it %.1f %% of the validation questions at step %d",
				test.Name, 100*x, 100*y, points[i].Step)
		}
	}
	return nil
}
