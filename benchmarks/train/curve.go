package train

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"

	"memobench/benchmarks/record"
	"memobench/models/checkpoint"
)

// openCurve opens the run's curve.jsonl with the points that the checkpoint has. The file is
// only an output: what a killed process left in it is replaced.
func (t *trainer) openCurve() (err error) {
	path := t.dir.file(CurveName)
	if t.state.CurveText == "" && t.state.Curve.Points > 0 { // an earlier checkpoint, without the points
		points, err := record.ReadOpenCurve(path)
		if err != nil || len(points) < t.state.Curve.Points {
			return fmt.Errorf("%s: %d points that can be read, the checkpoint counts %d (%v)", path, len(points), t.state.Curve.Points, err)
		}
		for _, p := range points[:t.state.Curve.Points] {
			if err := t.state.addToCurve(p); err != nil {
				return err
			}
		}
	}
	if err := checkpoint.WriteBytes(path, []byte(t.state.CurveText)); err != nil {
		return err
	}
	t.curve, err = os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0o644)
	return err
}

// addToCurve appends a point to the curve, one JSON object per line.
func (s *trainerState) addToCurve(p Point) error {
	data, err := json.Marshal(p)
	s.CurveText += string(data) + "\n"
	return err
}

// addPoint appends a point to the curve and its file.
func (t *trainer) addPoint(p Point) error {
	before := len(t.state.CurveText)
	if err := t.state.addToCurve(p); err != nil {
		return err
	}
	_, err := t.curve.WriteString(t.state.CurveText[before:])
	return err
}

// curveSum returns the SHA-256 of the curve in hexadecimal digits.
func (s *trainerState) curveSum() string {
	sum := sha256.Sum256([]byte(s.CurveText))
	return hex.EncodeToString(sum[:])
}
