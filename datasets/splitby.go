package datasets

// Of 10 items one belongs to validation, one to test and the others to train.
const splitShares = 10

// SplitByHash returns the split that owns a generated item, by a hash of the
// item that is uniform on 64 bits: 80 % of all items are Train's, 10 %
// Validation's and 10 % Test's. A generator that draws an item again until it
// belongs to the split asked for never shares one between splits.
func SplitByHash(h uint64) Split {
	switch h % splitShares {
	case 0:
		return Validation
	case 1:
		return Test
	}
	return Train
}
