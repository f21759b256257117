package pai

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"memobench/datasets"
)

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
