package benchmarks

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The preset standard trains shortest path at sizes of the user's own, and the
// record names them.
func TestShortestPathTrainsAtAnySizes(t *testing.T) {
	for _, model := range []string{"memo", "emn"} {
		t.Run(model, func(t *testing.T) {
			p, err := LoadPreset("standard")
			if err != nil {
				t.Fatal(err)
			}
			if err := p.Select("sp", model); err != nil {
				t.Fatal(err)
			}
			for _, set := range []string{"nodes=9", "degree=2", "length=4", "labels=random", "steps=6", "evaluate_every=3",
				"validation_per_kind=5", "test_per_kind=7", "batch_size=8", "model.width=16"} {
				if err := p.Set(set); err != nil {
					t.Fatal(err)
				}
			}
			cell := p.Cells()[0]
			rec := mustRun(t, cell, Options{Dir: t.TempDir()})
			if rec.Dataset.Task != "sp9-2-4" || rec.Identity.Task != "sp" || rec.Training.Steps != 6 || rec.Training.Examples != 48 {
				t.Errorf("%+v\n%+v\n%+v", rec.Identity, rec.Dataset, rec.Training)
			}
			if p := rec.Dataset.Presentation; p.Title != "Shortest paths of 4 edges, 9 nodes, out-degree 2 (sp9-2-4)" || p.Paper != "" {
				t.Errorf("presentation %+v", p)
			}
			if !slices.Contains(rec.Caveats.Texts(), "sizes 9-2-4 are not in the paper") {
				t.Errorf("labels %q", rec.Caveats.Texts())
			}
			kinds := rec.Evaluation.Kinds
			if len(kinds) != 1 || kinds[0].Total != 7 {
				t.Fatalf("kinds %+v", kinds)
			}
			var names []string
			for _, a := range kinds[0].Answers {
				names = append(names, a.Name)
			}
			if d := cmp.Diff([]string{"node 1", "node 2", "node 3"}, names); d != "" {
				t.Errorf("answers:\n%s", d)
			}
		})
	}
}
