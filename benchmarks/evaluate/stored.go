package evaluate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"memobench/benchmarks/record"
	"memobench/benchmarks/study"
	"memobench/datasets"
	"memobench/datasets/export"
	"memobench/models"
)

// Options say how and on which questions stored weights are evaluated. Except for Split, zero
// values mean those of the protocol.
type Options struct {
	Split    datasets.Split
	DataPath string
	PerKind  int     // questions of each kind; for Shifts at most as many as in the protocol
	All      bool    // all questions of a finite dataset
	Seed     *uint64 // of the questions

	// KeepPredictions writes the answers next to the record of this evaluation (see Out) or,
	// without one, next to that of the run, which must have the same counts.
	KeepPredictions bool

	// Out is a new or empty directory for a record of this evaluation, for Shifts the directory
	// above those of the records; empty for no record. With Out or KeepPredictions the questions must be those of the run's record.
	Out string

	// AllowCommand allows the weights of an external model to start the command that
	// they name.
	AllowCommand bool
	BLAS         string // as the record names it
}

// Result is the evaluation of stored weights. Its JSON is what memobench eval --json prints.
type Result struct {
	Weights     string            `json:"weights"` // path
	Step        int               `json:"step"`
	Task        string            `json:"task"`
	Model       string            `json:"model"` // name of the run
	Seed        uint64            `json:"seed"`
	SameData    bool              `json:"same_data"` // as in training
	Dataset     datasets.Spec     `json:"dataset"`
	Predictions string            `json:"predictions,omitempty"` // path of the answers, if they were kept
	Labels      []string          `json:"labels"`                // caveats of the data, and of those of training if they are others
	Evaluation  record.Evaluation `json:"evaluation"`
}

// unverified is the caveat of weights without a checksum in a record next to them.
const unverified = "nothing verified the weights: no record next to them has their checksum"

// Stored evaluates the weights at path, a model.safetensors or the directory of a run.
// The file alone is enough: its metadata rebuilds the model. It fails when the loss is NaN
// or infinite.
func Stored(ctx context.Context, path string, o Options) (*Result, error) {
	w, err := openStored(path, &o, o.Split)
	if err != nil {
		return nil, err
	}
	defer models.Close(w.model)
	var rec *record.Record
	if o.Out != "" || o.KeepPredictions {
		if rec, err = o.recordOf(w); err != nil {
			return nil, fmt.Errorf("recording the evaluation: %w", err)
		}
	}
	v, err := Model(ctx, w.model, w.src, o.questions(&w.Cell.Protocol))
	if err == nil && !record.Finite(*v.Loss) {
		err = fmt.Errorf("loss is %v on the %s split", *v.Loss, o.Split)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", w.path, err)
	}
	spec := w.src.Spec()
	r := &Result{
		Weights: w.path, Step: w.Step, Task: w.Cell.Task, Model: w.Cell.Name, Seed: w.Cell.Seed, SameData: spec.Hash == w.DatasetHash,
		Dataset: spec, Labels: append([]string{}, spec.Caveats.Texts()...), Evaluation: v.Evaluation,
	}
	for _, l := range w.Labels {
		if !r.SameData {
			r.Labels = append(r.Labels, "trained on: "+l)
		}
	}
	if rec == nil {
		return r, nil
	}
	dir := filepath.Dir(w.path)
	if o.Out != "" {
		dir = o.Out
		now := time.Now().UTC().Format(time.RFC3339)
		rec.Evaluation, rec.Origin, rec.Environment, rec.Files = r.Evaluation, record.Evaluated, record.Host(o.BLAS), nil
		rec.Times = record.Times{Started: now, Finished: now, Sessions: 1, ParallelRuns: 1}
		_, err = writeNewRecord(dir, rec, v.Predictions)
	} else if err = v.Predictions.Fits(&rec.Evaluation); err == nil {
		err = v.Predictions.WriteTo(filepath.Join(dir, record.PredictionsName), rec.Protocol.Hash)
	} else {
		err = fmt.Errorf("keeping the answers: %s is of another evaluation: %w", filepath.Join(dir, record.FileName), err)
	}
	if err != nil {
		return nil, err
	}
	if o.KeepPredictions {
		r.Predictions = filepath.Join(dir, record.PredictionsName)
	}
	return r, nil
}

