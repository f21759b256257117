package pai

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"memobench/datasets"
	"memobench/datasets/datasettest"
	"memobench/datasets/tfrecord"
	"memobench/datasets/tfrecord/tfrecordtest"
)

func mustRelease(t testing.TB, s ReleasedSettings, dir string) *Released {
	t.Helper()
	src, err := OpenReleased(s, datasets.Options{DataPath: dir})
	if err != nil {
		t.Fatal(err)
	}
	return src
}

func TestReleasedContract(t *testing.T) {
	for _, length := range []int{3, 4} {
		r := smallRelease(length)
		dir := r.write(t, filepath.Join(t.TempDir(), fmt.Sprintf("length%d", length)))
		for _, c := range []struct{ items, rows, scale string }{{ItemsStored, RowsShuffled, ScaleUnit}, {ItemsRandom, RowsStored, ScaleRaw}} {
			s := ReleasedSettings{length, c.items, c.rows, c.scale, AnswersAuto}
			t.Run(fmt.Sprintf("length=%d/rows=%s", length, c.rows), func(t *testing.T) {
				datasettest.Run(t, datasettest.Suite{
					New:    func() (datasets.Source, error) { return OpenReleased(s, datasets.Options{DataPath: filepath.Dir(dir)}) },
					Finite: true,
					Shares: halves(length),
					Items:  itemKeys,
				})
				checkSource(t, mustRelease(t, s, dir), layout{length: length, sequences: r.sequences})
			})
		}
	}
}

