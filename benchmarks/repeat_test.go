package benchmarks

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memobench/benchmarks/record"
	"memobench/benchmarks/study"
	"memobench/benchmarks/train"
	"memobench/datasets/must"
	"memobench/models/engine"
)

// A recorded study repeats its records: to the last bit with the same kernels, which depend on
// the processor, and nearly so with others.
func TestARecordedRunIsRepeated(t *testing.T) {
	s := must.Get(study.Load("recorded/quick"))(t)
	must.Do(t, s.Select([]string{"babi"}, []string{"emn4"}))
	must.Do(t, s.SetSeeds(0))
	cell := s.Cells()[0]
	var recorded *record.Record
	for _, r := range must.Get(record.ReadRecords("recorded/quick/" + record.RecordsName))(t) {
		if r.Identity.Key() == (record.RunKey{Task: cell.Task, Name: cell.Name, Seed: cell.Seed}) {
			recorded = r
		}
	}
	if recorded == nil {
		t.Fatalf("%v is not recorded", &cell)
	}
	again := must.Get(train.Run(t.Context(), cell, train.Options{Dir: t.TempDir()}))(t)
	result := func(r *record.Record) []any { return []any{r.Identity, r.Status, r.Training, r.Curve, r.Evaluation} }
	if strings.HasPrefix(recorded.Environment.BLAS, engine.BLAS().Name) {
		if d := cmp.Diff(result(recorded), result(again)); d != "" {
			t.Errorf("(-recorded +again)\n%s", d)
		}
	}
	a, _ := record.Accuracy.Overall(recorded)
	if b, _ := record.Accuracy.Overall(again); math.Abs(a-b) > 5 {
		t.Errorf("accuracy %.1f %%, recorded %.1f %%", b, a)
	}
}
