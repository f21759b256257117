package sweep

import (
	"fmt"
	"strconv"
	"strings"
)

// Shard is one of Count parts of a sweep: of the cells in their order every
// Count-th, from number Index, which counts from 0.
type Shard struct{ Index, Count int }

// Whole is the shard that has all cells.
var Whole = Shard{0, 1}

func (s Shard) String() string { return fmt.Sprintf("%d/%d", s.Index, s.Count) }

// Pick returns the cells of the shard. Neighbours go to different shards: cells
// that take long are often neighbours.
func (s Shard) Pick(cells []Cell) []Cell {
	var list []Cell
	for i := s.Index; i < len(cells); i += s.Count {
		list = append(list, cells[i])
	}
	return list
}

// check refuses what is no shard.
func (s Shard) check() (Shard, error) {
	if s.Count < 1 {
		return Whole, fmt.Errorf("shard %v: want 1 shard or more", s)
	}
	if s.Index < 0 || s.Index >= s.Count {
		return Whole, fmt.Errorf("shard %v: shards count from 0: want 0 to %d before the slash", s, s.Count-1)
	}
	return s, nil
}

// ParseShard reads a shard written index/count.
func ParseShard(text string) (Shard, error) {
	index, count, found := strings.Cut(text, "/")
	i, err := strconv.Atoi(index)
	n, err2 := strconv.Atoi(count)
	if !found || err != nil || err2 != nil {
		return Whole, fmt.Errorf("shard %q: want index/count, such as 0/4", text)
	}
	return Shard{i, n}.check()
}

// Variables that schedulers set in the tasks of an array.
const (
	slurmID    = "SLURM_ARRAY_TASK_ID"
	slurmCount = "SLURM_ARRAY_TASK_COUNT"
	slurmMin   = "SLURM_ARRAY_TASK_MIN"
	slurmStep  = "SLURM_ARRAY_TASK_STEP"
	jobIndex   = "JOB_COMPLETION_INDEX"
)

// EnvShard returns the shard that the scheduler gave this process, and the
// variables that say so; without any it is Whole and "".
//
// count is the number of shards, 0 for as many as the scheduler tells. Given, a
// task of a Slurm array or a pod of a Kubernetes Indexed Job is the shard of its
// own number, which counts from 0: then a part of an array can be submitted
// again. Slurm tells how many tasks an array has; a Kubernetes Job does not.
func EnvShard(getenv func(string) string, count int) (Shard, string, error) {
	for _, index := range []string{slurmID, jobIndex} {
		if getenv(index) == "" {
			continue
		}
		i, err := number(getenv, index)
		if err != nil {
			return Whole, index, err
		}
		if count > 0 {
			s, err := Shard{i, count}.check()
			return s, index, fromEnv(index, err)
		}
		if index == jobIndex {
			return Whole, index, fmt.Errorf("%s is set, which does not say how many shards there are: give their number", index)
		}
		return slurmShard(getenv, i)
	}
	if count > 0 {
		return Whole, "", fmt.Errorf("%d shards, but neither %s nor %s says which one this is", count, slurmID, jobIndex)
	}
	return Whole, "", nil
}

// slurmShard returns the shard of task id by what Slurm tells of the array.
func slurmShard(getenv func(string) string, id int) (Shard, string, error) {
	const names = slurmID + ", " + slurmCount + " and " + slurmMin
	step := 1
	for _, name := range []string{slurmCount, slurmMin} {
		if getenv(name) == "" {
			return Whole, names, fmt.Errorf("%s is set without %s: give the number of shards", slurmID, name)
		}
	}
	count, err := number(getenv, slurmCount)
	if err != nil {
		return Whole, names, err
	}
	least, err := number(getenv, slurmMin)
	if err != nil {
		return Whole, names, err
	}
	if getenv(slurmStep) != "" {
		if step, err = number(getenv, slurmStep); err != nil {
			return Whole, names, err
		}
	}
	if step < 1 || (id-least)%step != 0 || id < least || (id-least)/step >= count {
		return Whole, names, fmt.Errorf("task %d of a Slurm array of %d from %d in steps of %d: an array with gaps; give the number of shards", id, count, least, step)
	}
	s, err := Shard{(id - least) / step, count}.check()
	return s, names, fromEnv(names, err)
}

func number(getenv func(string) string, name string) (int, error) {
	n, err := strconv.Atoi(getenv(name))
	if err != nil {
		return 0, fmt.Errorf("%s=%q: want a whole number", name, getenv(name))
	}
	return n, nil
}

func fromEnv(names string, err error) error {
	if err != nil {
		return fmt.Errorf("from %s: %w", names, err)
	}
	return nil
}
