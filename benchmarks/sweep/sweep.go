// Package sweep divides the runs of a study among processes, chooses among settings and
// plans what is left to do.
//
// The cells of a shard depend only on the study and the shard, so that processes need no
// coordination. Package train runs the cells.
package sweep

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"memobench/benchmarks/record"
	"memobench/benchmarks/study"
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
func (s Shard) Pick(cells []study.Cell) []study.Cell {
	var list []study.Cell
	for i := s.Index; i < len(cells); i += max(1, s.Count) {
		list = append(list, cells[i])
	}
	return list
}

// finishedRecord returns the record of a cell's finished run below the directory of a study;
// nil if there is none.
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
