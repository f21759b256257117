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
		pos := float64(len(c.codes) / c.dim)
		for j := range c.dim {
			angle := pos / math.Pow(10000, float64(j-j%2)/float64(c.dim))
			if j%2 == 0 {
				c.codes = append(c.codes, T(math.Sin(angle)))
			} else {
				c.codes = append(c.codes, T(math.Cos(angle)))
			}
		}
	}
	return c.codes[age*c.dim : (age+1)*c.dim]
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
