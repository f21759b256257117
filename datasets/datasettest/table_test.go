package datasettest

import (
	"fmt"
	"iter"
	"math"
	"strings"
	"testing"

	"memobench/datasets"
	"memobench/datasets/must"
)

// pictured is a toy whose words are items of two features.
type pictured struct{ toy }

func (pictured) Shape() datasets.Shape {
	s := toy{}.Shape()
	s.ItemDim = 2
	return s
}

// picture replaces the words of b by rows of an item table.
func picture(b *datasets.Batch) {
	b.Items = &datasets.Items{Dim: 2}
	ids := map[int32]int32{}
	for _, words := range [][]int32{b.Rows, b.Queries} {
		for i, w := range words {
			id, known := ids[w]
			if !known {
				id = int32(len(ids))
				ids[w] = id
				b.Items.Data = append(b.Items.Data, float32(w), 1)
			}
			words[i] = id
		}
	}
}

func (s pictured) Batch(b *datasets.Batch, split datasets.Split, seed uint64, step, size int) error {
	if err := s.toy.Batch(b, split, seed, step, size); err != nil {
		return err
	}
	picture(b)
	return nil
}

func (s pictured) Examine(split datasets.Split, seed uint64, perKind, size int) iter.Seq2[*datasets.Batch, error] {
	return func(yield func(*datasets.Batch, error) bool) {
		for b, err := range s.toy.Examine(split, seed, perKind, size) {
			if err == nil {
				picture(b)
			}
			if !yield(b, err) {
				return
			}
		}
	}
}

func TestRightSourceOfItemsPasses(t *testing.T) {
	s := suiteOf(pictured{})
	s.Items = func(b *datasets.Batch) []string {
		var keys []string
		for i := range b.Items.Len() {
			keys = append(keys, fmt.Sprint(b.Items.Row(int32(i))))
		}
		return keys
	}
	Run(t, s)
}

func TestFaultyItemTablesAreCaught(t *testing.T) {
	for want, fault := range map[string]func(b *datasets.Batch){
		"items 0 and 2 are equal":          func(b *datasets.Batch) { copy(b.Items.Row(2), b.Items.Row(0)) },
		"is in no row and no query":        func(b *datasets.Batch) { b.Items.Data = append(b.Items.Data, 0, 0) },
		"item 1: feature 1 is NaN":         func(b *datasets.Batch) { b.Items.Row(1)[1] = float32(math.NaN()) },
		"item 0: feature 0 is +Inf":        func(b *datasets.Batch) { b.Items.Row(0)[0] = float32(math.Inf(1)) },
		"items of 0 features, the task's ": func(b *datasets.Batch) { b.Items = nil },
	} {
		var b datasets.Batch
		must.Do(t, (pictured{}).Batch(&b, datasets.Train, 0, 0, 8))
		if err := validate(pictured{}, &b); err != nil {
			t.Fatalf("a right batch: %v", err)
		}
		fault(&b)
		if err := validate(pictured{}, &b); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want ...%s...", err, want)
		}
	}
}
