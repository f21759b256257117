package pai

import (
	"slices"
	"testing"

	"memobench/datasets"
)

// A numbered batch is the batch, and its numbers lead to the items in the pool.
func TestNumbersOfABatchLeadToItsItems(t *testing.T) {
	src := mustEmbed(t, smallEmbeddings(3, ItemsSequence, RowsShuffled))
	for split := range datasets.Test + 1 {
		pool, ok := src.Pool(split)
		if want := src.images.(*prototypes).pools[split]; !ok || pool.Len() != want {
			t.Fatalf("%v: pool of %d items, want %d", split, pool.Len(), want)
		}
		var b, plain datasets.Batch
		numbers, err := src.NumberedBatch(&b, split, 3, 5, 7)
		if err != nil {
			t.Fatal(err)
		}
		if err := src.Batch(&plain, split, 3, 5, 7); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(b.Rows, plain.Rows) || !slices.Equal(b.Items.Data, plain.Items.Data) || !slices.Equal(b.Targets, plain.Targets) {
			t.Errorf("%v: the numbered batch is another one", split)
		}
		if len(numbers) != b.Items.Len() {
			t.Fatalf("%v: %d numbers of %d items", split, len(numbers), b.Items.Len())
		}
		item := make([]float32, b.Items.Dim)
		for id, n := range numbers {
			if err := pool.Read(item, n); err != nil || !slices.Equal(item, b.Items.Row(int32(id))) {
				t.Fatalf("%v: item %d is not item %d of the pool (%v)", split, id, n, err)
			}
		}
		for i := range b.Size() {
			for c := range choices {
				n := numbers[b.Queries[i*queryWidth+1+c]]
				if got, want := pool.Class(n), b.Choices[i*choices+c]; got != want {
					t.Errorf("%v: class %d of item %d, want %d", split, got, n, want)
				}
			}
		}
	}
	if _, ok := src.Pool(datasets.Test + 1); ok {
		t.Error("there is a pool of no split")
	}
	if _, err := src.NumberedBatch(&datasets.Batch{}, datasets.Test, 0, -1, 7); err == nil {
		t.Error("step -1 is taken")
	}
}

func TestClassSymbolsHaveNoPool(t *testing.T) {
	src := mustNew(t, small(3, ItemsSequence, RowsShuffled))
	if _, ok := src.Pool(datasets.Train); ok {
		t.Error("class symbols have a pool")
	}
	var b datasets.Batch
	if numbers, err := src.NumberedBatch(&b, datasets.Train, 0, 0, 3); err != nil || numbers != nil || b.Size() != 3 {
		t.Errorf("%v, %v, %d examples", numbers, err, b.Size())
	}
}
