package evaluate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"memobench/benchmarks/record"
	"memobench/benchmarks/study"
	"memobench/datasets"
	"memobench/models"
	"memobench/models/vector"
)

// Axis is a setting of a task with the values at which trained weights are evaluated.
type Axis struct {
	Setting string
	Values  []string
}

// ParseAxis reads "length=3,4,5".
func ParseAxis(text string) (Axis, error) {
	setting, list, ok := strings.Cut(text, "=")
	a := Axis{Setting: strings.TrimPrefix(strings.TrimSpace(setting), "task.")}
	if !ok || a.Setting == "" {
		return a, fmt.Errorf("axis %q: want a setting of the task and its values, such as length=3,4,5", text)
	}
	for v := range strings.SplitSeq(list, ",") {
		v = strings.TrimSpace(v)
		if v == "" || slices.Contains(a.Values, v) {
			return a, fmt.Errorf("axis %q: the value %q is empty or given twice", text, v)
		}
		a.Values = append(a.Values, v)
	}
	return a, nil
}

// Shifted is one evaluation of the weights of a run, on test questions that differ from
// those of training in one setting of the task, with one number of hops. Everything else is
// as in the run's protocol.
type Shifted struct {
	Dir string // of the record

	weights *weights
	cell    study.Cell // with the setting and the hops
	shift   record.Shift
	o       Options
}

// Shifts lists the evaluations of the weights at path, a model.safetensors or the
// directory of a run: each value of each axis with each number of hops or, where hops is
// nil, with that of training. Unknown settings and invalid values are a
// *study.SettingError.
func Shifts(path string, axes []Axis, hops []int, o Options) ([]*Shifted, error) {
	w, err := readWeights(path, &o)
	if err != nil {
		return nil, err
	}
	if _, err = w.ownRecord(); err != nil {
		return nil, err
	}
	perKind, most := o.PerKind, w.Cell.Protocol.TestPerKind
	if most > 0 && perKind > most {
		return nil, &study.SettingError{Err: fmt.Errorf("%s: %d questions of each kind: want at most the %d of the run's protocol", w.path, perKind, most)}
	}
	var list []*Shifted
	for _, axis := range axes {
		for _, value := range axis.Values {
			s := Shifted{weights: w, cell: w.Cell, o: o, shift: record.Shift{Setting: axis.Setting, PerKind: cmp.Or(perKind, most)}}
			if s.cell.Settings, s.shift.Trained, s.shift.Evaluated, err = study.Changed(s.cell.Settings, axis.Setting, value); err != nil {
				return nil, &study.SettingError{Err: fmt.Errorf("%s: task %s: axis %s: %w", w.path, s.cell.Task, axis.Setting, err)}
			}
			for i := range max(1, len(hops)) {
				one := s
				if hops != nil {
					if err := one.setHops(hops[i]); err != nil {
						return nil, &study.SettingError{Err: fmt.Errorf("%s: model %s: %w", w.path, s.cell.Name, err)}
					}
				}
				name := one.shift.Setting + "-" + one.shift.Evaluated
				if h := one.shift.Hops; h != nil {
					name += fmt.Sprintf("-hops-%d", h.Evaluated)
				}
				id := w.rec.Identity
				one.Dir = filepath.Join(o.Out, study.DirName(id.Task, id.Name, id.Seed, cmp.Or(id.Cell, w.Cell.Hash())), record.FileWord(name))
				list = append(list, &one)
			}
		}
	}
	return list, nil
}

func (s *Shifted) setHops(n int) error {
	hopped, ok := s.cell.Config.(models.Hopped)
	if !ok {
		return fmt.Errorf("a %s has no number of hops", s.cell.Model)
	}
	key := hopped.HopsSetting()
	changed, before, after, err := study.Changed(s.cell.Config, key, strconv.Itoa(n))
	if before != after {
		trained, _ := strconv.Atoi(before)
		s.shift.Hops = &record.HopsShift{Setting: key, Trained: trained, Evaluated: n}
	}
	s.cell.Config = changed
	return cmp.Or(err, changed.Validate())
}

// Name returns the evaluation's name for people: "pai3 memo seed 0, length=5, hops=8".
func (s *Shifted) Name() string {
	name := fmt.Sprintf("%v, %s=%s", &s.cell, s.shift.Setting, s.shift.Evaluated)
	if h := s.shift.Hops; h != nil {
		name += fmt.Sprintf(", %s=%d", h.Setting, h.Evaluated)
	}
	return name
}

