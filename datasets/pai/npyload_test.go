package pai

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"memobench/datasets"
	"memobench/datasets/must"
	"memobench/datasets/npy"
	"memobench/datasets/npy/npytest"
)

// Other number types give the same data.
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
	src := must.Get(OpenNpy(smallNpy(3), opts))(t)
	want := []string{"own embeddings (test: 40 items of 20 classes)", "reduced: 4 sequences"}
	if got := src.Spec(); got.Task != "pai3-npy" || !slices.Equal(got.Caveats.Texts(), want) || got.Settings["features"] != "8" || got.Settings["classes"] != "20" {
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

// Generated embeddings that are read from files have a caveat and the same data.
func TestGeneratedEmbeddingsInFilesAreLabelled(t *testing.T) {
	dir := writeSplits(t)
	own := mustOpenNpy(t, smallNpy(3), dir).Spec()
	must.Do(t, os.WriteFile(filepath.Join(dir, marker), nil, 0o644))
	marked := mustOpenNpy(t, smallNpy(3), dir).Spec()
	const label = "generated embeddings instead of image embeddings"
	if slices.Contains(own.Caveats.Texts(), label) || !slices.Contains(marked.Caveats.Texts(), label) {
		t.Errorf("labels %q, and with %s %q", own.Caveats.Texts(), marker, marked.Caveats.Texts())
	}
	if own.Hash != marked.Hash {
		t.Errorf("hash %s, with %s %s", own.Hash, marker, marked.Hash)
	}
}

// Duplicates within and between splits are omitted; the test split keeps its items.
func TestCopiesAreLeftOut(t *testing.T) {
	dir := writeSplits(t)
	base := mustOpenNpy(t, smallNpy(3), dir).Spec()
	a := must.Get(npy.Open(filepath.Join(dir, "test.npy")))(t)
	copied := make([]float32, 10*npyDim)
	must.Do(t, a.Float32(copied, 0))
	a.Close()
	data, ids := writeItems(t, filepath.Join(dir, "train.npy"), filepath.Join(dir, "train_classes.npy"), 10, 0)
	copy(data, copied)                                // 10 are in test
	copy(data[20*npyDim:], data[19*npyDim:][:npyDim]) // 1 is there twice
	npytest.Write(t, filepath.Join(dir, "train.npy"), "<f4", data, len(ids), npyDim)
	src := mustOpenNpy(t, smallNpy(3), dir)
	spec := src.Spec()
	if want := []string{"own embeddings (train: 189 items of 20 classes; validation: 40 items of 20 classes; test: 60 items of 20 classes)",
		"own embeddings: 11 copies of other items left out", "reduced: 4 sequences"}; !slices.Equal(spec.Caveats.Texts(), want) {
		t.Errorf("labels %q, want %q", spec.Caveats.Texts(), want)
	}
	if spec.Hash == base.Hash {
		t.Error("other files have the same hash")
	}
	owner := map[string]datasets.Split{}
	var b datasets.Batch
	for _, split := range splits {
		must.Do(t, src.Batch(&b, split, 0, 0, 300))
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
