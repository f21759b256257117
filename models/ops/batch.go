package ops

import (
	"memobench/models/engine"
	"memobench/models/vector"
)

// Words holds word ids: N rows of Width ids. An id below 0 is an empty slot, whose embedding
// is zero.
type Words struct {
	Width int
	IDs   []int32 // [N x Width]
}

// Rows returns N.
func (w *Words) Rows() int { return len(w.IDs) / w.Width }

// Segments divides R packed rows among B examples: example b owns rows
// Offsets[b] to Offsets[b+1]-1 of every ragged array.
type Segments struct {
	Offsets []int // [B+1]

	// First is the first memory row of each example if the segments are a subset of a
	// batch's examples, or if examples share memories; if empty, it is Offsets. It addresses
	// only the memory of Scores and Read and their pair forms.
	First []int // [B] or empty
}

// Len returns B.
func (s *Segments) Len() int { return len(s.Offsets) - 1 }

// Rows returns R.
func (s *Segments) Rows() int { return s.Offsets[len(s.Offsets)-1] }

// uniform returns the number of rows per example if all are equal, else 0.
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
	if len(s.First) == 0 {
		return s.Offsets[b]
	}
	return s.First[b]
}

// sharing returns the end of the examples from b on that have the memory of example b.
func (s *Segments) sharing(b int) (end int) {
	rows := s.Offsets[b+1] - s.Offsets[b]
	for end = b + 1; end < len(s.First) && s.First[end] == s.First[b] && s.Offsets[end+1]-s.Offsets[end] == rows; end++ {
	}
	return end
}

// DistinctRows lists the distinct rows of Words: the 6,400 edges of 64 graphs of 20 nodes are 380.
type DistinctRows struct {
	Words         // the distinct rows, in the order of their first places
	Index []int32 // [R] distinct row of each row

	seen map[int64]int32 // scratch of Find: number of each (number of the words before, next word)
}

// Find fills d from w.
func (d *DistinctRows) Find(w *Words) {
	if d.seen == nil {
		d.seen = map[int64]int32{}
	}
	n := w.Rows()
	d.Index = vector.Grow(d.Index, n)
	clear(d.Index)
	for s := range w.Width {
		clear(d.seen)
		for r, before := range d.Index {
			key := int64(before)<<32 | int64(uint32(w.IDs[r*w.Width+s]))
			number, seen := d.seen[key]
			if !seen {
				number = int32(len(d.seen))
				d.seen[key] = number
			}
			d.Index[r] = number
		}
	}
	d.Width, d.IDs = w.Width, d.IDs[:0]
	for r, number := range d.Index {
		if int(number) == d.Rows() {
			d.IDs = append(d.IDs, w.IDs[r*w.Width:(r+1)*w.Width]...)
		}
	}
}

// Pairs lists the distinct (slot, word) pairs of memory rows, all R or the distinct ones. Each is
// projected only once: a bAbI batch of 128 has about 14,000 words but only a few hundred pairs.
type Pairs struct {
	Slots int     // word slots, and the time slot if there is one
	Start []int   // [Slots+1] index of the first pair of each slot
	Words []int32 // word (in the time slot: age) of each pair
	Index []int32 // [R x Slots] pair of each slot of each row, -1 if empty

	seen []int32 // scratch: by word, its pair in the current slot plus one, or 0
}

// Find fills p from the words of a batch. With ages, an additional slot holds each row's age.
// vocabulary and maxRows bound the ids.
func (p *Pairs) Find(words *Words, seg *Segments, vocabulary, maxRows int, ages bool) {
	width, rows := words.Width, words.Rows()
	p.Slots = width
	if ages {
		p.Slots++
	}
	span := max(vocabulary, maxRows)
	if len(p.seen) < span {
		p.seen = make([]int32, span)
	}
	p.Index, p.Words, p.Start = vector.Grow(p.Index, rows*p.Slots), p.Words[:0], append(p.Start[:0], 0)
	for s := range width {
		for r := range rows {
			p.Index[r*p.Slots+s] = p.pair(words.IDs[r*width+s])
		}
		p.endSlot()
	}
	if ages {
		eachAge(seg, func(row, age int) { p.Index[row*p.Slots+width] = p.pair(int32(age)) })
		p.endSlot()
	}
}

// Rows returns the number of rows.
func (p *Pairs) Rows() int { return len(p.Index) / p.Slots }

// addPairs adds to each of the rows [R x width] its pairs [P x width].
func addPairs[T engine.Float](rows []T, p *Pairs, pairs []T, width int) {
	for i, pair := range p.Index {
		if pair >= 0 {
			at := i / p.Slots * width
			vector.Add(rows[at:at+width], pairs[int(pair)*width:])
		}
	}
}

// addToPairs adds each of the rows [R x width] to its pairs [P x width].
func addToPairs[T engine.Float](pairs []T, p *Pairs, rows []T, width int) {
	for i, pair := range p.Index {
		if pair >= 0 {
			at := int(pair) * width
			vector.Add(pairs[at:at+width], rows[i/p.Slots*width:])
		}
	}
}

// pair returns the index of the pair (current slot, word), which it adds if new.
func (p *Pairs) pair(word int32) int32 {
	if word < 0 {
		return -1
	}
	if p.seen[word] == 0 {
		p.Words = append(p.Words, word)
		p.seen[word] = int32(len(p.Words))
	}
	return p.seen[word] - 1
}

// endSlot ends the current slot and resets seen.
func (p *Pairs) endSlot() {
	for _, w := range p.Words[p.Start[len(p.Start)-1]:] {
		p.seen[w] = 0
	}
	p.Start = append(p.Start, len(p.Words))
}
