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

// FinishedRecord returns the record of a cell's finished run below the directory of a study;
// nil if there is none.
func FinishedRecord(dir string, c *study.Cell) *record.Record {
	r, err := record.ReadFile(filepath.Join(dir, c.Dir(), record.FileName))
	if err != nil || !r.Status.Finished() || r.Identity.Cell != c.Hash() {
		return nil
	}
	return r
}

// Choice is the result of a search of a study.
type Choice struct {
	Search     study.Search
	Unfinished int          // runs that are missing; the fields below are set when there are none
	Name       string       // of the chosen run, with its settings
	Loss       float64      // its mean over the seeds of the search
	Cells      []study.Cell // of the chosen run, with the seeds that the search has not had
}

// Choose evaluates the searches of a study whose runs are below a directory.
func Choose(s *study.Study, dir string) ([]Choice, error) {
	var list []Choice
	for _, search := range s.Searches() {
		c := Choice{Search: search}
		records := map[string]*record.Record{}
		for i := range search.Cells {
			if r := FinishedRecord(dir, &search.Cells[i]); r != nil {
				records[search.Cells[i].Hash()] = r
			} else {
				c.Unfinished++
			}
		}
		if c.Unfinished == 0 {
			var err error
			recordOf := func(c *study.Cell) (*record.Record, error) { return records[c.Hash()], nil }
			if c.Name, c.Cells, c.Loss, err = search.Chosen(recordOf); err != nil {
				return nil, err
			}
		}
		list = append(list, c)
	}
	return list, nil
}
