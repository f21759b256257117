package pai

import (
	"encoding/binary"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memobench/datasets"
	"memobench/datasets/must"
	"memobench/datasets/npy"
	"memobench/datasets/npy/npytest"
)

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
		"classes as floats": {func(t *testing.T, dir string) { write(t, dir, "test_classes.npy", "<f4", make([]float32, 60), 60) }, "test_classes.npy: offset 10: elements of type float32, want integers"},
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

func TestBadNpySettingsAreNamed(t *testing.T) {
	for key, change := range map[string]func(s *NpySettings){
		"length":    func(s *NpySettings) { s.Length = 2 },
		"sequences": func(s *NpySettings) { s.Sequences = 0 },
		"items":     func(s *NpySettings) { s.Items = "" },
		"rows":      func(s *NpySettings) { s.Rows = rowsStored },
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

// A file that changes during use is an error.
func TestNpyFileThatShrinksIsAnError(t *testing.T) {
	dir := writeSplits(t)
	src := mustOpenNpy(t, smallNpy(3), dir)
	must.Do(t, os.Truncate(filepath.Join(dir, "train.npy"), 200))
	var b datasets.Batch
	var where *npy.Error
	if err := src.Batch(&b, datasets.Train, 0, 0, 64); !errors.As(err, &where) {
		t.Errorf("got %v", err)
	}
	must.Do(t, os.WriteFile(filepath.Join(dir, "test.npy"), binary.LittleEndian.AppendUint64(nil, 0), 0o666))
	for _, err := range src.Examine(datasets.Test, 0, 5, 4) {
		if !errors.As(err, &where) {
			t.Errorf("got %v", err)
		}
	}
}
