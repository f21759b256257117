package pai

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"memobench/datasets"
	"memobench/datasets/must"
)

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

// The whole evaluation has each query of the files once, with its kind and answer.
func TestReleasedQueriesAreThoseOfTheFiles(t *testing.T) {
	for _, length := range []int{3, 4} {
		for _, code := range [][2]int64{{0, 1}, {1, 0}, {2, -5}} {
			r := smallRelease(length)
			r.left, r.right = code[0], code[1]
			s := *releasedDefaults(length)
			s.Scale = scaleRaw
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

// With the settings stored, rows and items are as in the file.
func TestStoredOrderIsKept(t *testing.T) {
	dir := smallRelease(3).write(t, t.TempDir())
	for _, c := range []struct {
		rows, items  string
		linked, same bool // row 2i+1 continues row 2i; in sequence order
	}{{rowsStored, itemsStored, true, true}, {rowsStored, itemsRandom, true, false}, {rowsShuffled, itemsStored, false, true}} {
		src := mustRelease(t, releasedSettings{3, c.items, c.rows, scaleRaw, answersAuto}, dir)
		var b datasets.Batch
		must.Do(t, src.Batch(&b, datasets.Train, 1, 0, 40))
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

// A sample has equally many queries of all records, or all queries if there are fewer.
func TestSamplesAreSpreadOverRecords(t *testing.T) {
	src := mustRelease(t, *releasedDefaults(3), smallRelease(3).write(t, t.TempDir()))
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