func TestReleasedTasksAreRegistered(t *testing.T) {
	dir := t.TempDir()
	for _, length := range []int{3, 4} {
		smallRelease(length).write(t, filepath.Join(dir, fmt.Sprintf("length%d", length)))
	}
	for name, rows := range map[string]int{"pai3-released": 8, "pai4-released": 12} {
		e, ok := datasets.Lookup(name)
		if !ok {
			t.Fatalf("%s is not registered", name)
		}
		src, err := e.New(e.Defaults(), datasets.Options{DataPath: dir})
		if err != nil {
			t.Fatal(err)
		}
		if want := (datasets.Shape{Vocabulary: 2, MaxRows: rows, RowWidth: 2, QueryWidth: 3, Answers: 1, ItemDim: 5}); src.Shape() != want {
			t.Errorf("%s: shape %+v, want %+v", name, src.Shape(), want)
		}
		spec := src.Spec()
		want := map[string]string{"length": name[3:4], "sequences": "4", "features": "5", "items": "stored", "rows": "shuffled", "scale": "unit", "answers": "0 left, 1 right"}
		if spec.Task != name || !maps.Equal(spec.Settings, want) || !slices.Equal(spec.Labels, []string{"released data: the answer is one of the two items shown, chance 50 %"}) {
			t.Errorf("%s: spec %+v", name, spec)
		}
		if _, err := src.(*Released).available(datasets.Test); err != nil || !e.ReadsData {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, ok := datasets.Lookup("pai5-released"); ok {
		t.Error("length 5 was not released")
	}
}

// trialKey identifies a query by its items.
func trialKey(cue, left, right []float32) string { return fmt.Sprint(cue, left, right) }

// written returns the answers of all trials of a split, 0 left and 1 right, by
// kind and items, as the fixture's generator made them.
func (r release) written(split int) []map[string]int32 {
	rng := rand.New(rand.NewPCG(1, uint64(r.length)))
	all := make([]map[string]int32, len(trialTypes[r.length]))
	for i := range all {
		all[i] = map[string]int32{}
	}
	for s := range 3 {
		for range r.shards[s] * r.records[s] {
			_, trials := r.record(rng)
			if s != split {
				continue
			}
			for _, one := range trials {
				side := int32(0)
				if one.answer == r.right {
					side = 1
				}
				all[one.kind-1][trialKey(one.items[0], one.items[1], one.items[2])] = side
			}
		}
	}
	return all
}

// Examined as a whole, the source gives each query of the files once, under its
// kind and with its answer.
func TestReleasedQueriesAreThoseOfTheFiles(t *testing.T) {
	for _, length := range []int{3, 4} {
		for _, code := range [][2]int64{{0, 1}, {1, 0}, {2, -5}} {
			r := smallRelease(length)
			r.left, r.right = code[0], code[1]
			s := *ReleasedDefaults(length)
			s.Scale = ScaleRaw
			src := mustRelease(t, s, r.write(t, t.TempDir()))
			for split := range 3 {
				left := r.written(split)
				for b, err := range src.Examine(datasets.Split(split), 9, 0, 7) {
					if err != nil {
						t.Fatal(err)
					}
					for i, k := range b.Kinds {
						letters := strings.ReplaceAll(src.Kinds()[k], "-", "")
						want := left[slices.Index(trialTypes[length], letters)]
						item := func(j int) []float32 { return b.Items.Row(b.Queries[3*i+j]) }
						key := trialKey(item(0), item(1), item(2))
						side, ok := want[key]
						if !ok || side != b.Targets[i] {
							t.Fatalf("%s, answer %d: written %v, with the answer %d", letters, b.Targets[i], ok, side)
						}
						delete(want, key)
					}
				}
				for k := range left {
					if len(left[k]) > 0 {
						t.Errorf("split %d: %d queries of type %s are left", split, len(left[k]), trialTypes[length][k])
					}
				}
			}
		}
	}
}

// Rows and items stand as in the file where they are asked for so.
func TestStoredOrderIsKept(t *testing.T) {
	dir := smallRelease(3).write(t, t.TempDir())
	for _, c := range []struct {
		rows, items  string
		linked, same bool // row 2i+1 continues row 2i; in sequence order
	}{{RowsStored, ItemsStored, true, true}, {RowsStored, ItemsRandom, true, false}, {RowsShuffled, ItemsStored, false, true}} {
		src := mustRelease(t, ReleasedSettings{3, c.items, c.rows, ScaleRaw, AnswersAuto}, dir)
		var b datasets.Batch
		if err := src.Batch(&b, datasets.Train, 1, 0, 40); err != nil {
			t.Fatal(err)
		}
		linked, same := true, true
		for r := 0; r < b.NumRows(); r += 2 {
			linked = linked && (b.Rows[2*r+1] == b.Rows[2*r+2] || b.Rows[2*r] == b.Rows[2*r+2] || b.Rows[2*r] == b.Rows[2*r+3] || b.Rows[2*r+1] == b.Rows[2*r+3])
		}
		for i := range b.Size() {
			after := map[int32]bool{} // no item follows two others
			for r := b.Offsets[i]; r < b.Offsets[i+1]; r++ {
				same = same && !after[b.Rows[2*r+1]]
				after[b.Rows[2*r+1]] = true
			}
		}
		if linked != c.linked || same != c.same {
			t.Errorf("rows %s, items %s: chain after chain %v, earlier first %v", c.rows, c.items, linked, same)
		}
	}
}

// An epoch takes every record once, shard after shard; another seed, split or
// epoch takes them in another order.
func TestWalkTakesEveryRecordOnce(t *testing.T) {
	dir := smallRelease(3).write(t, t.TempDir())
	set, err := findShards(filepath.Join(dir, "train"))
	if err == nil {
		err = set.index()
	}
	if err != nil {
		t.Fatal(err)
	}
	total := set.records()
	if total != 20 {
		t.Fatalf("%d records, want 20", total)
	}
	orders := map[string]string{}
	for name, w := range map[string]*walk{
		"seed 1": {set: set, seed: 1}, "seed 2": {set: set, seed: 2}, "test": {set: set, seed: 1, split: datasets.Test},
	} {
		for epoch := range 3 {
			seen := map[place]bool{}
			changes, last := 0, -1
			var order []place
			for i := range total {
				p := w.at(uint64(epoch*total + i))
				seen[p] = true
				order = append(order, p)
				if p.shard != last {
					changes, last = changes+1, p.shard
				}
			}
			if len(seen) != total || changes != len(set.shards) {
				t.Errorf("%s, epoch %d: %d of %d records, shards change %d times", name, epoch, len(seen), total, changes)
			}
			here := fmt.Sprintf("%s, epoch %d", name, epoch)
			if other, twice := orders[fmt.Sprint(order)]; twice {
				t.Errorf("%s has the order of %s", here, other)
			}
			orders[fmt.Sprint(order)] = here
		}
		// Going to any place is the same as walking there.
		for _, n := range []uint64{59, 0, 33, 34, 20, 19, 1 << 40} {
			fresh := walk{set: set, seed: w.seed, split: w.split}
			if got, want := w.at(n), fresh.at(n); got != want {
				t.Errorf("%s: place %d is %v, from a fresh walk %v", name, n, got, want)
			}
		}
	}
	for i := range total {
		if p := set.at(i); p.shard != i/5 || p.record != i%5 {
			t.Errorf("record %d is %v", i, p)
		}
	}
}

// Training examples are those of one stream, however it is cut into batches.
func TestBatchSizeDoesNotChangeTheStream(t *testing.T) {
	src := mustRelease(t, *ReleasedDefaults(3), smallRelease(3).write(t, t.TempDir()))
	stream := func(size int) (all []string) {
		var b datasets.Batch
		for step := range 60 / size {
			if err := src.Batch(&b, datasets.Train, 4, step, size); err != nil {
				t.Fatal(err)
			}
			for i := range b.Size() {
				text := fmt.Sprint(b.Kinds[i], b.Targets[i])
				for _, w := range slices.Concat(b.Rows[2*b.Offsets[i]:2*b.Offsets[i+1]], b.Queries[3*i:3*i+3]) {
					text += fmt.Sprint(b.Items.Row(w))
				}
				all = append(all, text)
			}
		}
		return all
	}
	want := stream(1)
	for _, size := range []int{5, 12, 60} {
		if !slices.Equal(stream(size), want) {
			t.Errorf("batches of %d give other examples", size)
		}
	}
}

// A sample takes as many queries as asked for from all records alike, and all
// where there are fewer.
func TestSamplesAreSpreadOverRecords(t *testing.T) {
	src := mustRelease(t, *ReleasedDefaults(3), smallRelease(3).write(t, t.TempDir()))
	for perKind, want := range map[int]int{1: 1, 8: 8, 11: 11, 32: 32, 33: 32, 1000: 32} { // test: 8 records x 4 queries of a kind
		memories := map[string]int{}
		n := 0
		for b, err := range src.Examine(datasets.Test, 5, perKind, 6) {
			if err != nil {
				t.Fatal(err)
			}
			for i, k := range b.Kinds {
				if k == 1 {
					n++
					key := 0.0
					for r := b.Offsets[i]; r < b.Offsets[i+1]; r++ {
						key += float64(b.Items.Row(b.Rows[2*r])[0])
					}
					memories[fmt.Sprintf("%.4f", key)]++
				}
			}
		}
		counts := slices.Sorted(maps.Values(memories))
		if n != want || counts[len(counts)-1]-counts[0] > 1 || len(counts) != min(want, 8) {
			t.Errorf("%d a kind: %d queries, from the records %v", perKind, n, counts)
		}
	}
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
		"no memory":          {changed("memory", tfrecordtest.Floats()), "feature memory: 0 values of type float32, want some of type float32"},
		"answers of floats":  {changed("correct_answer", tfrecordtest.Floats(make([]float32, n)...)), "feature correct_answer: 12 values of type float32, want some of type int64"},
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
			_, err := OpenReleased(*ReleasedDefaults(3), datasets.Options{DataPath: dir})
			if err == nil || !strings.HasPrefix(err.Error(), "pai: ") || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want ...%s...", err, c.want)
			}
		})
	}
}

