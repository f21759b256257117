package study

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memobench/benchmarks/record"
	_ "memobench/datasets/babi"
	_ "memobench/datasets/file"
	"memobench/datasets/must"
	_ "memobench/datasets/pai"
	_ "memobench/datasets/shortestpath"
	_ "memobench/models/control"
	_ "memobench/models/deltanet"
	_ "memobench/models/dnc"
	_ "memobench/models/emn"
	_ "memobench/models/external"
	_ "memobench/models/lstm"
	_ "memobench/models/memo"
	_ "memobench/models/transformer"
	_ "memobench/models/ut"
)

// recordsOf reads the records of a recorded study: of records.jsonl, and of directories of runs.
func recordsOf(t *testing.T, dir string) []*record.Record {
	t.Helper()
	var list []*record.Record
	if path := filepath.Join(dir, record.RecordsName); exists(path) {
		var err error
		if list, err = record.ReadRecords(path); err != nil {
			t.Fatal(err)
		}
	}
	files, _ := filepath.Glob(filepath.Join(dir, "*", record.FileName))
	for _, file := range files {
		r, err := record.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, r)
	}
	return list
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// The study.yaml of every recorded study gives the configurations of its trained records, and
// no others. What its searches choose follows from the records.
func TestRecordedStudiesGiveTheirRecords(t *testing.T) {
	dirs, _ := filepath.Glob("../recorded/*/" + record.StudyName)
	if len(dirs) < 20 {
		t.Fatalf("%d recorded studies", len(dirs))
	}
	for _, file := range dirs {
		dir := filepath.Dir(file)
		t.Run(filepath.Base(dir), func(t *testing.T) {
			s, err := Load(dir)
			if err != nil {
				t.Fatal(err)
			}
			var recorded []string
			records := map[string]*record.Record{}
			for _, r := range recordsOf(t, dir) {
				if r.Origin != record.Trained {
					continue
				}
				c, err := CellOf(r)
				if err != nil {
					t.Fatal(err)
				}
				if c.ProtocolHash() != r.Protocol.Hash {
					t.Errorf("%v: protocol %s, recorded %s", c, c.ProtocolHash(), r.Protocol.Hash)
				}
				recorded = append(recorded, key(c))
				records[key(c)] = r
			}
			cells := s.Cells()
			for _, search := range s.Searches() {
				chosen := must.Get(search.Choose(func(c *Cell) *record.Record { return records[key(c)] }))(t)
				if chosen.Unfinished > 0 {
					t.Errorf("%s %s: %d runs are not recorded", search.Task, search.Name, chosen.Unfinished)
				}
				cells = append(cells, chosen.Cells...)
			}
			var declared []string
			for i := range cells {
				declared = append(declared, key(&cells[i]))
			}
			slices.Sort(declared)
			slices.Sort(recorded)
			if d := cmp.Diff(recorded, declared); d != "" {
				t.Errorf("(-recorded +declared)\n%s", d)
			}
		})
	}
}

func key(c *Cell) string { return fmt.Sprintf("%v %s", c, c.Hash()) }
