package sweep

import (
	"fmt"
	"strconv"
	"strings"
)

// Shard is one of Count parts of a sweep: every Count-th cell, from cell Index on, which
// counts from 0.
type Shard struct{ Index, Count int }

// Whole is the shard that has all cells.
var Whole = Shard{0, 1}

func (s Shard) String() string { return fmt.Sprintf("%d/%d", s.Index, s.Count) }

// Pick returns the cells of the shard. Adjacent cells, which often take equally long, are
// in different shards.
func (s Shard) Pick(cells []Cell) []Cell {
	var list []Cell
	for i := s.Index; i < len(cells); i += s.Count {
		list = append(list, cells[i])
	}
	return list
}

// check returns an error unless 0 <= s.Index < s.Count.
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
	slurmID  = "SLURM_ARRAY_TASK_ID"
	jobIndex = "JOB_COMPLETION_INDEX"
)

// EnvShard returns the shard of this process among count, from the number of its task in a
// Slurm array or its pod in a Kubernetes Indexed Job, which counts from 0. It also returns
// the name of the variable. Without a variable, count must be 0: then it returns Whole and
// "".
func EnvShard(getenv func(string) string, count int) (Shard, string, error) {
	for _, name := range []string{slurmID, jobIndex} {
		text := getenv(name)
		if text == "" {
			continue
		}
		if count == 0 {
			return Whole, name, fmt.Errorf("%s is set, which does not say how many shards there are: give their number",
				name)
		}
		i, err := strconv.Atoi(text)
		if err != nil {
			return Whole, name, fmt.Errorf("%s=%q: want a whole number", name, text)
		}
		s, err := Shard{i, count}.check()
		if err != nil {
			return s, name, fmt.Errorf("from %s: %w", name, err)
		}
		return s, name, nil
	}
	if count > 0 {
		return Whole, "", fmt.Errorf("%d shards, but neither %s nor %s says which one this is", count, slurmID,
			jobIndex)
	}
	return Whole, "", nil
}
