package shortestpath

import (
	"errors"
	"strings"
	"testing"

	"memobench/datasets"
	"memobench/datasets/must"
)

func TestBadSettingsAreNamed(t *testing.T) {
	for _, c := range []struct {
		key    string
		change func(s *Settings)
		want   string
	}{
		{"nodes", func(s *Settings) { s.Nodes = 5 }, "= 5: want 6 to 1000"},
		{"nodes", func(s *Settings) { s.Nodes = 1001 }, "= 1001: want 6 to 1000"},
		{"degree", func(s *Settings) { s.Degree = 0 }, "= 0: want 1 to 18"},
		{"degree", func(s *Settings) { s.Degree = 19 }, "= 19: want 1 to 18"},
		{"degree", func(s *Settings) { s.Nodes, s.Degree = 1000, 11 }, "= 11: want 1 to 10"},
		{"length", func(s *Settings) { s.Length = 1 }, "= 1: want 2 to 19"},
		{"length", func(s *Settings) { s.Length = 20 }, "= 20: want 2 to 19"},
		{"edges", func(s *Settings) { s.Edges = "both" }, `= "both": want fixed or uniform`},
		{"labels", func(s *Settings) { s.Labels = "" }, `= "": want ids or random`},
		{"targets", func(s *Settings) { s.Targets = "all" }, `= "all": want unique or random`},
		{"vocabulary", func(s *Settings) { s.Vocabulary = 19 }, "= 19: want 20 (nodes) to 1000000"},

		// In range but infeasible.
		{"degree", func(s *Settings) { s.Degree = 18 }, "= 18: want less: fewer than 1 in 20 graphs have a path (targets unique) of 2 edges"},
		{"length", func(s *Settings) { s.Length = 19 }, "= 19: want 2 to 6: fewer than 1 in 20 graphs have a longer path (targets unique)"},
		{"length", func(s *Settings) { s.Nodes, s.Degree, s.Length = 60, 10, 59 }, "= 59: want 2 to "},
	} {
		s := *Defaults(20, 5, 3)
		c.change(&s)
		_, err := New(s, datasets.Options{})
		var bad *datasets.SettingError
		if !errors.As(err, &bad) || bad.Key != c.key || !strings.HasPrefix(err.Error(), "shortestpath: setting "+c.key) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: got %v, want setting %s %s", s, err, c.key, c.want)
		}
	}
}

// FuzzSettings: all settings give an error that names a setting or valid examples of every split.
func FuzzSettings(f *testing.F) {
	f.Add(10, 2, 2, edgesFixed, labelsIDs, targetsUnique, 1000)
	f.Add(20, 5, 3, edgesUniform, labelsRandom, targetsRandom, 20)
	f.Add(6, 3, 4, edgesFixed, labelsRandom, targetsUnique, 6)
	f.Add(59, 5, 20, edgesUniform, labelsRandom, targetsRandom, 124)
	f.Add(-1, 1<<40, 0, "", "x", "", -5)
	f.Fuzz(func(t *testing.T, nodes, degree, length int, edges, labels, targets string, vocabulary int) {
		if nodes > 60 && nodes <= 1000 || vocabulary > 100_000 && vocabulary <= maxVocabulary {
			t.Skip("allowed, but slow to draw")
		}
		src, err := New(Settings{nodes, degree, length, edges, labels, targets, vocabulary, 0}, datasets.Options{})
		if err != nil {
			var bad *datasets.SettingError
			if !errors.As(err, &bad) {
				t.Fatalf("got %v, want a setting error", err)
			}
			return
		}
		for split := range datasets.Test + 1 {
			var b datasets.Batch
			must.Do(t, src.Batch(&b, split, 1, 2, 3))
			for i := range b.Size() {
				checkExample(t, src, &b, i)
			}
		}
	})
}
