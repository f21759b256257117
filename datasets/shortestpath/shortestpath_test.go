package shortestpath

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"memobench/datasets"
	"memobench/datasets/datasettest"
	"memobench/datasets/must"
)

// variants are all combinations of edges, labels and targets at some sizes, and
// the paper's largest.
func variants() map[string]Settings {
	large := *Defaults(20, 5, 3)
	large.Vocabulary = 30
	all := map[string]Settings{large.sizes(): large}
	for _, p := range [][3]int{{10, 2, 2}, {20, 3, 3}, {8, 2, 4}} {
		for _, edges := range []string{edgesFixed, edgesUniform} {
			for _, labels := range []string{labelsIDs, labelsRandom} {
				for _, targets := range []string{targetsUnique, targetsRandom} {
					s := Settings{Nodes: p[0], Degree: p[1], Length: p[2], Edges: edges, Labels: labels, Targets: targets, Vocabulary: 30}
					all[fmt.Sprintf("%s/edges=%s/labels=%s/targets=%s", s.sizes(), edges, labels, targets)] = s
				}
			}
		}
	}
	return all
}

// graphs returns a key for the graph of each example: its edges in order.
func graphs(b *datasets.Batch) []string {
	var keys []string
	for i := range b.Size() {
		var edges []uint64
		for r := b.Offsets[i]; r < b.Offsets[i+1]; r++ {
			edges = append(edges, uint64(b.Rows[2*r])<<32|uint64(b.Rows[2*r+1]))
		}
		slices.Sort(edges)
		var key []byte
		for _, e := range edges {
			key = binary.AppendUvarint(key, e)
		}
		keys = append(keys, hex.EncodeToString(key))
	}
	return keys
}

func TestContract(t *testing.T) {
	for name, s := range variants() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			datasettest.Run(t, datasettest.Suite{
				New:   func() (datasets.Source, error) { return New(s, datasets.Options{}) },
				Items: graphs, Size: 16,
			})
		})
	}
}

func TestRegisteredDefaultsAreThePapers(t *testing.T) {
	for name, want := range map[string]datasets.Shape{
		"sp10-2-2": {Vocabulary: 1000, MaxRows: 20, RowWidth: 2, QueryWidth: 2, Answers: 1},
		"sp20-3-3": {Vocabulary: 1000, MaxRows: 60, RowWidth: 2, QueryWidth: 2, Answers: 2},
		"sp20-5-3": {Vocabulary: 1000, MaxRows: 100, RowWidth: 2, QueryWidth: 2, Answers: 2},
	} {
		e, ok := datasets.Lookup(name)
		if !ok {
			t.Fatalf("%s is not registered", name)
		}
		src := must.Get(e.New(e.Defaults(), datasets.Options{}))(t)
		if src.Shape() != want {
			t.Errorf("%s: shape %+v, want %+v", name, src.Shape(), want)
		}
		spec := src.Spec()
		if spec.Task != name || len(spec.Caveats.Texts()) != 0 {
			t.Errorf("%s: spec %+v", name, spec)
		}
		for key, want := range map[string]string{"edges": "fixed", "labels": "ids", "targets": "unique", "vocabulary": "1000"} {
			if spec.Settings[key] != want {
				t.Errorf("%s: setting %s is %q, want %q", name, key, spec.Settings[key], want)
			}
		}
		if _, err := e.New(&struct{}{}, datasets.Options{}); err == nil {
			t.Errorf("%s takes settings of another type", name)
		}
	}
}

// The sizes of a task are fixed by its name; sp is for all sizes.
func TestTaskFixesItsSizes(t *testing.T) {
	for key, change := range map[string]func(s *Settings){
		"nodes":  func(s *Settings) { s.Nodes = 12 },
		"degree": func(s *Settings) { s.Degree = 3 },
		"length": func(s *Settings) { s.Length = 3 },
	} {
		fixed, _ := datasets.Lookup("sp10-2-2")
		s := fixed.Defaults().(*Settings)
		change(s)
		var bad *datasets.SettingError
		if _, err := fixed.New(s, datasets.Options{}); !errors.As(err, &bad) || bad.Key != key || !strings.Contains(err.Error(), "the task sp") {
			t.Errorf("sp10-2-2 with another %s gives %v", key, err)
		}
		if src, err := fixed.New(s, datasets.Options{Shifted: true}); err != nil || src.Spec().Task != "sp"+s.sizes() {
			t.Errorf("an evaluation of sp10-2-2 with another %s gives %v", key, err)
		}
		free, ok := datasets.Lookup("sp")
		if !ok {
			t.Fatal("sp is not registered")
		}
		src := must.Get(free.New(s, datasets.Options{}))(t)
		spec := src.Spec()
		if want := "sp" + s.sizes(); spec.Task != want || !slices.Contains(spec.Caveats.Texts(), "sizes "+s.sizes()+" are not in the paper") {
			t.Errorf("sp with another %s: spec %+v, want task %s with a label", key, spec, want)
		}
	}
	if e, _ := datasets.Lookup("sp10-2-2"); e.Defaults().(*Settings).Nodes != 10 {
		t.Error("defaults were changed through the settings of a run")
	}
}

