package ops

// Words points an operation at word ids: N lines of Width ids each. An id
// below 0 is an empty slot, whose embedding is zero.
type Words struct {
	Width int
	IDs   []int32 // [N x Width]
}

// Lines returns N.
func (w *Words) Lines() int { return len(w.IDs) / w.Width }

// Segments divides R packed rows among B examples: example b owns rows
// Offsets[b] to Offsets[b+1]-1 of every ragged array.
type Segments struct {
	Offsets []int // [B+1]

	// First is the first memory row of each example when the segments are a
	// part of a batch whose memory stays whole; nil means Offsets. Only the
	// memory that Scores and Read take is addressed by it.
	First []int // [B] or nil
}

// Len returns B.
func (s *Segments) Len() int { return len(s.Offsets) - 1 }

// Rows returns R.
func (s *Segments) Rows() int { return s.Offsets[len(s.Offsets)-1] }

// uniform returns the common number of rows per example, or 0.
func (s *Segments) uniform() int {
	if s.Len() == 0 {
		return 0
	}
	n := s.Offsets[1]
	for b := 1; b < s.Len(); b++ {
		if s.Offsets[b+1]-s.Offsets[b] != n {
			return 0
		}
	}
	return n
}

// first returns the first memory row of example b.
func (s *Segments) first(b int) int {
	if s.First == nil {
		return s.Offsets[b]
	}
	return s.First[b]
}

// Labels points an operation at the right answers.
type Labels struct {
	IDs []int32 // [B]
}
