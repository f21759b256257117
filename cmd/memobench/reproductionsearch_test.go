package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"memobench/benchmarks"
	"memobench/benchmarks/record"
)

// searchTable is the small part of the paper's grid (Table 12) that was searched, by
// the loss on the validation split; the same seeds for every setting.
func searchTable(t *testing.T, runs []recordedRun) string {
	var b strings.Builder
	b.WriteString("| Learning rate | Hops | Lowest validation loss, nats, of seeds 0, 1, 2 | A-C on validation, at the end | on test |\n|---|---|---|---|---|\n")
	for _, s := range []struct {
		rate, hops string
		overrides  []string
	}{
		{"7e-4", "3", []string{"training.learning_rate=7e-4"}},
		{"5e-4 (`standard`)", "3", nil},
		{"1e-4", "3", []string{"training.learning_rate=1e-4"}},
		{"7e-4", "5", []string{"model.hops=5", "training.learning_rate=7e-4"}},
		{"5e-4", "5", []string{"model.hops=5", "training.learning_rate=5e-4"}},
		{"1e-4", "5", []string{"model.hops=5", "training.learning_rate=1e-4"}},
	} {
		list := pick(runs, "pai3", "memo", s.overrides...)
		slices.SortFunc(list, func(a, b recordedRun) int { return int(a.Identity.Seed) - int(b.Identity.Seed) })
		if len(list) < 3 {
			t.Errorf("%v: %d runs", s.overrides, len(list))
			continue
		}
		list = list[:3]
		var losses []string
		var validation []float64
		for i, r := range list {
			if int(r.Identity.Seed) != i {
				t.Errorf("%s: seed %d instead of %d", r.dir, r.Identity.Seed, i)
			}
			curve, err := record.ReadCurve(filepath.Join(r.dir, benchmarks.CurveName))
			if err != nil {
				t.Fatal(err)
			}
			last := curve[len(curve)-1].Kinds
			hardest := last[len(last)-1]
			validation = append(validation, 100*float64(hardest.Correct)/float64(hardest.Total))
			losses = append(losses, fmt.Sprintf("%.5f", r.Curve.BestLoss))
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", s.rate, s.hops, strings.Join(losses, ", "), spread(validation), on(t, list, "A-C"))
	}
	return b.String()
}
