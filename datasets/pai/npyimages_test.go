package pai

import (
	"encoding/binary"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"memobench/datasets"
	"memobench/datasets/datasettest"
	"memobench/datasets/npy"
	"memobench/datasets/npy/npytest"
)

const npyDim = 8

func smallNpy(length int) NpySettings {
	return NpySettings{Length: length, Sequences: 4, Items: ItemsSequence, Rows: RowsShuffled, Scale: ScaleUnit}
}

// writeItems writes so many items of each of 20 classes, in random order, and
// returns their features and classes.
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
	src, err := OpenNpy(s, datasets.Options{DataPath: dir})
	if err != nil {
		t.Fatal(err)
	}
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
	s.Scale = ScaleRaw
	src := mustOpenNpy(t, s, dir)
	if want := (datasets.Shape{Vocabulary: 20, MaxRows: 8, RowWidth: 2, QueryWidth: 3, Answers: 1, ItemDim: npyDim}); src.Shape() != want {
		t.Errorf("shape %+v, want %+v", src.Shape(), want)
	}
	var b datasets.Batch
	for _, split := range splits {
		if err := src.Batch(&b, split, 1, 0, 200); err != nil {
			t.Fatal(err)
		}
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
	if err := src.Batch(&b, datasets.Train, 1, 0, 8); err != nil {
		t.Fatal(err)
	}
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

// Other types of numbers mean the same data.
func TestNpyOfOtherTypes(t *testing.T) {
	dir := t.TempDir()
	data := make([]float64, 40*npyDim)
	ids := make([]uint8, 40)
	for i := range data {
		data[i] = float64(i%97) - 40
	}
	for i := range ids {
		ids[i] = uint8(i % 20)
	}
	npytest.Write(t, filepath.Join(dir, "test.npy"), "<f8", data, 40, npyDim)
	npytest.Write(t, filepath.Join(dir, "test_classes.npy"), "|u1", ids, 40)
	opts := datasets.Options{DataPath: dir, Splits: []datasets.Split{datasets.Test}}
	src, err := OpenNpy(smallNpy(3), opts)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"own embeddings (test: 40 items of 20 classes)", "reduced: 4 sequences"}
	if got := src.Spec(); got.Task != "pai3-npy" || !slices.Equal(got.Labels, want) || got.Settings["features"] != "8" || got.Settings["classes"] != "20" {
		t.Errorf("spec %+v", got)
	}
	var b datasets.Batch
	if err := src.Batch(&b, datasets.Train, 0, 0, 1); err == nil || !strings.Contains(err.Error(), "no train items: open ") {
		t.Errorf("the missing split: %v", err)
	}
	for _, err := range src.Examine(datasets.Validation, 0, 1, 1) {
		if err == nil || !strings.Contains(err.Error(), "no validation items: open ") {
			t.Errorf("the missing split: %v", err)
		}
	}
}

// Copies within and between splits are left out, and the test split keeps its
// own.
func TestCopiesAreLeftOut(t *testing.T) {
	dir := writeSplits(t)
	base := mustOpenNpy(t, smallNpy(3), dir).Spec()
	a, err := npy.Open(filepath.Join(dir, "test.npy"))
	if err != nil {
		t.Fatal(err)
	}
	copied := make([]float32, 10*npyDim)
	if err := a.Float32(copied, 0); err != nil {
		t.Fatal(err)
	}
	a.Close()
	data, ids := writeItems(t, filepath.Join(dir, "train.npy"), filepath.Join(dir, "train_classes.npy"), 10, 0)
	copy(data, copied)                                // 10 are in test
	copy(data[20*npyDim:], data[19*npyDim:][:npyDim]) // 1 is there twice
	npytest.Write(t, filepath.Join(dir, "train.npy"), "<f4", data, len(ids), npyDim)
	src := mustOpenNpy(t, smallNpy(3), dir)
	spec := src.Spec()
	if want := []string{"own embeddings (train: 189 items of 20 classes; validation: 40 items of 20 classes; test: 60 items of 20 classes)",
		"own embeddings: 11 copies of other items left out", "reduced: 4 sequences"}; !slices.Equal(spec.Labels, want) {
		t.Errorf("labels %q, want %q", spec.Labels, want)
	}
	if spec.Hash == base.Hash {
		t.Error("other files have the same hash")
	}
	owner := map[string]datasets.Split{}
	var b datasets.Batch
	for _, split := range splits {
		if err := src.Batch(&b, split, 0, 0, 300); err != nil {
			t.Fatal(err)
		}
		for _, k := range itemKeys(&b) {
			if o, seen := owner[k]; seen && o != split {
				t.Fatalf("an item is in %v and %v", o, split)
			}
			owner[k] = split
		}
	}
}

