package pai

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"memobench/datasets"
	"memobench/datasets/datasettest"
	"memobench/datasets/must"
)

func small(length int, items, rows string) Settings {
	return Settings{Length: length, Sequences: 4, Classes: 60, Items: items, Rows: rows}
}

func mustNew(t testing.TB, s Settings) *Source {
	t.Helper()
	return must.Get(New(s, datasets.Options{}))(t)
}

// variants are all combinations of length and orders.
func variants() map[string]Settings {
	all := map[string]Settings{}
	for _, length := range []int{3, 4, 5, 6} {
		for _, items := range []string{itemsSequence, itemsRandom} {
			for _, rows := range []string{rowsShuffled, rowsGeneration} {
				all[fmt.Sprintf("length=%d/items=%s/rows=%s", length, items, rows)] = small(length, items, rows)
			}
		}
	}
	return all
}

func TestContract(t *testing.T) {
	for name, s := range variants() {
		t.Run(name, func(t *testing.T) {
			datasettest.Run(t, datasettest.Suite{
				New:    func() (datasets.Source, error) { return New(s, datasets.Options{}) },
				Shares: halves(s.Length),
				Items: func(b *datasets.Batch) []string {
					var keys []string
					for i := range b.Size() {
						for _, c := range chainsOf(t, b, i) {
							keys = append(keys, fmt.Sprint(c))
						}
					}
					return keys
				},
			})
		})
	}
}

func TestKindsFollowThePapersTables(t *testing.T) {
	for length, want := range map[int]string{
		3: "A-B B-C A-C",
		4: "A-B B-C C-D A-C B-D A-D",
		5: "A-B B-C C-D D-E A-C B-D C-E A-D B-E A-E",
		6: "A-B B-C C-D D-E E-F A-C B-D C-E D-F A-D B-E C-F A-E B-F A-F",
	} {
		s := *Defaults(length)
		if got := strings.Join(mustNew(t, s).Kinds(), " "); got != want {
			t.Errorf("length %d: %s, want %s", length, got, want)
		}
	}
}

func TestRegisteredDefaultsAreThePapers(t *testing.T) {
	for name, rows := range map[string]int{"pai3": 32, "pai4": 48, "pai5": 64} {
		e, ok := datasets.Lookup(name)
		if !ok {
			t.Fatalf("%s is not registered", name)
		}
		src := must.Get(e.New(e.Defaults(), datasets.Options{}))(t)
		want := datasets.Shape{Vocabulary: 1000, MaxRows: rows, RowWidth: 2, QueryWidth: 3, Answers: 1}
		if src.Shape() != want {
			t.Errorf("%s: shape %+v, want %+v", name, src.Shape(), want)
		}
		spec := src.Spec()
		if spec.Task != name || spec.Settings["items"] != "sequence" || spec.Settings["rows"] != "shuffled" {
			t.Errorf("%s: spec %+v", name, spec)
		}
		if want := []string{"class symbols instead of image embeddings"}; !slices.Equal(spec.Caveats.Texts(), want) {
			t.Errorf("%s: labels %q, want %q", name, spec.Caveats.Texts(), want)
		}
	}
	e, _ := datasets.Lookup("pai3")
	if _, err := e.New(&struct{}{}, datasets.Options{}); err == nil {
		t.Error("settings of another type are accepted")
	}
}

func TestEverySettingChangesTheHash(t *testing.T) {
	seen := map[string]string{}
	for name, s := range map[string]Settings{
		"paper":     *Defaults(3),
		"length":    *Defaults(4),
		"sequences": {3, 8, 1000, itemsSequence, rowsShuffled},
		"classes":   {3, 16, 500, itemsSequence, rowsShuffled},
		"items":     {3, 16, 1000, itemsRandom, rowsShuffled},
		"rows":      {3, 16, 1000, itemsSequence, rowsGeneration},
	} {
		h := mustNew(t, s).Spec().Hash
		if other, dup := seen[h]; dup {
			t.Errorf("%s and %s have the same hash", name, other)
		}
		seen[h] = name
	}
}

func TestBadSettingsAreNamed(t *testing.T) {
	for _, c := range []struct {
		key  string
		s    Settings
		want string
	}{
		{"length", Settings{2, 16, 1000, itemsSequence, rowsShuffled}, "= 2: want 3 to 26"},
		{"length", Settings{27, 16, 1000, itemsSequence, rowsShuffled}, "= 27: want 3 to 26"},
		{"sequences", Settings{3, 1, 1000, itemsSequence, rowsShuffled}, "= 1: want 2 to 4096"},
		{"classes", Settings{3, 16, 57, itemsSequence, rowsShuffled}, "= 57: want 58 (sequences x length + 10) to 1000000"},
		{"items", Settings{3, 16, 1000, "sorted", rowsShuffled}, `= "sorted": want sequence or random`},
		{"rows", Settings{3, 16, 1000, itemsSequence, ""}, `= "": want shuffled or generation`},
	} {
		_, err := New(c.s, datasets.Options{})
		var bad *datasets.SettingError
		if !errors.As(err, &bad) || bad.Key != c.key || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: got %v, want setting %s %s", c.s, err, c.key, c.want)
		}
	}
}

// TestTaskFixesLength checks that a task cannot run under another's name.
func TestTaskFixesLength(t *testing.T) {
	entry, ok := datasets.Lookup("pai3")
	if !ok {
		t.Fatal("pai3 is not registered")
	}
	s := entry.Defaults().(*Settings)
	s.Length = 4
	var setting *datasets.SettingError
	if _, err := entry.New(s, datasets.Options{}); !errors.As(err, &setting) || setting.Key != "length" {
		t.Errorf("pai3 with length 4 gives %v, want an error about the length", err)
	}
	trained := &datasets.Trained{Shape: mustNew(t, *Defaults(3)).Shape()}
	s.Length = 8
	src := must.Get(entry.New(s, datasets.Options{Shifted: true, Trained: trained}))(t)
	spec := src.Spec()
	p := entry.Present(spec.Task, spec.Settings)
	if spec.Task != "pai8" || src.Shape().MaxRows != 16*7 || len(p.Groups[0].Kinds) != 7 || p.Groups[1].Kinds[20] != "A-H" || p.Paper != "" {
		t.Errorf("an evaluation on chains of 8: %s, shape %+v, shown as %+v", spec.Task, src.Shape(), p)
	}
	s.Classes = 999
	if _, err := entry.New(s, datasets.Options{Shifted: true, Trained: trained}); err == nil || !strings.Contains(err.Error(), "classes or words 999, and it was trained on classes or words 1000") {
		t.Errorf("a model of 1000 classes is given 999: %v", err)
	}
}
