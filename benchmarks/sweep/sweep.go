// Package sweep divides the runs of a study among processes, chooses among settings and
// plans what is left to do.
//
// The cells of a shard depend only on the study and the shard, so that processes need no
// coordination. Package train runs the cells.
package sweep

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/stat"

	"memobench/benchmarks/evaluate"
	"memobench/benchmarks/record"
	"memobench/benchmarks/study"
	"memobench/models/checkpoint"
)

// Shard is one of Count parts of a list of cells: every Count-th cell, from cell Index on,
// which counts from 0. The zero value has all cells.
type Shard struct{ Index, Count int }

// ParseShard reads a shard written index/count.
func ParseShard(text string) (Shard, error) {
	index, count, found := strings.Cut(text, "/")
	i, err := strconv.Atoi(index)
	n, err2 := strconv.Atoi(count)
	if !found || err != nil || err2 != nil || i < 0 || i >= n {
		return Shard{}, fmt.Errorf("shard %q: want I/N with I from 0 to N-1, such as 0/4", text)
	}
	return Shard{i, n}, nil
}

// Pick returns the cells of the shard. Adjacent cells, which often take equally long, are
// in different shards.
func (s Shard) Pick(cells []study.Cell) (list []study.Cell) {
	for i := s.Index; i < len(cells); i += max(1, s.Count) {
		list = append(list, cells[i])
	}
	return list
}

// finishedRecord returns the record of a cell's finished run in a study's directory, or nil.
func finishedRecord(dir string, c *study.Cell) *record.Record {
	r, err := record.ReadFile(filepath.Join(dir, c.Dir(), record.FileName))
	if err != nil || !r.Status.Finished() || r.Identity.Cell != c.Hash() {
		return nil
	}
	return r
}

// Choose evaluates the searches of a study whose runs are below a directory.
func Choose(s *study.Study, dir string) ([]*study.Chosen, error) {
	var list []*study.Chosen
	for _, search := range s.Searches() {
		c, err := search.Choose(func(c *study.Cell) *record.Record { return finishedRecord(dir, c) })
		if err != nil {
			return nil, err
		}
		list = append(list, c)
	}
	return list, nil
}

// Planned says what is left to do of a run, all its settings and seeds together.
type Planned struct {
	Task     string  `json:"task"`
	Name     string  `json:"name"`
	Runs     int     `json:"runs"`
	Finished int     `json:"finished"`
	Hours    float64 `json:"cpu_hours_left"` // for all steps that no checkpoint has, without early stopping
	Unknown  int     `json:"unknown"`        // unfinished runs whose steps no record has timed, not in Hours
}

// Plan returns a row for each task and run of the study, in the order of cells. The times of
// steps are those of the records in the study's directory and of others.
func Plan(cells []study.Cell, dir string, others []*record.Record) (plan []Planned) {
	finished := make([]*record.Record, len(cells))
	for i := range cells {
		if finished[i] = finishedRecord(dir, &cells[i]); finished[i] != nil {
			others = append(others, finished[i])
		}
	}
	seconds := secondsPerStep(cells, others)
	for i := range cells {
		c, name := &cells[i], record.NameWithoutChanges(cells[i].Name)
		at := slices.IndexFunc(plan, func(p Planned) bool { return p.Task == c.Task && p.Name == name })
		if at < 0 {
			at, plan = len(plan), append(plan, Planned{Task: c.Task, Name: name})
		}
		row := &plan[at]
		row.Runs++
		switch times := seconds[costKey(c)]; {
		case finished[i] != nil:
			row.Finished++
		case times != nil:
			left := c.Protocol.Steps
			if saved, err := checkpoint.Load(filepath.Join(dir, c.Dir(), evaluate.CheckpointName)); err == nil && saved.CellHash == c.Hash() {
				left -= saved.Step
			}
			row.Hours += stat.Mean(times, nil) * float64(left) / 3600
		default:
			row.Unknown++
		}
	}
	return plan
}

// secondsPerStep returns the CPU times of a step in each run that has the task and model of a cell,
// evaluations included, by costKey. CPU time of a process with parallel runs includes that of the
// others, so that it is at most the wall time.
func secondsPerStep(cells []study.Cell, records []*record.Record) map[string][]float64 {
	list, wanted := map[string][]float64{}, map[[2]string]bool{}
	for i := range cells {
		wanted[[2]string{cells[i].Task, cells[i].Model}] = true
	}
	for _, r := range records {
		seconds := r.Times.CPUSeconds
		if r.Times.ParallelRuns > 1 {
			seconds = min(seconds, r.Times.WallSeconds)
		}
		if !wanted[[2]string{r.Identity.Task, r.Identity.Model}] || r.Origin != record.Trained || seconds <= 0 || r.Training.Steps == 0 {
			continue
		}
		if c, err := study.CellOf(r); err == nil {
			list[costKey(c)] = append(list[costKey(c)], seconds/float64(r.Training.Steps))
		}
	}
	return list
}

// costKey is equal for cells whose steps take the same time: it has task, model, batch size
// and their settings. Of settings with a fraction (rates, weights of losses, probabilities)
// it has only whether they are 0, which may remove a part of the network.
func costKey(c *study.Cell) string {
	training := costValues(&c.Training)
	for _, key := range []string{"warmup", "plateau_fraction", "power", "end_rate"} { // of the learning rate schedule
		delete(training, key)
	}
	return record.HashOf([]any{c.Task, study.Values(c.Settings), c.Protocol.BatchSize, c.Model, costValues(c.Config), training})
}

func costValues(settings any) map[string]any {
	values := study.Values(settings)
	for key, v := range values {
		if x, ok := v.(float64); ok {
			values[key] = x != 0
		}
	}
	return values
}
