package evaluate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"memobench/benchmarks/config"
	"memobench/benchmarks/record"
	"memobench/datasets"
	"memobench/models"
)

// ShiftOptions say how stored weights are evaluated on questions unlike those of training.
type ShiftOptions struct {
	DataPath     string
	PerKind      int    // questions of each kind, at most as many as in the protocol; 0 means as many
	Out          string // directory above those of the records
	AllowCommand bool   // see Options
	BLAS         string // as the record names it
}

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
// those of training in one setting of the task, with one number of hops. The rest is as in
// the run's protocol.
type Shifted struct {
	Dir string // of the record

	run   *shiftedRun
	cell  config.Cell // with the setting and the hops
	shift record.Shift
	o     ShiftOptions
}

// shiftedRun is a run whose weights are evaluated.
type shiftedRun struct {
	path     string // of the weights
	rec      *record.Record
	weights  *storedWeights
	sameData func() (bool, error) // reports whether the data without the shift are those of training

	src    datasets.Source // last opened
	srcKey string          // hash of its settings
}

// Shifts lists the evaluations of the weights at path, a model.safetensors or the
// directory of a run: each value of each axis with each number of hops or, where hops is
// nil, with that of training. Unknown settings and invalid values are a
// *config.SettingError.
func Shifts(path string, axes []Axis, hops []int, o ShiftOptions) ([]*Shifted, error) {
	run, err := openShifted(path, o)
	if err != nil {
		return nil, err
	}
	var list []*Shifted
	for _, axis := range axes {
		for _, value := range axis.Values {
			base := Shifted{run: run, cell: run.weights.meta.Cell, o: o, shift: record.Shift{Setting: axis.Setting}}
			s := &base.shift
			if base.cell.Settings, s.Trained, s.Evaluated, err = config.Changed(base.cell.Settings, axis.Setting, value); err != nil {
				return nil, &config.SettingError{Err: fmt.Errorf("%s: task %s: axis %s: %w", run.path, base.cell.Task, axis.Setting, err)}
			}
			if s.PerKind, err = base.perKind(); err != nil {
				return nil, err
			}
			if hops == nil {
				list = append(list, base.withDir())
			}
			for _, n := range hops {
				with, err := base.withHops(n)
				if err != nil {
					return nil, &config.SettingError{Err: fmt.Errorf("%s: model %s: %w", run.path, base.cell.Label, err)}
				}
				list = append(list, with.withDir())
			}
		}
	}
	return list, nil
}

// openShifted reads the weights at path and the record next to them.
func openShifted(path string, o ShiftOptions) (*shiftedRun, error) {
	path = WeightsPath(path)
	run := &shiftedRun{path: path}
	rec, err := recordOf(path)
	if err == nil {
		run.weights, err = loadWeights(path, o.AllowCommand)
	}
	if err == nil {
		run.rec, err = recordOfRun(path, rec, run.weights.meta)
	}
	run.sameData = sync.OnceValues(func() (bool, error) {
		src, err := run.open(&run.weights.meta.Cell, o.DataPath, false)
		if err != nil {
			return false, err
		}
		return src.Spec().Hash == run.weights.meta.DatasetHash, nil
	})
	return run, err
}

// open opens the test split of a cell's task. Consecutive evaluations with the same
// settings share one source.
func (r *shiftedRun) open(c *config.Cell, dataPath string, shifted bool) (src datasets.Source, err error) {
	meta, key := r.weights.meta, record.HashOf([]any{config.Values(c.Settings), shifted})
	if r.srcKey != key {
		if src, err = config.OpenSource(c, datasets.Options{DataPath: dataPath, Splits: []datasets.Split{datasets.Test}, Shifted: shifted,
			Trained: &datasets.Trained{Shape: meta.Shape, Vocabulary: meta.Vocabulary}}); err != nil {
			return nil, err
		}
		r.src, r.srcKey = src, key
	}
	return r.src, nil
}