// recordOf returns the record of the weights, whose questions must be those of the evaluation.
func (o *Options) recordOf(w *stored) (*record.Record, error) {
	if o.Split != datasets.Test || o.PerKind > 0 || o.All || o.Seed != nil {
		return nil, errors.New("the questions are not those of the run's record; want the test split, with the number and the seed of the protocol")
	}
	rec, err := w.ownRecord()
	if err != nil {
		return nil, err
	}
	if dataset := w.src.Spec().Hash; rec.Dataset.Hash != dataset {
		return nil, fmt.Errorf("%s is of other data: hash %s, now %s", filepath.Join(filepath.Dir(w.path), record.FileName), rec.Dataset.Hash, dataset)
	}
	if o.Out != "" {
		err = export.CheckNew(o.Out)
	}
	return rec, err
}

// questions merges the options with the protocol's values.
func (o *Options) questions(p *study.Protocol) Questions {
	q := QuestionsOf(p, o.Split)
	q.Keep = o.KeepPredictions
	q.PerKind = cmp.Or(o.PerKind, q.PerKind)
	if o.All {
		q.PerKind = 0
	}
	if o.Seed != nil {
		q.Seed = *o.Seed
	}
	return q
}

// Print writes counts and metrics by kind, with their caveats.
func (r *Result) Print(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s seed %d, weights of step %d, on the %s split\n", r.Task, r.Model, r.Seed, r.Step, r.Evaluation.Split)
	rec := &record.Record{Evaluation: r.Evaluation}
	for i, k := range r.Evaluation.Kinds {
		if k.Total == 0 {
			continue
		}
		fmt.Fprintln(&b, metrics("  ", k.Name, k.Correct, k.Total, func(m record.Metric) (float64, bool) { return m.Value(rec, i) }))
		for a, answer := range k.Answers {
			fmt.Fprintln(&b, metrics("    ", answer.Name, answer.Correct, k.Total, func(m record.Metric) (float64, bool) { return m.OfAnswer(rec, i, a) }))
		}
	}
	mean, _ := record.Accuracy.Value(rec, record.AllKinds)
	fmt.Fprintf(&b, "  %-8s %6.2f %%", "mean", mean)
	if r.Evaluation.Loss != nil {
		fmt.Fprintf(&b, ", loss %.4f nats", *r.Evaluation.Loss)
	}
	fmt.Fprintln(&b, HopsText(&r.Evaluation))
	fmt.Fprintf(&b, "  data: %s", r.Dataset.Task)
	for _, key := range slices.Sorted(maps.Keys(r.Dataset.Settings)) {
		fmt.Fprintf(&b, ", %s=%s", key, r.Dataset.Settings[key])
	}
	fmt.Fprintln(&b)
	if !r.SameData {
		fmt.Fprintln(&b, "  data: not those the model was trained on")
	}
	for _, l := range r.Labels {
		fmt.Fprintf(&b, "  label: %s\n", l)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// HopsText prints the mean number of hops, also for each of several answers; "" for a model
// without hops.
func HopsText(e *record.Evaluation) string {
	if e.Hops == nil {
		return ""
	}
	text := fmt.Sprintf(", hops %.2f", *e.Hops)
	var each []string
	for a, h := range e.AnswerHops {
		each = append(each, fmt.Sprintf("%s: %.2f", e.Kinds[0].Answers[a].Name, h))
	}
	if each != nil {
		text += " (" + strings.Join(each, ", ") + ")"
	}
	return text
}

// metrics returns a line with counts and all metrics in per cent, accuracy first.
func metrics(indent, name string, correct, total int, value func(m record.Metric) (float64, bool)) string {
	accuracy, _ := value(record.Accuracy)
	line := fmt.Sprintf("%s%-8s %6.2f %%  (%d of %d)", indent, name, accuracy, correct, total)
	for _, m := range record.Metrics {
		if v, ok := value(m); ok && m.Unit == "%" && m.Name != record.Accuracy.Name {
			line += fmt.Sprintf(", %s %.2f %%", m.Title, v)
		}
	}
	return line
}
