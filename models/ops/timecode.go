package ops

import (
	"math"

	"memobench/models/engine"
)

// TimeCode is the sinusoidal code of a row's age (Vaswani et al. 2017, section
// 3.5): component 2k is sin(age / 10000^(2k/d)), component 2k+1 the cosine. Age
// 0 is the most recent row of an example, so the code of the newest sentences
// does not depend on the length of the story.
type TimeCode[T engine.Float] struct {
	Segments *Segments
	dim      int
	codes    []T // [ages so far x dim], grown on demand
}

// NewTimeCode returns the code of the given width for the rows of seg.
func NewTimeCode[T engine.Float](seg *Segments, dim int) *TimeCode[T] {
	return &TimeCode[T]{Segments: seg, dim: dim}
}

// Code returns the code of an age.
func (c *TimeCode[T]) Code(age int) []T {
	for len(c.codes) <= age*c.dim {
		c.codes = appendSinusoid(c.codes, len(c.codes)/c.dim, c.dim)
	}
	return c.codes[age*c.dim : (age+1)*c.dim]
}

// appendSinusoid appends the code of one position.
func appendSinusoid[T engine.Float](codes []T, position, dim int) []T {
	for j := range dim {
		angle := float64(position) / math.Pow(10000, float64(j-j%2)/float64(dim))
		if j%2 == 0 {
			codes = append(codes, T(math.Sin(angle)))
		} else {
			codes = append(codes, T(math.Cos(angle)))
		}
	}
	return codes
}

// Sinusoids returns the codes of positions 0 to n-1, [n x dim], in the form of
// TimeCode.
func Sinusoids[T engine.Float](n, dim int) []T {
	var codes []T
	for pos := range n {
		codes = appendSinusoid(codes, pos, dim)
	}
	return codes
}

// eachAge calls f for every packed row of seg with its age.
func eachAge(seg *Segments, f func(row, age int)) {
	for b := range seg.Len() {
		end := seg.Offsets[b+1]
		for row := seg.Offsets[b]; row < end; row++ {
			f(row, end-1-row)
		}
	}
}
