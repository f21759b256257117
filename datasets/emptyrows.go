package datasets

import (
	"math/rand/v2"
	"slices"
)

// EmptyRows says where training examples get rows without words.
type EmptyRows struct {
	Probability float64 // of one before each row and behind the last
	MaxOffset   int     // 0 to so many behind the last row, every number as likely
	MaxRows     int     // of an example with its empty rows
}

// InsertEmptyRows puts empty rows into every example of b, as long as it keeps to
// MaxRows rows. The age of a row then differs between two
// readings of one story, and a model cannot learn stories by heart by the ages of
// their rows (random noise, Sukhbaatar et al. 2015, section 4.2, with probability 0.1;
// random offset of all ages, Palm et al. 2018).
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