// perKind returns the number of questions of each kind.
func (s *Shifted) perKind() (int, error) {
	most := s.cell.Protocol.TestPerKind
	if s.o.PerKind == 0 {
		return most, nil
	}
	if most > 0 && s.o.PerKind > most {
		return 0, &config.SettingError{Err: fmt.Errorf("%s: %d questions of each kind: want at most the %d of the run's protocol", s.run.path, s.o.PerKind, most)}
	}
	return s.o.PerKind, nil
}

// withHops returns the evaluation with another number of hops.
func (s *Shifted) withHops(n int) (*Shifted, error) {
	hopped, ok := s.cell.Config.(models.Hopped)
	if !ok {
		return nil, fmt.Errorf("a %s has no number of hops", s.cell.Model)
	}
	with := *s
	key := hopped.HopsSetting()
	changed, before, _, err := config.Changed(s.cell.Config, key, strconv.Itoa(n))
	if err == nil {
		err = changed.Validate()
	}
	trained, err2 := strconv.Atoi(before)
	if err = errors.Join(err, err2); err != nil {
		return nil, err
	}
	with.cell.Config = changed
	if n != trained {
		with.shift.Hops = &record.HopsShift{Setting: key, Trained: trained, Evaluated: n}
	}
	return &with, nil
}

// withDir sets the directory of the record.
func (s *Shifted) withDir() *Shifted {
	name := s.shift.Setting + "-" + s.shift.Evaluated
	if s.shift.Hops != nil {
		name += fmt.Sprintf("-hops-%d", s.shift.Hops.Evaluated)
	}
	id := s.run.rec.Identity
	hash := cmp.Or(id.Cell, s.run.weights.meta.Cell.Hash())
	s.Dir = filepath.Join(s.o.Out, config.DirName(id.Task, id.Label, id.Seed, hash), config.FileName(name))
	return s
}

// Name returns the evaluation's name for people: "pai3 memo seed 0, length=5, hops=8".
func (s *Shifted) Name() string {
	name := fmt.Sprintf("%s, %s=%s", s.cell.Name(), s.shift.Setting, s.shift.Evaluated)
	if h := s.shift.Hops; h != nil {
		name += fmt.Sprintf(", %s=%d", h.Setting, h.Evaluated)
	}
	return name
}

// Evaluate evaluates the weights and writes a record, or returns the existing record of
// the same evaluation (kept). progress, unless nil, is called with the share of the
// questions that is done.
func (s *Shifted) Evaluate(ctx context.Context, progress func(share float64)) (rec *record.Record, kept bool, err error) {
	if rec, kept, err = s.evaluate(ctx, progress); err != nil && ctx.Err() == nil {
		err = fmt.Errorf("%s: %s (trained with %s): %w", s.run.path, s.Name(), s.shift.Trained, err)
	}
	return rec, kept, err
}

func (s *Shifted) evaluate(ctx context.Context, progress func(share float64)) (*record.Record, bool, error) {
	src, err := s.run.open(&s.cell, s.o.DataPath, true)
	if err != nil {
		return nil, false, err
	}
	rec, err := s.newRecord(src)
	if err != nil {
		return nil, false, err
	}
	if have, err := s.existing(rec); have != nil || err != nil {
		return have, have != nil, err
	}
	cell, trained, shape := s.cell, s.run.weights.meta.Shape.MaxRows, src.Shape()
	cell.Training.Phases = nil
	if shape.MaxRows > trained { // keep the number of rows in a batch
		cell.Protocol.BatchSize = max(1, cell.Protocol.BatchSize*trained/shape.MaxRows)
	}
	shape.MaxRows = max(shape.MaxRows, trained)
	m, extended, err := s.run.weights.build(&cell, shape)
	if err != nil {
		return nil, false, fmt.Errorf("memories of up to %d rows, in training %d: %w", src.Shape().MaxRows, trained, err)
	}
	defer models.Close(m)
	if err := CheckMemory(ctx, &cell, m, src, datasets.Test, false); err != nil {
		return nil, false, err
	}
	rec.Shift.Extended = extended
	if err := s.count(ctx, rec, m, src, cell.Protocol.BatchSize, progress); err != nil {
		return nil, false, err
	}
	if err := os.MkdirAll(s.Dir, 0o755); err != nil {
		return nil, false, err
	}
	rec, err = WriteRecord(s.Dir, rec, nil)
	return rec, false, err
}

