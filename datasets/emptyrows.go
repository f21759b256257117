package datasets

import (
	"math/rand/v2"
	"slices"
)

// EmptyRows configures the insertion of empty rows into training examples.
type EmptyRows struct {
	Probability float64 // of an empty row before each row and after the last one
	MaxOffset   int     // maximum of a uniform number of further empty rows after the last row
	MaxRows     int     // of an example, empty rows included
}

// InsertEmptyRows inserts empty rows into every example of b, up to MaxRows rows. The age of a
// row then varies between repetitions of a story, so that a model cannot memorize stories by
// the ages of their rows (random noise, Sukhbaatar et al. 2015, section 4.2, with probability
// 0.1; random offset of all ages, Palm et al. 2018).
func (b *Batch) InsertEmptyRows(rng *rand.Rand, e EmptyRows) {
	rows, offsets, w := slices.Clone(b.Rows), slices.Clone(b.Offsets), b.RowWidth
	empty := slices.Repeat([]int32{NoWord}, w)
	b.Rows = b.Rows[:0]
	for i := range b.Size() {
		free := e.MaxRows - (offsets[i+1] - offsets[i])
		add := func() {
			b.Rows = append(b.Rows, empty...)
			free--
		}
		insert := func() {
			if free > 0 && rng.Float64() < e.Probability {
				add()
			}
		}
		for r := offsets[i]; r < offsets[i+1]; r++ {
			insert()
			b.Rows = append(b.Rows, rows[r*w:(r+1)*w]...)
		}
		insert()
		if e.MaxOffset > 0 {
			for range min(rng.IntN(e.MaxOffset+1), free) {
				add()
			}
		}
		b.Offsets[i+1] = len(b.Rows) / w
	}
}
