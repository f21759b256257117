package pai

import (
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"memobench/datasets"
	"memobench/datasets/must"
	"memobench/datasets/tfrecord"
	"memobench/datasets/tfrecord/tfrecordtest"
)

// FuzzRecord checks that no record makes the reader panic, and that accepted records give valid
// batches.
func FuzzRecord(f *testing.F) {
	for _, length := range []int{3, 4} {
		r := smallRelease(length)
		r.sequences, r.dim = 2, 1
		f.Add(example(r.features(rand.New(rand.NewPCG(1, 1)))), length == 4)
	}
	empty := filepath.Join(f.TempDir(), "file")
	must.Do(f, os.WriteFile(empty, nil, 0o666))
	file := must.Get(tfrecord.Open(empty))(f)
	f.Cleanup(func() { file.Close() })
	f.Fuzz(func(t *testing.T, data []byte, four bool) {
		s := *releasedDefaults(3)
		if four {
			s.Length = 4
		}
		src := &released{settings: s, kinds: kinds(s.Length), coding: coding{0, 1}}
		for _, k := range releasedTypes(s.Length) {
			src.types = append(src.types, int32(slices.Index(src.kinds, k)))
		}
		r := newRecordReader(s)
		r.file, r.set = file, &shardSet{shards: []shard{{records: make([]tfrecord.Record, 1)}}}
		if err := r.entry.parse("file", tfrecord.Record{}, data, s.Length); err != nil {
			if !strings.HasPrefix(err.Error(), "file: offset ") {
				t.Fatal(err)
			}
			return
		}
		src.sizes = r.entry.recordSizes
		src.shape = layout{length: s.Length, sequences: src.sizes.sequences}.shape(choices, src.sizes.dim)
		var b datasets.Batch
		src.reset(&b)
		for trial := range min(r.entry.trials, 8) {
			if err := src.put(&b, r, trial); err != nil {
				return
			}
		}
		must.Do(t, b.Validate(src.shape))
	})
}

// rewrite replaces the first training shard by one of the given records.
func (r release) rewrite(t *testing.T, dir string, records ...[]byte) {
	t.Helper()
	tfrecordtest.Write(t, r.shardPath(dir, 0, 0), records...)
}

func TestFaultyReleasesAreNamed(t *testing.T) {
	r := smallRelease(3)
	good := func() map[string][]byte { return r.features(rand.New(rand.NewPCG(2, 2))) }
	changed := func(name string, f []byte) func(t *testing.T, dir string) {
		return func(t *testing.T, dir string) {
			features := good()
			if features[name] = f; f == nil {
				delete(features, name)
			}
			r.rewrite(t, dir, example(features))
		}
	}
	n := len(trialTypes[3]) * r.sequences
	for name, c := range map[string]struct {
		fault func(t *testing.T, dir string)
		want  string
	}{
		"no folders":    {func(t *testing.T, dir string) { os.RemoveAll(dir); os.Mkdir(dir, 0o777) }, "no folders train, valid or test there, nor in length3 below it; give with --data DIR"},
		"no directory":  {func(t *testing.T, dir string) { os.RemoveAll(dir) }, "the data path given: stat "},
		"missing split": {func(t *testing.T, dir string) { os.RemoveAll(filepath.Join(dir, "valid")) }, "valid: no such file"},
		"empty folder": {func(t *testing.T, dir string) {
			os.RemoveAll(filepath.Join(dir, "test"))
			os.Mkdir(filepath.Join(dir, "test"), 0o777)
		}, "find shards (trials-00000-of-00001, ...) "},
		"number above": {func(t *testing.T, dir string) {
			os.Rename(r.shardPath(dir, 0, 0), filepath.Join(dir, "train", "trials-00004-of-00004"))
		}, "trials-00004-of-00004: there is no shard 4 of 4"},
		"two sets": {func(t *testing.T, dir string) {
			os.Rename(r.shardPath(dir, 0, 0), filepath.Join(dir, "train", "trials-00000-of-00009"))
		}, "is of 4 shards, "},
		"no records": {func(t *testing.T, dir string) {
			for i := range 4 {
				os.Truncate(r.shardPath(dir, 0, i), 0)
			}
		}, "train: no records in 4 shards"},
		"truncated":          {func(t *testing.T, dir string) { os.Truncate(r.shardPath(dir, 0, 2), 100) }, "trials-00002-of-00004: offset 0: a record of "},
		"tiny record":        {func(t *testing.T, dir string) { r.rewrite(t, dir, []byte("tiny")) }, "trials-00000-of-00004: offset 12: a record of 4 bytes holds no trials"},
		"no message":         {func(t *testing.T, dir string) { r.rewrite(t, dir, slices.Repeat([]byte{0xff}, 100)) }, "trials-00000-of-00004: offset 12: no field of a message"},
		"no trials":          {changed("trials", nil), "offset 12: record without the feature trials"},
		"no memory":          {changed("memory", tfrecordtest.Floats()), "feature memory: no values of type float32"},
		"answers of floats":  {changed("correct_answer", tfrecordtest.Floats(make([]float32, n)...)), "feature correct_answer: no values of type int64"},
		"few types":          {changed("trial_type", tfrecordtest.Ints(1, 2)), "feature trial_type: 2 values, want a multiple of 3"},
		"few answers":        {changed("correct_answer", tfrecordtest.Ints(1, 0)), "feature correct_answer: 2 values, trial_type has 12"},
		"odd memory":         {changed("memory", tfrecordtest.Floats(make([]float32, 81)...)), "feature memory: 81 values, want 8 x 2 x features"},
		"tiny memory":        {changed("memory", tfrecordtest.Floats(1, 2)), "feature memory: 2 values, want 8 x 2 x features"},
		"another width":      {changed("memory", tfrecordtest.Floats(make([]float32, 96)...)), "feature trials: 180 values, want 12 x 3 x 6"},
		"unknown type":       {changed("trial_type", tfrecordtest.Ints(slices.Repeat([]int64{4}, n)...)), "feature trial_type: 4, want 1 to 3"},
		"type 0":             {changed("trial_type", tfrecordtest.Ints(slices.Repeat([]int64{0}, n)...)), "feature trial_type: 0, want 1 to 3"},
		"infinite":           {changed("memory", tfrecordtest.Floats(slices.Repeat([]float32{float32(math.Inf(1))}, 80)...)), "value 0 of the feature is +Inf"},
		"answers by chance":  {changed("correct_answer", tfrecordtest.Ints(0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1)), "correct_answer has the values map["},
		"answers of one":     {changed("correct_answer", tfrecordtest.Ints(make([]int64, n)...)), "name them with --set answers=LEFT,RIGHT"},
		"items of no memory": {changed("trials", tfrecordtest.Floats(make([]float32, n*3*r.dim)...)), "correct_answer has the values map[] where the left option"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := r.write(t, t.TempDir())
			c.fault(t, dir)
			_, err := newReleased(*releasedDefaults(3), datasets.Options{DataPath: dir})
			if err == nil || !strings.HasPrefix(err.Error(), "pai: ") || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want ...%s...", err, c.want)
			}
		})
	}
}

