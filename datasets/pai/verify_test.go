package pai

import (
	"strings"
	"testing"

	"memobench/datasets"
)

func TestVerifyFollowsTheRows(t *testing.T) {
	for _, src := range []*Source{mustNew(t, small(4, ItemsRandom, RowsShuffled)), mustEmbed(t, smallEmbeddings(3, ItemsSequence, RowsShuffled))} {
		var b datasets.Batch
		if err := src.Batch(&b, datasets.Train, 1, 0, 40); err != nil {
			t.Fatal(err)
		}
		for i := range b.Size() {
			if err := src.Verify(&b, i); err != nil {
				t.Errorf("example %d: %v", i, err)
			}
		}
		for i, name := range map[int]string{0: "target", 1: "both items"} {
			if name == "target" {
				b.Targets[i] = b.Choices[2*i] + b.Choices[2*i+1] - b.Targets[i]
			} else {
				b.Queries[3*i+1] = b.Queries[3*i+2]
			}
			if err := src.Verify(&b, i); err == nil || !strings.Contains(err.Error(), name) {
				t.Errorf("%s: %v", name, err)
			}
		}
		if err := src.Verify(&b, 40); err == nil {
			t.Error("example 40 of 40 is taken")
		}
	}
}
