package sweep

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"memobench/benchmarks/evaluate"
	"memobench/benchmarks/record"
	"memobench/benchmarks/study"
	"memobench/benchmarks/train"
	"memobench/datasets/must"
	_ "memobench/datasets/shortestpath"
	"memobench/models/checkpoint"
	_ "memobench/models/emn"
)

// small has a search among two rates.
const small = `
about: small
experiments:
  - task: sp10-2-2
    settings: {vocabulary: 20}
    protocol: {batch_size: 8, steps: 30, evaluate_every: 15, validation_per_kind: 10, test_per_kind: 10}
    seeds: [0, 1]
    runs:
      - {name: searched, model: emn, seeds: [0], config: {width: 8}, training: {optimizer: adam}, ranges: {learning_rate: [1e-5, 0.02]}, choose: {by: training-loss, seeds: [0, 1]}}
      - {name: wide, model: emn, config: {width: 12}, training: {optimizer: adam, learning_rate: 0.01}}
`

func smallStudy(t *testing.T) *study.Study {
	t.Helper()
	return must.Get(study.Parse("mine", []byte(small)))(t)
}

func train1(t *testing.T, dir string, cells ...study.Cell) {
	t.Helper()
	must.Get(train.RunAll(context.Background(), cells, train.Options{Dir: dir}))(t)
}

func TestShardsDivideTheCells(t *testing.T) {
	cells := smallStudy(t).Cells()
	var names []string
	for i := range 3 {
		for _, c := range (Shard{i, 3}).Pick(cells) {
			names = append(names, c.String())
		}
	}
	slices.Sort(names)
	if len(names) != len(cells) || len(slices.Compact(names)) != len(cells) || len((Shard{}).Pick(cells)) != len(cells) {
		t.Errorf("%q of %d cells", names, len(cells))
	}
	if s, err := ParseShard("1/4"); err != nil || s != (Shard{1, 4}) {
		t.Errorf("%v, %v", s, err)
	}
	for _, text := range []string{"", "1", "4/4", "-1/4", "0/0", "a/4"} {
		if _, err := ParseShard(text); err == nil {
			t.Errorf("%q is accepted", text)
		}
	}
}

func TestChoiceAndPlan(t *testing.T) {
	s, dir := smallStudy(t), t.TempDir()
	cells := s.Cells()
	if plan := Plan(cells, dir, nil); len(plan) != 2 || plan[0] != (Planned{Task: "sp10-2-2", Name: "searched", Runs: 2, Unknown: 2}) {
		t.Errorf("plan %+v", plan)
	}
	if c := must.Get(Choose(s, dir))(t); len(c) != 1 || c[0].Unfinished != 2 || c[0].Cells != nil {
		t.Errorf("choice before the runs: %+v", c)
	}
	train1(t, dir, cells[0], cells[1])
	c := must.Get(Choose(s, dir))(t)[0]
	if c.Unfinished != 0 || c.Name != "searched,learning_rate=0.02" || len(c.Cells) != 1 || c.Cells[0].Seed != 1 {
		t.Errorf("choice %+v", c)
	}
	if plan := Plan(cells, dir, nil); plan[0].Finished != 2 || plan[1].Finished != 0 || plan[1].Unknown != 2 {
		t.Errorf("plan %+v: wide has other costs", plan)
	}

	// Of an interrupted run only the steps after its checkpoint are left.
	train1(t, dir, cells[2])
	whole := Plan(cells, dir, nil)[1].Hours
	saved := &checkpoint.Checkpoint{Step: 20, CellHash: cells[3].Hash()}
	must.Do(t, os.Mkdir(filepath.Join(dir, cells[3].Dir()), 0o755))
	must.Do(t, checkpoint.Save(filepath.Join(dir, cells[3].Dir(), evaluate.CheckpointName), saved))
	if rest := Plan(cells, dir, nil)[1].Hours; whole <= 0 || math.Abs(rest-whole/3) > 1e-12 {
		t.Errorf("%g hours left after 20 of 30 steps, %g before", rest, whole)
	}
}

func TestRecord(t *testing.T) {
	s, runs := smallStudy(t), t.TempDir()
	cells := s.Cells()
	train1(t, runs, cells...)
	into := filepath.Join(t.TempDir(), "mine")
	if n, err := Record(into, runs); err != nil || n != len(cells) {
		t.Fatalf("%d added, error %v", n, err)
	}
	written := must.Get(os.ReadFile(filepath.Join(into, record.RecordsName)))(t)
	if n, err := Record(into, runs); err != nil || n != 0 || string(written) != string(must.Get(os.ReadFile(filepath.Join(into, record.RecordsName)))(t)) {
		t.Errorf("again: %d added, error %v", n, err)
	}
	var recorded, declared []string
	curves := must.Get(record.ReadCurves(filepath.Join(into, record.CurvesName)))(t)
	for _, r := range must.Get(record.ReadRecords(filepath.Join(into, record.RecordsName)))(t) {
		recorded = append(recorded, r.Identity.Cell)
		curve, ok := record.FindCurve(curves, r.Identity.Key())
		if !ok || string(curve.Bytes()) != string(must.Get(os.ReadFile(filepath.Join(runs, study.DirName(r.Identity.Task, r.Identity.Name, r.Identity.Seed, r.Identity.Cell), record.CurveName)))(t)) {
			t.Errorf("%v: another curve", r.Identity.Key())
		}
	}
	for _, c := range must.Get(study.Load(into))(t).Cells() {
		declared = append(declared, c.Hash())
	}
	slices.Sort(recorded)
	slices.Sort(declared)
	if !slices.Equal(recorded, declared) {
		t.Errorf("recorded %q, declared %q", recorded, declared)
	}
	must.Do(t, s.Set("vocabulary=24"))
	other := t.TempDir()
	train1(t, other, s.Cells()[0])
	if _, err := Record(into, other); err == nil || !strings.Contains(err.Error(), "has no run") {
		t.Errorf("a run that the study does not have: %v", err)
	}
	if _, err := Record(into, t.TempDir()); err == nil {
		t.Error("a directory without runs is accepted")
	}
}
