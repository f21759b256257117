package record

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
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

// PredictionsFile returns the name of the file of a run's predictions in PredictionsDir.
func (k RunKey) PredictionsFile() string {
	return fmt.Sprintf("%s-%s-s%d.jsonl", FileWord(k.Task), FileWord(k.Name), k.Seed)
}

var notInFileName = regexp.MustCompile(`[^A-Za-z0-9._]`)

// FileWord returns text with hyphens for characters that file names should not have.
func FileWord(text string) string { return notInFileName.ReplaceAllString(text, "-") }

// ReadRecords reads the records of a file, one per line. Errors name the file and the line.
func ReadRecords(path string) ([]*Record, error) {
	return ReadParsed(path, MaxTextSize, func(data []byte) ([]*Record, error) { return parseLines(data, Parse) })
}

// parseLines parses each line that is not blank. Errors have the number of the line.
func parseLines[T any](data []byte, parse func(line []byte) (T, error)) (list []T, err error) {
	number := 0
	for line := range bytes.Lines(data) {
		number++
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		v, err := parse(line)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
		list = append(list, v)
	}
	return list, nil
}

// MarshalRecords returns the records as ReadRecords reads them, sorted by run and shift.
func MarshalRecords(list []*Record) ([]byte, error) {
	list = slices.SortedStableFunc(slices.Values(list), func(a, b *Record) int {
		return cmp.Or(a.Identity.Key().Compare(b.Identity.Key()), a.Shift.Compare(b.Shift))
	})
	var out bytes.Buffer
	lines := json.NewEncoder(&out)
	for _, r := range list {
		read, err := r.asRead()
		if err == nil {
			err = lines.Encode(read)
		}
		if err != nil {
			return nil, err
		}
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
	return ReadParsed(path, MaxTextSize, parseCurves)
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
	return parseLines(text, func(line []byte) (c RunCurve, err error) {
		err = strictjson.Decode(line, &c)
		return c, err
	})
}

// MarshalCurves returns the curves as ReadCurves reads them, sorted by run. The same curves
// have the same bytes.
func MarshalCurves(list []RunCurve) ([]byte, error) {
	list = slices.SortedStableFunc(slices.Values(list), func(a, b RunCurve) int { return a.Compare(b.RunKey) })
	var out bytes.Buffer
	z, _ := gzip.NewWriterLevel(&out, gzip.BestCompression) // the level is valid
	lines := json.NewEncoder(z)
	lines.SetEscapeHTML(false) // points are written as they are
	for _, c := range list {
		if err := lines.Encode(c); err != nil {
			return nil, err
		}
	}
	err := z.Close()
	return out.Bytes(), err
}

// FindCurve returns the curve of a run; false if there is none.
func FindCurve(list []RunCurve, key RunKey) (*RunCurve, bool) {
	i := slices.IndexFunc(list, func(c RunCurve) bool { return c.RunKey == key })
	if i < 0 {
		return nil, false
	}
	return &list[i], true
}

// CurveName is the name of a run's learning curve in its directory.
const CurveName = "curve.jsonl"

// maxCurve is the maximum size of a learning curve in bytes: ten times that of 10,000 evaluations
// of 20 kinds.
const maxCurve = 32 << 20

// Point is one evaluation on the validation split: one line of curve.jsonl.
type Point struct {
	Step       int       `json:"step" doc:"updates done"`
	Examples   int64     `json:"examples" doc:"training examples seen, repeats counted"`
	TrainLoss  float64   `json:"train_loss" doc:"mean training loss since the point before, nats"`
	Rate       float64   `json:"learning_rate" doc:"learning rate of the last step"`
	GradNorm   *float64  `json:"grad_norm,omitempty" doc:"gradient norm of the last step; absent when it is not finite"`
	Loss       float64   `json:"loss" doc:"mean cross entropy on the validation split, nats"`
	Hops       *float64  `json:"hops,omitempty" doc:"mean number of hops for an answer; absent for a model without hops"`
	AnswerHops []float64 `json:"answer_hops,omitempty" doc:"mean number of hops for each answer; absent where one is asked for, and for a model without hops"`
	Kinds      []Kind    `json:"kinds" doc:"counts per kind of question on the validation split, as in a record's evaluation"`
	Seconds    float64   `json:"seconds" doc:"wall time of the run so far, all sessions"`
}

// Accuracy returns the unweighted mean over the kinds, in per cent.
func (p *Point) Accuracy() float64 {
	v, _ := Accuracy.Overall(p.Record())
	return v
}

// Record returns a record that has only the point's counts.
func (p *Point) Record() *Record { return &Record{Evaluation: Evaluation{Kinds: p.Kinds}} }

// ReadCurve reads the learning curve of a run from its curve.jsonl. Errors name
// the file and the line.
func ReadCurve(path string) ([]Point, error) { return ReadParsed(path, maxCurve, parseCurve) }

// parseCurve reads the points of a learning curve, one JSON object per line. Steps
// must increase, and no count may be above its total.
func parseCurve(data []byte) (points []Point, err error) {
	last := 0
	return parseLines(data, func(line []byte) (p Point, err error) {
		if err := json.Unmarshal(line, &p); err != nil {
			return p, err
		}
		if p.Step <= last {
			return p, fmt.Errorf("step %d after step %d", p.Step, last)
		}
		for _, k := range p.Kinds {
			if k.Correct < 0 || k.Correct > k.Total {
				return p, fmt.Errorf("kind %q: %d right of %d questions", k.Name, k.Correct, k.Total)
			}
		}
		last = p.Step
		return p, nil
	})
}