func TestEverySettingChangesTheHash(t *testing.T) {
	seen := map[string]string{}
	for name, change := range map[string]func(s *Settings){
		"none":       func(s *Settings) {},
		"nodes":      func(s *Settings) { s.Nodes++ },
		"degree":     func(s *Settings) { s.Degree++ },
		"length":     func(s *Settings) { s.Length++ },
		"edges":      func(s *Settings) { s.Edges = edgesUniform },
		"labels":     func(s *Settings) { s.Labels = labelsRandom },
		"targets":    func(s *Settings) { s.Targets = targetsRandom },
		"vocabulary": func(s *Settings) { s.Vocabulary++ },
	} {
		s := *Defaults(10, 2, 2)
		change(&s)
		h := mustNew(t, s).Spec().Hash
		if other, dup := seen[h]; dup {
			t.Errorf("%s and %s have the same hash", name, other)
		}
		seen[h] = name
	}
}

func mustNew(t testing.TB, s Settings) *Source {
	t.Helper()
	return must.Get(New(s, datasets.Options{}))(t)
}

func TestAskTakesTypedEdges(t *testing.T) {
	src := must.Get(New(*Defaults(20, 3, 3), datasets.Options{}))(t)
	var b datasets.Batch
	must.Get(src.ParseQuestion(&b, []string{"0 1", "1 -> 2"}, "0 ? 2"))(t)
	must.Do(t, b.Validate(src.Shape()))
	if !slices.Equal(b.Rows, []int32{0, 1, 1, 2}) || !slices.Equal(b.Queries, []int32{0, 2}) {
		t.Errorf("rows %v, query %v", b.Rows, b.Queries)
	}
	for _, bad := range []struct {
		memory      []string
		query, want string
	}{
		{[]string{"0 1000"}, "0 2", `edge 1, "0 1000": node "1000", want a number from 0 to`},
		{[]string{"0 1"}, "0 a", `question "0 a": node "a"`},
		{[]string{"0"}, "0 1", "1 nodes, want 2"},
		{nil, "0 1", "0 edges, want 1 to"},
	} {
		if _, err := src.ParseQuestion(&b, bad.memory, bad.query); err == nil || !strings.Contains(err.Error(), bad.want) {
			t.Errorf("%v: error %v, want %q", bad, err, bad.want)
		}
		if _, err := src.ParseQuestion(&b, bad.memory, ""); (err != nil) == strings.HasPrefix(bad.want, "question") {
			t.Errorf("%v: of the memory alone: %v", bad, err)
		}
	}
}

// For a model of paths with two edges, the target is the first node of longer paths, which are the
// same paths as with all targets.
func TestLongerPathsThanTrainedAreAskedForTheirFirstNodes(t *testing.T) {
	trained := &datasets.Trained{Shape: mustNew(t, *Defaults(10, 2, 2)).Shape()}
	longer := *Defaults(10, 2, 4)
	if _, err := New(longer, datasets.Options{Trained: trained}); err == nil {
		t.Error("not refused where data must be those of training")
	}
	whole, first := mustNew(t, longer), must.Get(New(longer, datasets.Options{Trained: trained, Shifted: true}))(t)
	if whole.Spec().Hash == first.Spec().Hash || len(first.Spec().Caveats) <= len(whole.Spec().Caveats) {
		t.Errorf("the questions are not told apart: %+v", first.Spec())
	}
	var all, one datasets.Batch
	must.Do(t, whole.Batch(&all, datasets.Test, 1, 0, 20))
	must.Do(t, first.Batch(&one, datasets.Test, 1, 0, 20))
	must.Do(t, one.Validate(trained.Shape))
	for i := range all.Size() {
		if one.Targets[i] != all.Targets[3*i] || !slices.Equal(one.Queries, all.Queries) || !slices.Equal(one.Rows, all.Rows) {
			t.Fatalf("path %d: %v of %v", i, one.Targets[i], all.Targets[3*i:3*i+3])
		}
	}
}

// A curriculum may begin with shorter paths: their destination is the target of the nodes that
// they lack. Models are not evaluated on such paths.
func TestShorterPathsThanTrainedEndAtTheirDestination(t *testing.T) {
	shape := mustNew(t, *Defaults(10, 2, 4)).Shape()
	opts := datasets.Options{Trained: &datasets.Trained{Shape: shape}, Shifted: true}
	shorter := *Defaults(10, 2, 2)
	if _, err := New(shorter, opts); err == nil {
		t.Error("not refused for an evaluation")
	}
	opts.Splits = []datasets.Split{datasets.Train}
	whole, padded := mustNew(t, shorter), must.Get(New(shorter, opts))(t)
	if whole.Spec().Hash == padded.Spec().Hash {
		t.Error("the questions are not told apart")
	}
	var all, three datasets.Batch
	must.Do(t, whole.Batch(&all, datasets.Train, 1, 0, 20))
	must.Do(t, padded.Batch(&three, datasets.Train, 1, 0, 20))
	must.Do(t, three.Validate(shape))
	for i, node := range all.Targets {
		if want := []int32{node, all.Queries[2*i+1], all.Queries[2*i+1]}; !slices.Equal(three.Targets[3*i:3*i+3], want) {
			t.Fatalf("path %d: targets %v, want %v", i, three.Targets[3*i:3*i+3], want)
		}
	}
}