func TestOneFileIsDividedByItems(t *testing.T) {
	dir := t.TempDir()
	data, ids := writeItems(t, filepath.Join(dir, "embeddings.npy"), filepath.Join(dir, "classes.npy"), 100, 3)
	im := mustOpenNpy(t, smallNpy(3), dir).images.(*npyImages)
	for split, share := range map[datasets.Split]float64{datasets.Train: .8, datasets.Validation: .1, datasets.Test: .1} {
		// 2,000 items: five standard deviations of a share are below 0.045.
		if got := float64(len(im.parts[split].rows)) / 2000; math.Abs(got-share) > .045 {
			t.Errorf("%v has %.3f of the items, want %.1f", split, got, share)
		}
	}
	// In another order, the same items belong to the same splits.
	first := map[datasets.Split]int{}
	for _, split := range splits {
		first[split] = len(im.parts[split].rows)
	}
	for i, j := 0, len(ids)-1; i < j; i, j = i+1, j-1 {
		ids[i], ids[j] = ids[j], ids[i]
		for k := range npyDim {
			data[i*npyDim+k], data[j*npyDim+k] = data[j*npyDim+k], data[i*npyDim+k]
		}
	}
	npytest.Write(t, filepath.Join(dir, "embeddings.npy"), "<f4", data, len(ids), npyDim)
	npytest.Write(t, filepath.Join(dir, "classes.npy"), "<i8", ids, len(ids))
	im = mustOpenNpy(t, smallNpy(3), dir).images.(*npyImages)
	for _, split := range splits {
		if got := len(im.parts[split].rows); got != first[split] {
			t.Errorf("%v has %d items, in another order %d", split, first[split], got)
		}
	}
}

func TestFaultyNpyFilesAreNamed(t *testing.T) {
	write := func(t *testing.T, dir, name, descr string, data any, shape ...int) {
		npytest.Write(t, filepath.Join(dir, name), descr, data, shape...)
	}
	for name, c := range map[string]struct {
		fault func(t *testing.T, dir string)
		want  string
	}{
		"no files":        {func(t *testing.T, dir string) { os.RemoveAll(dir); os.Mkdir(dir, 0o777) }, "no embeddings there: give with --data DIR"},
		"no directory":    {func(t *testing.T, dir string) { os.RemoveAll(dir) }, "the data path given: stat "},
		"a missing split": {func(t *testing.T, dir string) { os.Remove(filepath.Join(dir, "validation.npy")) }, "no validation items: open "},
		"missing classes": {func(t *testing.T, dir string) { os.Remove(filepath.Join(dir, "train_classes.npy")) }, "train.npy: open "},
		"both forms": {func(t *testing.T, dir string) {
			writeItems(t, filepath.Join(dir, "embeddings.npy"), filepath.Join(dir, "classes.npy"), 1, 1)
		}, "are both there: keep one file for all splits, or one for each"},
		"no array":          {func(t *testing.T, dir string) { os.WriteFile(filepath.Join(dir, "train.npy"), nil, 0o666) }, "train.npy: offset 0: not an .npy file"},
		"a vector":          {func(t *testing.T, dir string) { write(t, dir, "train.npy", "<f4", []float32{1, 2}, 2) }, "train.npy: shape [2], want [items x features]"},
		"no items":          {func(t *testing.T, dir string) { write(t, dir, "train.npy", "<f4", []float32{}, 0, 8) }, "train.npy: shape [0 8], want [items x features]"},
		"another width":     {func(t *testing.T, dir string) { write(t, dir, "train.npy", "<f4", []float32{1, 2}, 1, 2) }, "train.npy: 2 features, "},
		"too few classes":   {func(t *testing.T, dir string) { write(t, dir, "test_classes.npy", "<i8", []int64{1}, 1) }, "shape [1], want one class for each of the 60 items"},
		"classes as floats": {func(t *testing.T, dir string) { write(t, dir, "test_classes.npy", "<f4", make([]float32, 60), 60) }, "test_classes.npy: offset 20: elements of type float32, want integers"},
		"a negative class": {func(t *testing.T, dir string) {
			write(t, dir, "test_classes.npy", "<i8", append(make([]int64, 59), -1), 60)
		}, "test_classes.npy: offset 600: class -1, want 0 to 999999"},
		"one class": {func(t *testing.T, dir string) { write(t, dir, "test_classes.npy", "<i8", make([]int64, 60), 60) }, "test items of 1 classes: too few for a memory, which takes 4 sequences x 3"},
		"few classes": {func(t *testing.T, dir string) {
			write(t, dir, "test_classes.npy", "<i8", append(make([]int64, 53), 1, 2, 3, 4, 5, 6, 7), 60)
		}, "test items of 8 classes: too few for a memory, which takes 4 sequences x 3; --set sequences=2"},
		"a value not finite": {func(t *testing.T, dir string) {
			write(t, dir, "train.npy", "<f4", badAt(200*npyDim, 9, float32(math.NaN())), 200, npyDim)
		}, "train.npy: offset 164: feature 1 of item 1 is NaN"},
		"too large a float": {func(t *testing.T, dir string) {
			write(t, dir, "train.npy", "<f8", append(make([]float64, 200*npyDim-1), 1e300), 200, npyDim)
		}, "item 0 is zero and has no direction; --set scale=raw"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := writeSplits(t)
			c.fault(t, dir)
			_, err := OpenNpy(smallNpy(3), datasets.Options{DataPath: dir})
			if err == nil || !strings.HasPrefix(err.Error(), "pai: ") || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want ...%s...", err, c.want)
			}
		})
	}
}

