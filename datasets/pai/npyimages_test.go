package pai

import (
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"memobench/datasets"
	"memobench/datasets/datasettest"
	"memobench/datasets/must"
	"memobench/datasets/npy/npytest"
)

const npyDim = 8

func smallNpy(length int) NpySettings {
	return NpySettings{Length: length, Sequences: 4, Items: itemsSequence, Rows: rowsShuffled, Scale: scaleUnit}
}

// writeItems writes the given number of items of each of 20 classes in random order, and returns
// their features and classes.
func writeItems(t testing.TB, items, classes string, each int, seed uint64) ([]float32, []int64) {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 0))
	ids := make([]int64, 20*each)
	for i := range ids {
		ids[i] = int64(i % 20)
	}
	rng.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
	data := make([]float32, len(ids)*npyDim)
	for i := range data {
		data[i] = float32(rng.NormFloat64())
	}
	npytest.Write(t, items, "<f4", data, len(ids), npyDim)
	npytest.Write(t, classes, "<i8", ids, len(ids))
	return data, ids
}

// writeSplits writes a pair of files for each split.
func writeSplits(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	for i, split := range []string{"train", "validation", "test"} {
		writeItems(t, filepath.Join(dir, split+".npy"), filepath.Join(dir, split+"_classes.npy"), []int{10, 2, 3}[i], uint64(i))
	}
	return dir
}

func mustOpenNpy(t testing.TB, s NpySettings, dir string) *Source {
	t.Helper()
	src := must.Get(OpenNpy(s, datasets.Options{DataPath: dir}))(t)
	t.Cleanup(src.images.(*npyImages).close)
	return src
}

func TestNpyContract(t *testing.T) {
	whole := t.TempDir()
	writeItems(t, filepath.Join(whole, "embeddings.npy"), filepath.Join(whole, "classes.npy"), 40, 7)
	for name, dir := range map[string]string{"files of each split": writeSplits(t), "one file": whole} {
		for _, length := range []int{3, 5} {
			t.Run(name, func(t *testing.T) {
				datasettest.Run(t, datasettest.Suite{
					New:    func() (datasets.Source, error) { return OpenNpy(smallNpy(length), datasets.Options{DataPath: dir}) },
					Shares: halves(length),
					Items:  itemKeys,
				})
				src := mustOpenNpy(t, smallNpy(length), dir)
				checkSource(t, src, src.layout)
			})
		}
	}
}

// Items and answers are those of the file, row by row.
func TestNpyItemsAreThoseOfTheFiles(t *testing.T) {
	dir := t.TempDir()
	var classOf [3]map[[npyDim]float32]int64
	for _, split := range splits {
		data, ids := writeItems(t, npyOf(dir, split), filepath.Join(dir, split.String()+"_classes.npy"), 3, uint64(split))
		classOf[split] = map[[npyDim]float32]int64{}
		for i, id := range ids {
			classOf[split][[npyDim]float32(data[i*npyDim:])] = id
		}
	}
	s := smallNpy(3)
	s.Scale = scaleRaw
	src := mustOpenNpy(t, s, dir)
	if want := (datasets.Shape{Vocabulary: 20, MaxRows: 8, RowWidth: 2, QueryWidth: 3, Answers: 1, ItemDim: npyDim}); src.Shape() != want {
		t.Errorf("shape %+v, want %+v", src.Shape(), want)
	}
	var b datasets.Batch
	for _, split := range splits {
		must.Do(t, src.Batch(&b, split, 1, 0, 200))
		if b.Items.Len() != len(classOf[split]) {
			t.Errorf("%v: %d of %d items are drawn", split, b.Items.Len(), len(classOf[split]))
		}
		for i := range b.Size() {
			for side := range 2 {
				class, ok := classOf[split][[npyDim]float32(b.Items.Row(b.Queries[3*i+1+side]))]
				if !ok || class != int64(b.Choices[2*i+side]) {
					t.Fatalf("%v: example %d shows an item of class %d (%v) and says %d", split, i, class, ok, b.Choices[2*i+side])
				}
			}
		}
	}
}

func TestNpyItemsAreScaled(t *testing.T) {
	src := mustOpenNpy(t, smallNpy(3), writeSplits(t))
	var b datasets.Batch
	must.Do(t, src.Batch(&b, datasets.Train, 1, 0, 8))
	for i := range b.Items.Len() {
		sum := 0.0
		for _, x := range b.Items.Row(int32(i)) {
			sum += float64(x) * float64(x)
		}
		if math.Abs(sum-1) > 1e-6 {
			t.Errorf("item %d has squared length %v", i, sum)
		}
	}
}

func TestNpyPathComesFromTheEnvironment(t *testing.T) {
	t.Setenv(envEmbeddings, "")
	if _, err := OpenNpy(smallNpy(3), datasets.Options{}); err == nil || !strings.Contains(err.Error(), "no data given: give with --data DIR or in $MEMOBENCH_EMBEDDINGS") {
		t.Errorf("got %v", err)
	}
	t.Setenv(envEmbeddings, writeSplits(t))
	if _, err := OpenNpy(smallNpy(3), datasets.Options{}); err != nil {
		t.Error(err)
	}
	t.Setenv(envEmbeddings, filepath.Join(t.TempDir(), "none"))
	if _, err := OpenNpy(smallNpy(3), datasets.Options{}); err == nil || !strings.Contains(err.Error(), "$MEMOBENCH_EMBEDDINGS: stat ") {
		t.Errorf("got %v", err)
	}
}

// A model can be evaluated on data with fewer classes than in training, but not with more.
func TestTrainedModelsKeepTheirClasses(t *testing.T) {
	dir := writeSplits(t)
	shape := mustOpenNpy(t, smallNpy(3), dir).Shape()
	shape.Vocabulary = 25
	src, err := OpenNpy(smallNpy(3), datasets.Options{DataPath: dir, Trained: &datasets.Trained{Shape: shape}})
	if err != nil || src.Shape() != shape {
		t.Errorf("a model of 25 classes: %v", err)
	}
	shape.Vocabulary = 19
	if _, err := OpenNpy(smallNpy(3), datasets.Options{DataPath: dir, Trained: &datasets.Trained{Shape: shape}}); err == nil {
		t.Error("a model of 19 classes is given 20")
	}
}
