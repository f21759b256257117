package pai

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"memobench/datasets"
	"memobench/datasets/datasettest"
	"memobench/datasets/must"
)

// smallEmbeddings are settings of small sizes, with so few items that they repeat.
func smallEmbeddings(length int, items, rows string) embeddingSettings {
	return embeddingSettings{Settings: Settings{Length: length, Sequences: 4, Classes: 30, Items: items, Rows: rows}, Features: 16, Noise: 1,
		TrainItems: 200, ValidationItems: 60, TestItems: 90}
}

func mustEmbed(t testing.TB, s embeddingSettings) *Source {
	t.Helper()
	return must.Get(newEmbeddings(s, datasets.Options{}))(t)
}

// itemKeys are the items of a batch by their features.
func itemKeys(b *datasets.Batch) []string {
	var keys []string
	for i := range b.Items.Len() {
		var bits []byte
		for _, x := range b.Items.Row(int32(i)) {
			bits = binary.LittleEndian.AppendUint32(bits, math.Float32bits(x))
		}
		keys = append(keys, string(bits))
	}
	return keys
}

// halves are the fractions of kinds: half of the examples are direct.
func halves(length int) []float64 {
	direct, all := length-1, len(kinds(length))
	shares := make([]float64, all)
	for k := range shares {
		if k < direct {
			shares[k] = .5 / float64(direct)
		} else {
			shares[k] = .5 / float64(all-direct)
		}
	}
	return shares
}

func TestEmbeddingsContract(t *testing.T) {
	for _, length := range []int{3, 5} {
		s := smallEmbeddings(length, itemsSequence, rowsShuffled)
		t.Run(fmt.Sprint("length ", length), func(t *testing.T) {
			datasettest.Run(t, datasettest.Suite{
				New:    func() (datasets.Source, error) { return newEmbeddings(s, datasets.Options{}) },
				Shares: halves(length),
				Items:  itemKeys,
			})
		})
	}
}

func TestEmbeddingQueriesAreAnsweredByTheChainAlone(t *testing.T) {
	for _, length := range []int{3, 4, 5} {
		for _, items := range []string{itemsSequence, itemsRandom} {
			src := mustEmbed(t, smallEmbeddings(length, items, rowsShuffled))
			checkSource(t, src, src.settings)
		}
	}
}

var splits = []datasets.Split{datasets.Train, datasets.Validation, datasets.Test}

// checkSource checks the examples of some batches of each split.
func checkSource(t *testing.T, src datasets.Source, l Settings) {
	t.Helper()
	var b datasets.Batch
	for _, split := range splits {
		for step := range 5 {
			must.Do(t, src.Batch(&b, split, 1, step, 32))
			for i := range b.Size() {
				checkExample(t, l, kinds(l.Length)[b.Kinds[i]], &b, i)
			}
		}
	}
}

func TestEmbeddingDefaultsAreThePapers(t *testing.T) {
	for name, rows := range map[string]int{"pai3-embeddings": 32, "pai4-embeddings": 48, "pai5-embeddings": 64} {
		e, ok := datasets.Lookup(name)
		if !ok {
			t.Fatalf("%s is not registered", name)
		}
		src := must.Get(e.New(e.Defaults(), datasets.Options{}))(t)
		want := datasets.Shape{Vocabulary: 1000, MaxRows: rows, RowWidth: 2, QueryWidth: 3, Answers: 1, ItemDim: 1000}
		if src.Shape() != want {
			t.Errorf("%s: shape %+v, want %+v", name, src.Shape(), want)
		}
		spec := src.Spec()
		for key, value := range map[string]string{"train_items": "1000000", "validation_items": "100000", "test_items": "200000", "noise": "1", "rows": "shuffled"} {
			if spec.Settings[key] != value {
				t.Errorf("%s: %s = %s, want %s", name, key, spec.Settings[key], value)
			}
		}
		if want := []string{"generated embeddings (noise 1) instead of image embeddings"}; spec.Task != name || e.ReadsData || !slices.Equal(spec.Caveats.Texts(), want) {
			t.Errorf("%s: spec %+v", name, spec)
		}
	}
}

