package pai

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"memobench/datasets"
	"memobench/datasets/datasettest"
	"memobench/datasets/must"
)

func mustRelease(t testing.TB, s releasedSettings, dir string) *released {
	t.Helper()
	return must.Get(newReleased(s, datasets.Options{DataPath: dir}))(t)
}

func TestReleasedContract(t *testing.T) {
	for _, length := range []int{3, 4} {
		r := smallRelease(length)
		dir := r.write(t, filepath.Join(t.TempDir(), fmt.Sprintf("length%d", length)))
		for _, c := range []struct{ items, rows, scale string }{{itemsStored, rowsShuffled, scaleUnit}, {itemsRandom, rowsStored, scaleRaw}} {
			s := releasedSettings{length, c.items, c.rows, c.scale, answersAuto}
			t.Run(fmt.Sprintf("length=%d/rows=%s", length, c.rows), func(t *testing.T) {
				datasettest.Run(t, datasettest.Suite{
					New:    func() (datasets.Source, error) { return newReleased(s, datasets.Options{DataPath: filepath.Dir(dir)}) },
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
		src := must.Get(e.New(e.Defaults(), datasets.Options{DataPath: dir}))(t)
		if want := (datasets.Shape{Vocabulary: 2, MaxRows: rows, RowWidth: 2, QueryWidth: 3, Answers: 1, ItemDim: 5}); src.Shape() != want {
			t.Errorf("%s: shape %+v, want %+v", name, src.Shape(), want)
		}
		spec := src.Spec()
		want := map[string]string{"length": name[3:4], "sequences": "4", "features": "5", "items": "stored", "rows": "shuffled", "scale": "unit", "answers": "0 left, 1 right"}
		if spec.Task != name || !maps.Equal(spec.Settings, want) || !slices.Equal(spec.Caveats.Texts(), []string{"released data: the answer is one of the two items shown, chance 50 %"}) {
			t.Errorf("%s: spec %+v", name, spec)
		}
		if err := src.(*released).absent[datasets.Test]; err != nil || !e.ReadsData {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, ok := datasets.Lookup("pai5-released"); ok {
		t.Error("length 5 was not released")
	}
}

func TestReleasedSplitsMayBeMissing(t *testing.T) {
	dir := smallRelease(3).write(t, t.TempDir())
	whole := mustRelease(t, *releasedDefaults(3), dir)
	for _, folder := range []string{"train", "valid"} {
		must.Do(t, os.RemoveAll(filepath.Join(dir, folder)))
	}
	opts := datasets.Options{DataPath: dir, Splits: []datasets.Split{datasets.Test}, Trained: &datasets.Trained{Shape: whole.Shape()}}
	src := must.Get(newReleased(*releasedDefaults(3), opts))(t)
	var b, want datasets.Batch
	must.Do(t, src.Batch(&b, datasets.Test, 1, 2, 8))
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
	if _, err := newReleased(*releasedDefaults(3), opts); err == nil {
		t.Error("a model of 6 features is given 5")
	}
}

func TestOtherFilesHaveAnotherHash(t *testing.T) {
	r := smallRelease(3)
	dir := r.write(t, t.TempDir())
	first := mustRelease(t, *releasedDefaults(3), dir).Spec().Hash
	if again := mustRelease(t, *releasedDefaults(3), dir).Spec().Hash; again != first {
		t.Error("the same files have another hash")
	}
	s := *releasedDefaults(3)
	s.Rows = rowsStored
	if mustRelease(t, s, dir).Spec().Hash == first {
		t.Error("another order has the same hash")
	}
	r.rewrite(t, dir, example(r.features(rand.New(rand.NewPCG(8, 8)))))
	if mustRelease(t, *releasedDefaults(3), dir).Spec().Hash == first {
		t.Error("other files have the same hash")
	}
}

func TestAnswersMayBeGiven(t *testing.T) {
	dir := smallRelease(3).write(t, t.TempDir())
	var b [2]datasets.Batch
	for i, answers := range []string{"0,1", " 1 , 0 "} {
		s := *releasedDefaults(3)
		s.Answers = answers
		must.Do(t, mustRelease(t, s, dir).Batch(&b[i], datasets.Train, 0, 0, 16))
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
		s    releasedSettings
		want string
	}{
		{"length", releasedSettings{5, itemsStored, rowsStored, scaleRaw, answersAuto}, "= 5: want 3 or 4"},
		{"items", releasedSettings{3, itemsSequence, rowsStored, scaleRaw, answersAuto}, `= "sequence": want stored or random`},
		{"rows", releasedSettings{3, itemsStored, rowsGeneration, scaleRaw, answersAuto}, `= "generation": want shuffled or stored`},
		{"scale", releasedSettings{3, itemsStored, rowsStored, "", answersAuto}, `= "": want unit or raw`},
		{"answers", releasedSettings{3, itemsStored, rowsStored, scaleRaw, "0"}, `= "0": want auto, or two values such as 0,1`},
		{"answers", releasedSettings{3, itemsStored, rowsStored, scaleRaw, "1,1"}, `= "1,1": want auto`},
		{"answers", releasedSettings{3, itemsStored, rowsStored, scaleRaw, "0,1,2"}, `= "0,1,2": want auto`},
	} {
		_, err := newReleased(c.s, datasets.Options{DataPath: dir})
		var bad *datasets.SettingError
		if !errors.As(err, &bad) || bad.Key != c.key || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want setting %s %s", err, c.key, c.want)
		}
	}
}

// An epoch has every record once, shard after shard; the order depends on seed, split and epoch.
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
	for name, w := range map[string]*recordOrder{
		"seed 1": {set: set, seed: 1}, "seed 2": {set: set, seed: 2}, "test": {set: set, seed: 1, split: datasets.Test},
	} {
		for epoch := range 3 {
			seen := map[recordIndex]bool{}
			changes, last := 0, -1
			var order []recordIndex
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
		// Random access gives the same records as sequential access.
		for _, n := range []uint64{59, 0, 33, 34, 20, 19, 1 << 40} {
			fresh := recordOrder{set: set, seed: w.seed, split: w.split}
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

// Training examples do not depend on the batch size.
func TestBatchSizeDoesNotChangeTheStream(t *testing.T) {
	src := mustRelease(t, *releasedDefaults(3), smallRelease(3).write(t, t.TempDir()))
	stream := func(size int) (all []string) {
		var b datasets.Batch
		for step := range 60 / size {
			must.Do(t, src.Batch(&b, datasets.Train, 4, step, size))
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