// Faults behind the first record are found when they are read.
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
		src := mustRelease(t, *ReleasedDefaults(3), dir)
		if want := "released data: 1 of 4 train shards"; !slices.Contains(src.Spec().Labels, want) {
			t.Errorf("labels %q, want %q", src.Spec().Labels, want)
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
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	src := mustRelease(t, *ReleasedDefaults(3), dir)
	file[len(file)-100] ^= 4
	if err := os.WriteFile(path, file, 0o666); err != nil {
		t.Fatal(err)
	}
	var last error
	for _, err := range src.Examine(datasets.Test, 0, 0, 10) {
		last = err
	}
	if last == nil || !strings.Contains(last.Error(), "trials-00001-of-00002: offset ") || !strings.Contains(last.Error(), "checksum of the ") {
		t.Errorf("a flipped bit: %v", last)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	var b datasets.Batch
	if err := src.Batch(&b, datasets.Test, 0, 0, 20); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a removed shard: %v", err)
	}
}

func TestReleasedSplitsMayBeMissing(t *testing.T) {
	dir := smallRelease(3).write(t, t.TempDir())
	whole := mustRelease(t, *ReleasedDefaults(3), dir)
	for _, folder := range []string{"train", "valid"} {
		if err := os.RemoveAll(filepath.Join(dir, folder)); err != nil {
			t.Fatal(err)
		}
	}
	opts := datasets.Options{DataPath: dir, Splits: []datasets.Split{datasets.Test}, Trained: &datasets.Trained{Shape: whole.Shape()}}
	src, err := OpenReleased(*ReleasedDefaults(3), opts)
	if err != nil {
		t.Fatal(err)
	}
	var b, want datasets.Batch
	if err := src.Batch(&b, datasets.Test, 1, 2, 8); err != nil {
		t.Fatal(err)
	}
	if err := whole.Batch(&want, datasets.Test, 1, 2, 8); err != nil || !slices.Equal(b.Items.Data, want.Items.Data) {
		t.Errorf("other test questions without the other splits: %v", err)
	}
	if err := src.Batch(&b, datasets.Train, 1, 2, 8); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the missing split: %v", err)
	}
	for _, err := range src.Examine(datasets.Validation, 0, 1, 1) {
		if !errors.Is(err, os.ErrNotExist) {
			t.Errorf("the missing split: %v", err)
		}
	}
	opts.Trained.Shape.ItemDim = 6
	if _, err := OpenReleased(*ReleasedDefaults(3), opts); err == nil {
		t.Error("a model of 6 features is given 5")
	}
}

