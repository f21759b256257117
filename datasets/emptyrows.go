package datasets

import (
	"math/rand/v2"
	"slices"
)

// InsertEmptyRows puts an empty row, one without words, before each memory row of b,
// and behind the last row of each example, with the given probability, as long as
// the example keeps to maxRows rows. The age of a row then differs between two
// readings of one story, and a model cannot learn stories by heart by the ages of
// their rows (random noise, Sukhbaatar et al. 2015, section 4.2, with probability 0.1).
func (b *Batch) InsertEmptyRows(rng *rand.Rand, probability float64, maxRows int) {
	rows, offsets, w := slices.Clone(b.Rows), slices.Clone(b.Offsets), b.RowWidth
	empty := slices.Repeat([]int32{NoWord}, w)
	b.Rows = b.Rows[:0]
	for i := range b.Size() {
		free := maxRows - (offsets[i+1] - offsets[i])
		insert := func() {
			if free > 0 && rng.Float64() < probability {
				b.Rows = append(b.Rows, empty...)
				free--
			}
		}
		for r := offsets[i]; r < offsets[i+1]; r++ {
			insert()
			b.Rows = append(b.Rows, rows[r*w:(r+1)*w]...)
		}
		insert()
		b.Offsets[i+1] = len(b.Rows) / w
	}
}
