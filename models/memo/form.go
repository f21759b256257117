package memo

import "memobench/models/ops"

// Form is a way of reading the memory. Both compute the same function.
type Form string

const (
	// Associative projects the query into word space and never builds keys or
	// values: K q = C (W_k^T q), w V = (w C) W_v^T.
	Associative Form = "associative"
	// Keys builds K and V once per batch, from the projections of the distinct
	// (slot, word) pairs, and reads them at every hop.
	Keys Form = "keys"
)

// choose returns the cheaper form for a batch of examples with rows memory
// rows in total, the given distinct pairs and so many answers, by multiply-adds
// of a forward pass; backward costs twice that in either form. What both forms
// share is left out: the embedding of each distinct word, which costs something
// where words are dense items, and W_c's gradient.
func (c *Config) choose(examples, rows, answers int, p *ops.Pairs) Form {
	if c.Form != "auto" {
		return Form(c.Form)
	}
	flat, row := c.Heads*c.Width, p.Slots*c.Embedding
	// Building K or V: project the distinct pairs, add them up per row; where a
	// row is one sum of words, project every row.
	build := len(p.Words)*c.Embedding*flat + rows*p.Slots*flat
	if !c.separate() {
		row = c.Embedding
		build = rows * row * flat
	}
	// Per hop of each answer, two projections of each query and two passes over
	// word space, or two passes over keys and values, which all answers share.
	hops := answers * c.Hops
	associative := 2 * hops * (examples*flat*row + rows*c.Heads*row)
	keys := 2 * (build + hops*rows*flat)
	if associative <= keys {
		return Associative
	}
	return Keys
}