func TestOtherFilesHaveAnotherHash(t *testing.T) {
	r := smallRelease(3)
	dir := r.write(t, t.TempDir())
	first := mustRelease(t, *ReleasedDefaults(3), dir).Spec().Hash
	if again := mustRelease(t, *ReleasedDefaults(3), dir).Spec().Hash; again != first {
		t.Error("the same files have another hash")
	}
	s := *ReleasedDefaults(3)
	s.Rows = RowsStored
	if mustRelease(t, s, dir).Spec().Hash == first {
		t.Error("another order has the same hash")
	}
	r.rewrite(t, dir, example(r.features(rand.New(rand.NewPCG(8, 8)))))
	if mustRelease(t, *ReleasedDefaults(3), dir).Spec().Hash == first {
		t.Error("other files have the same hash")
	}
}

func TestAnswersMayBeGiven(t *testing.T) {
	dir := smallRelease(3).write(t, t.TempDir())
	var b [2]datasets.Batch
	for i, answers := range []string{"0,1", " 1 , 0 "} {
		s := *ReleasedDefaults(3)
		s.Answers = answers
		if err := mustRelease(t, s, dir).Batch(&b[i], datasets.Train, 0, 0, 16); err != nil {
			t.Fatal(err)
		}
	}
	for i := range b[0].Targets {
		if b[0].Targets[i]+b[1].Targets[i] != 1 {
			t.Errorf("answer %d is %d, with the values exchanged %d", i, b[0].Targets[i], b[1].Targets[i])
		}
	}
}

func TestBadReleasedSettingsAreNamed(t *testing.T) {
	dir := smallRelease(3).write(t, t.TempDir())
	for _, c := range []struct {
		key  string
		s    ReleasedSettings
		want string
	}{
		{"length", ReleasedSettings{5, ItemsStored, RowsStored, ScaleRaw, AnswersAuto}, "= 5: want 3 or 4"},
		{"items", ReleasedSettings{3, ItemsSequence, RowsStored, ScaleRaw, AnswersAuto}, `= "sequence": want stored or random`},
		{"rows", ReleasedSettings{3, ItemsStored, RowsGeneration, ScaleRaw, AnswersAuto}, `= "generation": want shuffled or stored`},
		{"scale", ReleasedSettings{3, ItemsStored, RowsStored, "", AnswersAuto}, `= "": want unit or raw`},
		{"answers", ReleasedSettings{3, ItemsStored, RowsStored, ScaleRaw, "0"}, `= "0": want auto, or two values such as 0,1`},
		{"answers", ReleasedSettings{3, ItemsStored, RowsStored, ScaleRaw, "1,1"}, `= "1,1": want auto`},
		{"answers", ReleasedSettings{3, ItemsStored, RowsStored, ScaleRaw, "0,1,2"}, `= "0,1,2": want auto`},
	} {
		_, err := OpenReleased(c.s, datasets.Options{DataPath: dir})
		var bad *datasets.SettingError
		if !errors.As(err, &bad) || bad.Key != c.key || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want setting %s %s", err, c.key, c.want)
		}
	}
}

// FuzzRecord checks that no record makes the reader panic: what it accepts can
// be shown as a batch that is well formed.
func FuzzRecord(f *testing.F) {
	for _, length := range []int{3, 4} {
		r := smallRelease(length)
		r.sequences, r.dim = 2, 1
		f.Add(example(r.features(rand.New(rand.NewPCG(1, 1)))), length == 4)
	}
	f.Fuzz(func(t *testing.T, data []byte, four bool) {
		s := *ReleasedDefaults(3)
		if four {
			s.Length = 4
		}
		src := &Released{settings: s, kinds: kinds(s.Length), coding: coding{0, 1}}
		for _, k := range releasedTypes(s.Length) {
			src.types = append(src.types, int32(slices.Index(src.kinds, k)))
		}
		r := newRecordReader(s)
		file := tfrecord.New("file", strings.NewReader(""), 0)
		r.file, r.set = file, &shardSet{shards: []shard{{records: make([]tfrecord.Record, 1)}}}
		if err := r.entry.parse("file", tfrecord.Record{}, data, s.Length); err != nil {
			if !strings.HasPrefix(err.Error(), "file: offset ") {
				t.Fatal(err)
			}
			return
		}
		src.form = r.entry.form
		src.shape = layout{length: s.Length, sequences: src.form.sequences}.shape(choices, src.form.dim)
		var b datasets.Batch
		src.reset(&b)
		for trial := range min(r.entry.trials, 8) {
			if err := src.put(&b, r, trial); err != nil {
				return
			}
		}
		if err := b.Validate(src.shape); err != nil {
			t.Fatal(err)
		}
	})
}
