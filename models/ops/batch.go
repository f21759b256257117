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
// Offsets[b] to Offsets[b+1]-1.
type Segments struct {
	Offsets []int // [B+1]
}

// Len returns B.
func (s *Segments) Len() int { return len(s.Offsets) - 1 }

// Rows returns R.
func (s *Segments) Rows() int { return s.Offsets[len(s.Offsets)-1] }

// uniform returns the common number of rows per example, or 0.
func (s *Segments) uniform() int {
	n := s.Offsets[1]
	for b := 1; b < s.Len(); b++ {
		if s.Offsets[b+1]-s.Offsets[b] != n {
			return 0
		}
	}
	return n
}

// Labels points an operation at the right answers.
type Labels struct {
	IDs []int32 // [B]
}