// Errors in later records are found when they are read.
func TestLaterFaultsAreNamed(t *testing.T) {
	r := smallRelease(3)
	first := func() []byte { return example(r.features(rand.New(rand.NewPCG(2, 2)))) }
	other := r
	other.sequences = 5
	oneKind := r.features(rand.New(rand.NewPCG(3, 3)))
	oneKind["trial_type"] = tfrecordtest.Ints(slices.Repeat([]int64{1}, 12)...)
	answers := r.features(rand.New(rand.NewPCG(3, 3)))
	answers["correct_answer"] = tfrecordtest.Ints(slices.Repeat([]int64{7}, 12)...)
	for name, c := range map[string]struct {
		second []byte
		want   string
	}{
		"other sizes":    {example(other.features(rand.New(rand.NewPCG(3, 3)))), "want {sequences:4 trials:12 rows:8 dim:5} as the first one"},
		"one kind":       {example(oneKind), "record without queries of kind "},
		"unknown answer": {example(answers), "correct_answer of trial "},
	} {
		dir := r.write(t, t.TempDir())
		for i := 1; i < 4; i++ {
			os.Remove(r.shardPath(dir, 0, i))
		}
		r.rewrite(t, dir, first(), c.second)
		src := mustRelease(t, *releasedDefaults(3), dir)
		if want := "released data: 1 of 4 train shards"; !slices.Contains(src.Spec().Caveats.Texts(), want) {
			t.Errorf("labels %q, want %q", src.Spec().Caveats.Texts(), want)
		}
		var b datasets.Batch
		err := src.Batch(&b, datasets.Train, 0, 0, 64)
		var where *tfrecord.Error
		if !errors.As(err, &where) || where.Offset < 100 || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want ...%s...", name, err, c.want)
		}
	}

	// A flipped bit in the data of one record.
	dir := r.write(t, t.TempDir())
	path := r.shardPath(dir, 2, 1)
	file := must.Get(os.ReadFile(path))(t)
	src := mustRelease(t, *releasedDefaults(3), dir)
	file[len(file)-100] ^= 4
	must.Do(t, os.WriteFile(path, file, 0o666))
	var last error
	for _, err := range src.Examine(datasets.Test, 0, 0, 10) {
		last = err
	}
	if last == nil || !strings.Contains(last.Error(), "trials-00001-of-00002: offset ") || !strings.Contains(last.Error(), "checksum of the ") {
		t.Errorf("a flipped bit: %v", last)
	}
	must.Do(t, os.Remove(path))
	var b datasets.Batch
	if err := src.Batch(&b, datasets.Test, 0, 0, 20); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a removed shard: %v", err)
	}
}
