package sweep

import (
	"math"
	"path/filepath"
	"testing"

	"memobench/benchmarks/config"
	"memobench/benchmarks/record"
	"memobench/datasets/must"
)

func TestEstimatesOfTimedSteps(t *testing.T) {
	cells := cellsOf(t, tinyGrid, Change{Seeds: []uint64{0}})
	e := &Estimator{TimedSteps: 2}
	var sources []Source
	for i := range cells {
		est := must.Get(e.Estimate(t.Context(), &cells[i].Cell))(t)
		if !(est.Seconds > 0) {
			t.Errorf("%s: %v seconds", cells[i].Name(), est.Seconds)
		}
		sources = append(sources, est.Source)
	}
	// Learning rates cost nothing; hops do.
	want := []Source{timed, asTimed, timed, asTimed}
	for i := range want {
		if sources[i] != want[i] {
			t.Errorf("cell %d is %s, want %s", i, sources[i], want[i])
		}
	}
	bad := failing(t)[1]
	if _, err := e.Estimate(t.Context(), &bad.Cell); err == nil {
		t.Error("no error for a cell that cannot be built")
	}
	e = &Estimator{}
	if est, err := e.Estimate(t.Context(), &cells[0].Cell); err != nil || est.Source != Unknown {
		t.Errorf("%+v, %v, want an unknown time where nothing may be timed", est, err)
	}
}

func TestEstimatesFromRecords(t *testing.T) {
	dir, cells := ran(t, 1)
	c := &cells[0].Cell
	known := changed(t, dir, cells[0], func(r *record.Record) {
		// 20 steps and one evaluation of 4 questions a kind, then 8: of 5 s, 2 s
		// are 20 steps and 3 s are 12 questions of each kind.
		r.Times.CPUSeconds, r.Times.WallSeconds, r.Times.TrainSeconds, r.Times.ParallelRuns = 5, 10, 4, 1
	})
	parallel := changed(t, known, cells[0], func(r *record.Record) { r.Times.CPUSeconds, r.Times.ParallelRuns = 50, 4 })
	foreign := changed(t, known, cells[0], func(r *record.Record) { r.Environment.CPU = "abacus" })
	blas := ""
	if r, err := record.ReadFile(filepath.Join(dir, c.Dir(), record.FileName)); err != nil {
		t.Fatal(err)
	} else {
		blas = r.Environment.BLAS
	}
	more := cellsOf(t, tinyGrid,
		Change{Set: []string{"steps=200", "learning_rate=5", "evaluate_every=100", "validation_per_kind=40"}})[0]
	hops := cellsOf(t, tinyGrid, Change{Set: []string{"steps=20", "hops=2"}})[0]
	for name, test := range map[string]struct {
		dirs []string
		cell *config.Cell
		want Estimate
	}{
		"itself":               {[]string{known}, c, Estimate{5, Recorded, 1}},
		"more steps":           {[]string{known}, &more.Cell, Estimate{200*0.1 + (2*40+8)*0.25, Recorded, 1}},
		"beside others":        {[]string{parallel}, c, Estimate{10, Recorded, 1}},
		"the mean":             {[]string{known, parallel}, c, Estimate{7.5, Recorded, 2}},
		"another machine":      {[]string{foreign}, c, Estimate{Source: Unknown}},
		"another network":      {[]string{known}, &hops.Cell, Estimate{Source: Unknown}},
		"no record whatsoever": {nil, c, Estimate{Source: Unknown}},
	} {
		e := &Estimator{BLAS: blas}
		for _, dir := range test.dirs {
			used, other, err := e.ReadRecords(dir)
			if err != nil || used+other != 1 {
				t.Fatalf("%s: %d and %d records, %v", name, used, other, err)
			}
		}
		got, err := e.Estimate(t.Context(), test.cell)
		if err != nil || got.Source != test.want.Source || got.Runs != test.want.Runs ||
			math.Abs(got.Seconds-test.want.Seconds) > 1e-9 {
			t.Errorf("%s: %+v, %v, want %+v", name, got, err, test.want)
		}
	}
}

// Records of every task and model in the repository can be read as cells.
func TestRecordedRunsAreCells(t *testing.T) {
	e := &Estimator{}
	used, other, err := e.ReadRecords("../recorded/quick")
	if err != nil || used+other == 0 {
		t.Fatalf("%d and %d records, %v", used, other, err)
	}
	files, _ := filepath.Glob("../recorded/quick/*/" + record.FileName)
	for _, file := range files {
		r, err := record.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		c, err := config.CellOf(r)
		if err != nil || c.Hash() != r.Identity.Cell {
			t.Errorf("%s: %v, or another hash", file, err)
		}
	}
}

// A pool takes the cells in their order: of two workers one has 3 and then 4, as
// 1 and 2 are done when 3 is.
func TestPoolSeconds(t *testing.T) {
	for jobs, want := range map[int]float64{1: 10, 2: 7, 3: 5, 9: 4} {
		if got := PoolSeconds([]float64{3, 1, 2, 4}, jobs); got != want {
			t.Errorf("%d jobs: %v, want %v", jobs, got, want)
		}
	}
}
