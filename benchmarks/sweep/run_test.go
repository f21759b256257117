package sweep

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memobench/benchmarks/config"
	"memobench/benchmarks/record"
	"memobench/benchmarks/train"
	"memobench/datasets/must"
	"memobench/models/emn"
)

// records returns the records below dir by directory, without their times.
func records(t *testing.T, dir string) map[string]record.Record {
	t.Helper()
	files := must.Get(filepath.Glob(filepath.Join(dir, "*", record.FileName)))(t)
	out := map[string]record.Record{}
	for _, file := range files {
		r := must.Get(record.ReadFile(file))(t)
		out[filepath.Base(filepath.Dir(file))] = r.WithoutTimes()
	}
	return out
}

// watcher is a Progress that calls a function at every step.
type watcher struct {
	train.Progress
	stepped func(train.Update)
}

func (w watcher) Stepped(u train.Update) { w.stepped(u) }

func TestAnInterruptedSweepEndsAsAnUninterruptedOne(t *testing.T) {
	cells := cellsOf(t, tinyGrid, Change{Seeds: []uint64{3}})
	whole, parts := t.TempDir(), t.TempDir()
	must.Get(Run(t.Context(), cells, train.Options{Dir: whole, Jobs: 2}, false))(t)
	want := records(t, whole)
	if len(want) != len(cells) {
		t.Fatalf("%d records of %d cells", len(want), len(cells))
	}
	// Stopped within every cell, at different steps.
	for i, c := range cells {
		ctx, cancel := context.WithCancel(t.Context())
		o := train.Options{Dir: parts, Jobs: 1, Progress: func(now config.Cell) train.Progress {
			return watcher{train.Silent, func(u train.Update) {
				if now.Hash() == c.Hash() && u.Step == 7+9*i {
					cancel()
				}
			}}
		}}
		_, err := Run(ctx, cells, o, i%2 == 0)
		var stopped *train.Interrupted
		if !errors.As(err, &stopped) || stopped.Cell.Hash() != c.Hash() {
			t.Fatalf("error %v, want an interruption of cell %d", err, i)
		}
		cancel()
	}
	run := &begun{}
	must.Get(Run(t.Context(), cells, train.Options{Dir: parts, Jobs: 2, Progress: run.watch}, true))(t)
	for i, c := range cells {
		if run.has(c) != (i == len(cells)-1) {
			t.Errorf("cell %d: run is %v", i, run.has(c))
		}
	}
	if diff := cmp.Diff(want, records(t, parts)); diff != "" {
		t.Errorf("records differ (-uninterrupted +interrupted):\n%s", diff)
	}
}

// begun has the cells that were run, and not kept.
type begun struct{ cells sync.Map }

func (b *begun) watch(c config.Cell) train.Progress {
	return watcher{train.Silent, func(train.Update) { b.cells.Store(c.Hash(), true) }}
}

func (b *begun) has(c Cell) bool {
	_, ok := b.cells.Load(c.Hash())
	return ok
}

// Shards in separate directories, merged, equal the whole sweep.
func TestMergedShardsAreTheWholeSweep(t *testing.T) {
	cells := cellsOf(t, tinyGrid, Change{Set: []string{"steps=20"}})
	whole, base := t.TempDir(), t.TempDir()
	must.Get(Run(t.Context(), cells, train.Options{Dir: whole, Jobs: 2}, false))(t)
	var dirs []string
	for i := range 3 {
		dirs = append(dirs, filepath.Join(base, "shard", string(rune('0'+i))))
		must.Get(Run(t.Context(), Shard{i, 3}.Pick(cells), train.Options{Dir: dirs[i]}, false))(t)
	}
	out := filepath.Join(base, "all")
	m, err := Merge(out, dirs...)
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Added) != len(cells) || m.Kept != 0 || m.Duplicates != 0 {
		t.Errorf("merged %+v", m)
	}
	if diff := cmp.Diff(records(t, whole), records(t, out)); diff != "" {
		t.Errorf("records differ (-whole +merged):\n%s", diff)
	}
	// A merged sweep is finished.
	again := &begun{}
	must.Get(Run(t.Context(), cells, train.Options{Dir: out, Progress: again.watch}, false))(t)
	for _, c := range cells {
		if again.has(c) {
			t.Errorf("%s was run again", c.Dir())
		}
	}
	if m, err = Merge(out, dirs...); err != nil || m.Kept != len(cells) || m.Duplicates != len(cells) || len(m.Added) != 0 {
		t.Errorf("merged again: %+v, %v", m, err)
	}
}

// failing are three cells of which the second cannot be built.
func failing(t *testing.T) []Cell {
	cells := cellsOf(t, `
preset: tiny
parts:
  - {models: [emn], seeds: [0], ranges: {hops: [1, 3, 2]}}
`, Change{})
	cells[1].Config.(*emn.Config).Hops = 0
	return cells
}

func TestFailingCellsAreReportedAtTheEnd(t *testing.T) {
	cells := failing(t)
	dir := t.TempDir()
	outcomes, err := Run(t.Context(), cells, train.Options{Dir: dir}, false)
	var failed *failedError
	if !errors.As(err, &failed) || len(failed.Failed) != 1 || failed.Total != 3 || failed.Stopped != 0 {
		t.Fatalf("error %v, want one failure of three", err)
	}
	for _, want := range []string{"1 of 3 cells failed", "hops: 0", cells[1].Dir()} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("error lacks %q: %v", want, err)
		}
	}
	// The failure of a cell is no usage error, whatever its kind.
	var setting *config.SettingError
	if errors.As(err, &setting) {
		t.Error("the error is a *SettingError")
	}
	if outcomes[0].Err != nil || outcomes[1].Err == nil || outcomes[2].Err != nil {
		t.Errorf("outcomes %+v", outcomes)
	}
}

func TestFailFastStopsTheOthers(t *testing.T) {
	cells := failing(t)
	dir := t.TempDir()
	outcomes, err := Run(t.Context(), cells, train.Options{Dir: dir, Jobs: 1}, true)
	var failed *failedError
	if !errors.As(err, &failed) || len(failed.Failed) != 1 || failed.Stopped != 1 {
		t.Fatalf("error %v, want one failure and one cell not begun", err)
	}
	if !strings.Contains(err.Error(), "1 cells were stopped or not begun") {
		t.Error(err)
	}
	if outcomes[0].Record == nil || outcomes[2].Record != nil {
		t.Errorf("outcomes %+v", outcomes)
	}
	if _, err := os.Stat(filepath.Join(dir, cells[2].Dir())); err == nil {
		t.Error("the third cell was begun")
	}
	if outcomes, err = Run(t.Context(), cells[2:], train.Options{Dir: dir}, true); err != nil || outcomes[0].Record == nil {
		t.Errorf("going on: %+v, %v", outcomes, err)
	}
}

func TestAShardWithoutCells(t *testing.T) {
	outcomes, err := Run(t.Context(), nil, train.Options{Dir: t.TempDir()}, false)
	if err != nil || len(outcomes) != 0 {
		t.Errorf("%v, %v", outcomes, err)
	}
}

func TestErrorsOfManyCellsAreGrouped(t *testing.T) {
	var a ErrorGroups
	for i := range 5 {
		a.Add(errors.New("broken"), string(rune('a'+i)))
	}
	a.Add(errors.New("other"), "z")
	if got, want := strings.Join(a.Lines(), "|"), "  broken (a, b, c and 2 more)|  other (z)"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
