package record

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"memobench/datasets/strictjson"
)

// Names of the files in the directory of a recorded study.
const (
	StudyName      = "study.yaml"      // what was run
	RecordsName    = "records.jsonl"   // one record per line, sorted by run and shift
	CurvesName     = "curves.jsonl.gz" // one learning curve per line, sorted by run
	PredictionsDir = "predictions"     // predictions of some runs, see RunKey.PredictionsFile
)

// maxRecordsSize is the maximum size of a file of records in bytes.
const maxRecordsSize = 256 << 20

// PredictionsFile returns the name of the file of a run's predictions in PredictionsDir.
func (k RunKey) PredictionsFile() string {
	return fmt.Sprintf("%s-%s-s%d.jsonl", FileWord(k.Task), FileWord(k.Name), k.Seed)
}

// FileWord returns text with hyphens for characters that file names should not have.
func FileWord(text string) string {
	return string(bytes.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '.' || r == '_' {
			return r
		}
		return '-'
	}, []byte(text)))
}

// ReadRecords reads the records of a file, one per line. Errors name the file and the line.
func ReadRecords(path string) ([]*Record, error) {
	return ReadParsed(path, maxRecordsSize, func(data []byte) (list []*Record, err error) {
		err = eachLine(data, func(line []byte) error {
			r, err := Parse(line)
			list = append(list, r)
			return err
		})
		return list, err
	})
}

// eachLine calls f for each line that is not blank. Errors have the number of the line.
func eachLine(data []byte, f func(line []byte) error) error {
	number := 0
	for line := range bytes.Lines(data) {
		number++
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		if err := f(line); err != nil {
			return fmt.Errorf("line %d: %w", number, err)
		}
	}
	return nil
}

// MarshalRecords returns the records as ReadRecords reads them, sorted by run and shift.
func MarshalRecords(list []*Record) ([]byte, error) {
	list = slices.SortedStableFunc(slices.Values(list), func(a, b *Record) int {
		return cmp.Or(a.Identity.Key().Compare(b.Identity.Key()), a.Shift.compare(b.Shift))
	})
	var out bytes.Buffer
	for _, r := range list {
		line, err := r.marshal()
		if err != nil {
			return nil, err
		}
		out.Write(append(line, '\n'))
	}
	return out.Bytes(), nil
}

// RunCurve is the learning curve of a run in a recorded study.
type RunCurve struct {
	RunKey
	Points []json.RawMessage `json:"points"` // the lines of curve.jsonl
}

// Bytes returns the content of the run's curve.jsonl.
func (c *RunCurve) Bytes() []byte {
	var out bytes.Buffer
	for _, p := range c.Points {
		out.Write(append(p, '\n'))
	}
	return out.Bytes()
}

// Decode returns the points of the curve.
func (c *RunCurve) Decode() ([]Point, error) {
	points, err := parseCurve(c.Bytes())
	if err != nil {
		return nil, fmt.Errorf("curve of %s %s, seed %d: %w", c.Task, c.Name, c.Seed, err)
	}
	return points, nil
}

// CurveOf returns the learning curve of a run from the content of its curve.jsonl.
func CurveOf(key RunKey, data []byte) RunCurve {
	c := RunCurve{RunKey: key}
	for line := range bytes.Lines(data) {
		c.Points = append(c.Points, bytes.TrimSuffix(line, []byte("\n")))
	}
	return c
}

// ReadCurves reads the learning curves of a recorded study. Errors name the file and the line.
func ReadCurves(path string) ([]RunCurve, error) {
	return ReadParsed(path, maxRecordsSize, parseCurves)
}

func parseCurves(data []byte) (list []RunCurve, err error) {
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(z, MaxTextSize+1))
	if err != nil {
		return nil, err
	}
	if len(text) > MaxTextSize {
		return nil, fmt.Errorf("more than %d bytes of text", MaxTextSize)
	}
	err = eachLine(text, func(line []byte) error {
		var c RunCurve
		err := strictjson.Decode(line, &c)
		list = append(list, c)
		return err
	})
	return list, err
}

// MarshalCurves returns the curves as ReadCurves reads them, sorted by run. The same curves
// have the same bytes.
func MarshalCurves(list []RunCurve) ([]byte, error) {
	list = slices.SortedStableFunc(slices.Values(list), func(a, b RunCurve) int { return a.Compare(b.RunKey) })
	var out bytes.Buffer
	z, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	lines := json.NewEncoder(z)
	lines.SetEscapeHTML(false) // points are written as they are
	for _, c := range list {
		if err := lines.Encode(c); err != nil {
			return nil, err
		}
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// FindCurve returns the curve of a run; false if there is none.
func FindCurve(list []RunCurve, key RunKey) (*RunCurve, bool) {
	i := slices.IndexFunc(list, func(c RunCurve) bool { return c.RunKey == key })
	if i < 0 {
		return nil, false
	}
	return &list[i], true
}
