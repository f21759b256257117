package sweep

import (
	"context"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"memobench/benchmarks/config"
	"memobench/benchmarks/record"
	"memobench/benchmarks/train"
)

// Source says where an estimate comes from.
type Source string

// The sources of estimates.
const (
	Recorded Source = "recorded" // records of runs of the same cost on this kind of machine
	timed    Source = "timed"    // a few steps of this cell, timed now
	asTimed  Source = "as timed" // a few steps of another cell of the same cost, timed now
	Finished Source = "finished" // the run has ended
	Unknown  Source = "unknown"
)

// Estimate is the CPU time that a cell takes for all its steps, without early stopping.
type Estimate struct {
	Seconds float64 // 0 when Finished or Unknown
	Source  Source
	Runs    int // number of records, of which Seconds is the mean
}

// Estimator estimates what cells cost on this machine.
type Estimator struct {
	DataPath   string
	Threads    int
	TimedSteps int    // training steps to time for cells without a record; 0 for none
	BLAS       string // in use, as records name it

	recorded map[string][]recorded
	timed    map[string]train.StepTimes
}

// recorded is a record with its cell.
type recorded struct {
	rec  *record.Record
	cell *config.Cell
}

// ReadRecords reads the records below a directory. It uses those of this processor and
// BLAS with present settings, and returns their number and that of the others.
func (e *Estimator) ReadRecords(dir string) (used, other int, err error) {
	if e.recorded == nil {
		e.recorded = map[string][]recorded{}
	}
	here := record.Host(e.BLAS)
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || d.Name() != record.FileName {
			return err
		}
		r, err := record.ReadFile(path)
		if err != nil {
			return err
		}
		c, err := config.CellOf(r)
		if err != nil || r.Environment.CPU != here.CPU || library(r.Environment.BLAS) != library(here.BLAS) {
			other++
			return nil
		}
		used++
		key := costKey(c)
		e.recorded[key] = append(e.recorded[key], recorded{r, c})
		return nil
	})
	return used, other, err
}

// library is the BLAS without its number of threads, which hardly changes the CPU time.
func library(blas string) string {
	name, _, _ := strings.Cut(blas, ",")
	return name
}

// Estimate estimates the cell's CPU time from records, else from timed steps. It fails if
// the cell cannot be built or trained.
func (e *Estimator) Estimate(ctx context.Context, c *config.Cell) (Estimate, error) {
	key := costKey(c)
	sum, runs := 0.0, 0
	for _, r := range e.recorded[key] {
		if t, ok := recordedTimes(r.rec, r.cell, c); ok {
			sum += t.Seconds(c)
			runs++
		}
	}
	if runs > 0 {
		return Estimate{Seconds: sum / float64(runs), Source: Recorded, Runs: runs}, nil
	}
	if e.TimedSteps < 1 {
		return Estimate{Source: Unknown}, nil
	}
	// Evaluations must be equal, too.
	p := &c.Protocol
	key += fmt.Sprint(p.ValidationPerKind, p.TestPerKind)
	source := asTimed
	t, known := e.timed[key]
	if !known {
		var err error
		if t, err = train.TimeSteps(ctx, *c, e.DataPath, e.Threads, e.TimedSteps); err != nil {
			return Estimate{Source: Unknown}, err
		}
		if e.timed == nil {
			e.timed = map[string]train.StepTimes{}
		}
		source, e.timed[key] = timed, t
	}
	if t.Step <= 0 { // the system reports no CPU times
		return Estimate{Source: Unknown}, nil
	}
	return Estimate{Seconds: t.Seconds(c), Source: source}, nil
}

// IsFinished reports whether the cell's run in a sweep's directory has ended.
func IsFinished(dir string, c *config.Cell) bool {
	r, err := record.ReadFile(filepath.Join(dir, c.Dir(), record.FileName))
	return err == nil && r.Status.Finished() && r.Identity.Cell == c.Hash()
}

// PoolSeconds returns the time of a pool of parallel jobs for runs of the given times, in
// order.
func PoolSeconds(seconds []float64, jobs int) float64 {
	busy := make([]float64, max(1, jobs))
	for _, s := range seconds {
		i := slices.Index(busy, slices.Min(busy))
		busy[i] += s
	}
	return slices.Max(busy)
}

// costKey is equal for cells whose steps take the same time: it has task, model, batch
// size and their settings. Of settings with a fraction (rates, weights of losses,
// probabilities) it has only whether they are 0, which may remove a part of the network.
// Steps, evaluations and seeds are not in it.
func costKey(c *config.Cell) string {
	training := costValues(&c.Training)
	for _, key := range []string{"warmup", "plateau_fraction", "power", "end_rate"} { // of the learning rate schedule
		delete(training, key)
	}
	return record.HashOf([]any{c.Task, config.Values(c.Settings), c.Protocol.BatchSize, c.Model, costValues(c.Config), training})
}

func costValues(settings any) map[string]any {
	values := config.Values(settings)
	for key, v := range values {
		if x, ok := v.(float64); ok {
			values[key] = x != 0
		}
	}
	return values
}

// recordedTimes returns the times of cell c from the record of a cell of the same cost.
// CPU time is divided between training and evaluation in proportion to wall time. The CPU
// time of parallel runs in one process includes that of the others, so it is at most the
// wall time. ok is false where the record has too little information.
func recordedTimes(r *record.Record, of, c *config.Cell) (t train.StepTimes, ok bool) {
	seconds := r.Times.CPUSeconds
	if r.Times.ParallelRuns > 1 {
		seconds = min(seconds, r.Times.WallSeconds)
	}
	if seconds <= 0 || r.Times.WallSeconds <= 0 || r.Times.TrainSeconds <= 0 || r.Training.Steps == 0 {
		return t, false
	}
	share := min(1, r.Times.TrainSeconds/r.Times.WallSeconds)
	t.Step = seconds * share / float64(r.Training.Steps)
	rest := seconds * (1 - share)
	was, now := &of.Protocol, &c.Protocol
	switch {
	case was.ValidationPerKind > 0 && was.TestPerKind > 0 && now.ValidationPerKind > 0 && now.TestPerKind > 0:
		question := rest / float64(r.Curve.Points*was.ValidationPerKind+was.TestPerKind)
		t.Validation, t.Test = question*float64(now.ValidationPerKind), question*float64(now.TestPerKind)
	case was.ValidationPerKind == now.ValidationPerKind && was.TestPerKind == now.TestPerKind:
		t.Validation = rest / float64(r.Curve.Points+1)
		t.Test = t.Validation
	default: // the number of "all" questions is unknown
		return t, false
	}
	return t, true
}