// embeddingFaults change one setting each.
var embeddingFaults = []struct {
	key    string
	change func(s *embeddingSettings)
	want   string
}{
	{"length", func(s *embeddingSettings) { s.Length = 2 }, "= 2: want 3 to 26"},
	{"sequences", func(s *embeddingSettings) { s.Sequences = 1 }, "= 1: want 2 to 4096"},
	{"items", func(s *embeddingSettings) { s.Items = "stored" }, `= "stored": want sequence or random`},
	{"rows", func(s *embeddingSettings) { s.Rows = "" }, `= "": want shuffled or generation`},
	{"classes", func(s *embeddingSettings) { s.Classes = 11 }, "= 11: want 12 (sequences x length) to 1000000"},
	{"features", func(s *embeddingSettings) { s.Features = 15 }, "= 15: want 16 to 65536"},
	{"features", func(s *embeddingSettings) { s.Classes, s.Features = 1_000_000, 100 }, "= 100: want 16 to 65536, and classes x features to 67108864"},
	{"noise", func(s *embeddingSettings) { s.Noise = 0 }, "= 0: want 0.01 to 100"},
	{"noise", func(s *embeddingSettings) { s.Noise = math.NaN() }, "= NaN: want 0.01 to 100"},
	{"train_items", func(s *embeddingSettings) { s.TrainItems = 29 }, "= 29: want 30 (classes) to 1073741824"},
	{"validation_items", func(s *embeddingSettings) { s.ValidationItems = 0 }, "= 0: want 30"},
	{"test_items", func(s *embeddingSettings) { s.TestItems = -1 }, "= -1: want 30"},
	{"unseen", func(s *embeddingSettings) { s.Unseen = 101 }, "= 101: want 0 to 100 per cent"},
	{"unseen", func(s *embeddingSettings) { s.Unseen = 1 }, "= 1: want 0, so that the items stay unseen"},
}

func TestBadEmbeddingSettingsAreNamed(t *testing.T) {
	for _, c := range embeddingFaults {
		s := smallEmbeddings(3, itemsSequence, rowsShuffled)
		c.change(&s)
		_, err := newEmbeddings(s, datasets.Options{})
		var bad *datasets.SettingError
		if !errors.As(err, &bad) || bad.Key != c.key || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want setting %s %s", err, c.key, c.want)
		}
	}
}

// Items of classes that are never trained replace the given percentage of a memory's items. The
// two choices, the answer and the order do not change.
func TestUnseenItemsTakeThePlaceOfAllButTheChoices(t *testing.T) {
	s := smallEmbeddings(4, itemsSequence, rowsGeneration)
	trained := newPrototypes(s)
	seen := func(x []float32) (classes []int32) { // of which the item may be
		for c := range int32(trained.classes) {
			for i := range trained.count(datasets.Test, c) {
				item := make([]float32, len(x))
				trained.read(item, datasets.Test, trained.number(c, i))
				if slices.Equal(item, x) {
					classes = append(classes, c)
				}
			}
		}
		return classes
	}
	for _, perCent := range []int{50, 100} {
		s.Unseen = perCent
		opts := datasets.Options{Shifted: true, Trained: &datasets.Trained{Shape: mustEmbed(t, smallEmbeddings(3, itemsSequence, rowsShuffled)).Shape()}}
		src := must.Get(newEmbeddings(s, opts))(t)
		items, unseen := 0, 0
		for b, err := range src.Examine(datasets.Test, 1, 5, 7) {
			if err != nil {
				t.Fatal(err)
			}
			must.Do(t, b.Validate(src.Shape()))
			for i := range b.Size() {
				query := b.Queries[i*queryWidth : (i+1)*queryWidth]
				for n, w := range query[1:] {
					if classes := seen(b.Items.Row(w)); !slices.Contains(classes, b.Choices[i*choices+n]) {
						t.Errorf("choice %d is an item of the classes %v, want %d", n, classes, b.Choices[i*choices+n])
					}
				}
				for _, w := range b.Rows[b.Offsets[i]*rowWidth : b.Offsets[i+1]*rowWidth] {
					if w == query[1] || w == query[2] {
						continue
					}
					items++
					if seen(b.Items.Row(w)) == nil {
						unseen++
					}
				}
			}
		}
		if share := 100 * float64(unseen) / float64(items); math.Abs(share-float64(perCent)) > 5 {
			t.Errorf("%.0f per cent of %d items are unseen, want %d", share, items, perCent)
		}
		checkSource(t, src, src.settings)
	}
}