// newRecord returns the record of the evaluation without its results.
func (s *Shifted) newRecord(src datasets.Source) (*record.Record, error) {
	rec, shift := *s.run.rec, s.shift
	rec.Origin, rec.Shift, rec.Environment = record.Evaluated, &shift, record.Host(s.o.BLAS)
	rec.Dataset = record.DatasetOf(s.cell.Task, src.Spec())
	rec.Files = nil
	if digest, ok := s.run.rec.Files[WeightsName]; ok {
		rec.Files = map[string]string{WeightsName: digest}
	}
	same, err := s.run.sameData()
	shift.OtherData = !same
	return &rec, err
}

// existing returns the record in the directory, nil where there is none. A record of
// another evaluation is an error.
func (s *Shifted) existing(now *record.Record) (*record.Record, error) {
	path := filepath.Join(s.Dir, record.FileName)
	have, err := record.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	key := func(r *record.Record) string {
		var shift record.Shift
		if r.Shift != nil {
			shift = *r.Shift
			shift.Rows, shift.Operations, shift.Extended = 0, nil, nil
		}
		return record.HashOf([]any{r.Identity.Task, r.Identity.Label, r.Identity.Seed, r.Identity.Cell, r.Training.SelectedStep, r.Files, r.Dataset.Hash, shift})
	}
	if key(have) != key(now) {
		return nil, fmt.Errorf("%s is of another evaluation: other weights, data or questions; take another directory", path)
	}
	return have, nil
}

// count evaluates m and sets the evaluation, rows, operations and times of rec.
func (s *Shifted) count(ctx context.Context, rec *record.Record, m models.Model, src datasets.Source, batch int, progress func(share float64)) error {
	start := time.Now()
	q := QuestionsOf(&s.cell.Protocol, datasets.Test)
	q.PerKind, q.Batch = s.shift.PerKind, batch
	questions, rows, kinds := 0, 0, len(src.Kinds())
	q.AfterBatch = func(b *datasets.Batch) {
		questions += b.Size()
		rows += b.NumRows()
		share := float64(b.Kinds[b.Size()-1]) / float64(kinds)
		if q.PerKind > 0 {
			share = float64(questions) / float64(q.PerKind*kinds)
		}
		if progress != nil {
			progress(share)
		}
	}
	v, err := Model(ctx, m, src, q)
	if err != nil {
		return err
	}
	if !record.Finite(v.Loss) {
		return fmt.Errorf("loss is %v", v.Loss)
	}
	rec.Evaluation = v.Evaluation(q.Split)
	rec.Shift.Rows = float64(rows) / float64(questions)
	if rec.Shift.Operations, err = operations(ctx, m, src, q); err != nil {
		return err
	}
	rec.Times = record.Times{Started: start.UTC().Format(time.RFC3339), Finished: time.Now().UTC().Format(time.RFC3339),
		WallSeconds: time.Since(start).Seconds(), Sessions: 1, ParallelRuns: 1}
	return nil
}

// operations returns the mean number of floating-point operations per question, over a few
// questions of each kind in batches of one; nil for a model that does not count them.
func operations(ctx context.Context, m models.Model, src datasets.Source, q Questions) (*float64, error) {
	counting, ok := m.(models.Costed)
	if !ok {
		return nil, nil
	}
	q.PerKind, q.Batch = costSample, 1
	sum, n := 0.0, 0
	for b, err := range Batches(ctx, src, q) {
		if err != nil {
			return nil, err
		}
		cost, err := counting.PredictCost(b)
		if err != nil {
			return nil, err
		}
		sum += float64(cost.Forward)
		n++
	}
	return new(sum / float64(n)), nil
}