// Evaluate evaluates the weights and writes a record, or returns the existing record of
// the same evaluation (kept). progress, unless nil, is called with the share of the
// questions that is done.
func (s *Shifted) Evaluate(ctx context.Context, progress func(share float64)) (rec *record.Record, kept bool, err error) {
	defer func() {
		if err != nil && ctx.Err() == nil {
			err = fmt.Errorf("%s: %s (trained with %s): %w", s.weights.path, s.Name(), s.shift.Trained, err)
		}
	}()
	w := s.weights
	src, err := w.open(&s.cell, s.o.DataPath, true, datasets.Test)
	unshifted, err2 := w.open(&w.Cell, s.o.DataPath, false, datasets.Test)
	if err := cmp.Or(err, err2); err != nil {
		return nil, false, err
	}
	next, shift := *w.rec, s.shift
	shift.OtherData = unshifted.Spec().Hash != w.DatasetHash
	next.Origin, next.Shift, next.Environment = record.Evaluated, &shift, record.Host(s.o.BLAS)
	next.Dataset, next.Files = record.DatasetOf(s.cell.Task, src.Spec()), nil
	if sum := w.rec.Files[WeightsName]; sum != "" {
		next.Files = map[string]string{WeightsName: sum}
	}
	path := filepath.Join(s.Dir, record.FileName)
	have, err := record.ReadFile(path)
	if err == nil && !sameQuestions(have, &next) {
		err = fmt.Errorf("%s is of another evaluation: other weights, data or questions; take another directory", path)
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return have, true, err
	}
	if err = s.count(ctx, &next, src, progress); err == nil {
		err = os.MkdirAll(s.Dir, 0o755)
	}
	if err == nil {
		rec, err = WriteRecord(s.Dir, &next, nil)
	}
	return rec, false, err
}

// sameQuestions reports whether two records are of the same weights, questions and data.
func sameQuestions(a, b *record.Record) bool {
	return a.Shift != nil && a.Shift.PerKind == b.Shift.PerKind && a.Shift.OtherData == b.Shift.OtherData && a.Dataset.Hash == b.Dataset.Hash &&
		a.Identity.Cell == b.Identity.Cell && a.Training.SelectedStep == b.Training.SelectedStep && maps.Equal(a.Files, b.Files)
}

// count evaluates the weights on src and sets the evaluation, shift and times of rec.
func (s *Shifted) count(ctx context.Context, rec *record.Record, src datasets.Source, progress func(share float64)) error {
	start := time.Now()
	cell, trained, shape := s.cell, s.weights.Shape.MaxRows, src.Shape()
	cell.Training.Phases = nil
	if shape.MaxRows > trained { // keep the number of rows in a batch
		cell.Protocol.BatchSize = max(1, cell.Protocol.BatchSize*trained/shape.MaxRows)
	}
	shape.MaxRows = max(shape.MaxRows, trained)
	m, extended, err := s.weights.build(&cell, shape)
	if err != nil {
		return fmt.Errorf("memories of up to %d rows, in training %d: %w", src.Shape().MaxRows, trained, err)
	}
	defer models.Close(m)
	q := QuestionsOf(&cell.Protocol, datasets.Test)
	q.PerKind = s.shift.PerKind
	questions, rows, kinds := 0, 0, len(src.Kinds())
	v, err := countAnswers(ctx, src, q, func(b *datasets.Batch) (*models.Prediction, error) {
		p, err := m.Predict(b)
		questions += b.Size()
		rows += b.NumRows()
		share := float64(b.Kinds[b.Size()-1]) / float64(kinds)
		if q.PerKind > 0 {
			share = float64(questions) / float64(q.PerKind*kinds)
		}
		if progress != nil {
			progress(share)
		}
		return p, err
	}, teacherForced(m, src.Shape()))
	if err != nil {
		return err
	}
	if !record.Finite(*v.Loss) {
		return fmt.Errorf("loss is %v", *v.Loss)
	}
	rec.Evaluation = v.Evaluation
	rec.Shift.Extended, rec.Shift.Rows = extended, float64(rows)/float64(questions)
	if rec.Shift.Operations, err = operations(ctx, m, src, q); err != nil {
		return err
	}
	rec.Times = record.Times{Started: start.UTC().Format(time.RFC3339), Finished: time.Now().UTC().Format(time.RFC3339),
		WallSeconds: time.Since(start).Seconds(), Sessions: 1, ParallelRuns: 1}
	return nil
}

// operations returns the mean number of floating-point operations per question, over a few
// questions of each kind in batches of one; nil for a model in another process.
func operations(ctx context.Context, m models.Model, src datasets.Source, q Questions) (*float64, error) {
	q.PerKind, q.Batch = 4, 1
	sum, n := 0, 0
	for b, err := range Batches(ctx, src, q) {
		if err != nil {
			return nil, err
		}
		work := vector.Count(func() { _, err = m.Predict(b) })
		if err != nil {
			return nil, err
		}
		sum += work.Operations()
		n++
	}
	if sum == 0 {
		return nil, nil
	}
	return new(float64(sum) / float64(n)), nil
}
