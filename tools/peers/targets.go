package main

import "strings"

// target returns the ratio to PyTorch's time that a step is to take at most, and
// false for a pairing without one: the aims of the project, printed next to
// what was measured. rows is PyTorch's arrangement.
func (c *contest) target(rows string) (most float64, ok bool) {
	switch {
	case c.model == "memo" && c.task == "babi" && rows == padded:
		return 0.1, true
	case c.model == "memo" && c.task == "babi":
		return 0.6, true
	case c.model == "memo" && c.task == "pai3", strings.HasPrefix(c.model, "memo") && c.task == "sp20-5-3":
		return 0.5, true
	case strings.HasPrefix(c.model, "emn"), c.model == "ut":
		return 0.7, true
	case c.model == "dnc":
		return 0.35, true
	}
	return 0, false
}

// speedupTarget returns how many times faster two threads are to be than one.
func (p pairing) speedupTarget() (least float64, ok bool) {
	return 1.6, p.task == "babi" || strings.HasPrefix(p.task, "sp")
}
