package pai

import "memobench/datasets"

// splitOf returns the split that owns a chain, by a hash of its classes that is
// the same for the chain and its reversal: with items in random order the rows
// of both look the same.
func splitOf(chain []int32) datasets.Split {
	h := uint64(len(chain))
	if n := len(chain); chain[0] < chain[n-1] {
		for _, c := range chain {
			h = datasets.Mix(h ^ uint64(c))
		}
	} else {
		for i := n - 1; i >= 0; i-- {
			h = datasets.Mix(h ^ uint64(chain[i]))
		}
	}
	return datasets.SplitByHash(h)
}
