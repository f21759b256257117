package results

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"memobench/benchmarks/record"
)

// evidence reports that nothing next to the file of a record backs its counts. Stored
// answers must give them. Without answers a training run has left its learning curve,
// with the record's SHA-256 or, of older records, of as many points; a record of answers
// that another program gave has nothing else.
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
		var points []record.Point
		points, err = record.ReadCurve(filepath.Join(dir, record.CurveName))
		if err == nil && len(points) != rec.Curve.Points {
			err = fmt.Errorf("the learning curve next to it has %d points, the record %d", len(points), rec.Curve.Points)
		}
	}
	if errors.Is(err, fs.ErrNotExist) {
		return errors.New("neither answers nor a learning curve are next to it")
	}
	return err
}