// badAt returns n ones with another value at i.
func badAt(n, i int, x float32) []float32 {
	data := make([]float32, n)
	for j := range data {
		data[j] = 1
	}
	data[i] = x
	return data
}

func TestNpyPathComesFromTheEnvironment(t *testing.T) {
	t.Setenv(EnvEmbeddings, "")
	if _, err := OpenNpy(smallNpy(3), datasets.Options{}); err == nil || !strings.Contains(err.Error(), "no data given: give with --data DIR or in $MEMOBENCH_EMBEDDINGS") {
		t.Errorf("got %v", err)
	}
	t.Setenv(EnvEmbeddings, writeSplits(t))
	if _, err := OpenNpy(smallNpy(3), datasets.Options{}); err != nil {
		t.Error(err)
	}
	t.Setenv(EnvEmbeddings, filepath.Join(t.TempDir(), "none"))
	if _, err := OpenNpy(smallNpy(3), datasets.Options{}); err == nil || !strings.Contains(err.Error(), "$MEMOBENCH_EMBEDDINGS: stat ") {
		t.Errorf("got %v", err)
	}
}

func TestBadNpySettingsAreNamed(t *testing.T) {
	for key, change := range map[string]func(s *NpySettings){
		"length":    func(s *NpySettings) { s.Length = 2 },
		"sequences": func(s *NpySettings) { s.Sequences = 0 },
		"items":     func(s *NpySettings) { s.Items = "" },
		"rows":      func(s *NpySettings) { s.Rows = RowsStored },
		"scale":     func(s *NpySettings) { s.Scale = "log" },
	} {
		s := smallNpy(3)
		change(&s)
		_, err := OpenNpy(s, datasets.Options{})
		var bad *datasets.SettingError
		if !errors.As(err, &bad) || bad.Key != key {
			t.Errorf("got %v, want an error about %s", err, key)
		}
	}
}

// A model trained on more classes can be judged on data of fewer, and not the
// other way round.
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

// A file that changes while it is used is an error, not a wrong batch.
func TestNpyFileThatShrinksIsAnError(t *testing.T) {
	dir := writeSplits(t)
	src := mustOpenNpy(t, smallNpy(3), dir)
	if err := os.Truncate(filepath.Join(dir, "train.npy"), 200); err != nil {
		t.Fatal(err)
	}
	var b datasets.Batch
	var where *npy.Error
	if err := src.Batch(&b, datasets.Train, 0, 0, 64); !errors.As(err, &where) {
		t.Errorf("got %v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "test.npy"), binary.LittleEndian.AppendUint64(nil, 0), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, err := range src.Examine(datasets.Test, 0, 5, 4) {
		if !errors.As(err, &where) {
			t.Errorf("got %v", err)
		}
	}
}
