package memo

import "memobench/models/ops"

// Values of Config.Form: ways of reading the memory. All compute the same function.
const (
	// associative projects the query into word space and never builds keys or
	// values: K q = C (W_k^T q), w V = (w C) W_v^T.
	associative = "associative"
	// keys builds K and V once per batch, from the projections of the distinct
	// (slot, word) pairs, and reads them at every hop.
	keys = "keys"
	// pairs builds the keys and values of the distinct (slot, word) pairs alone. A
	// query is compared with each of them, a row's score is the sum over its words,
	// and attention is added up by pair before values are read.
	pairs = "pairs"
	// mapped is pairs with the values multiplied by W_q before they are read, once a
	// step: W_q (w V) = w (V W_q^T), head by head.
	mapped = "mapped"
)

// lookupCost is about how many multiply-adds of a matrix product take as long as
// adding one number from a table; a rough estimate, which only decides cost.
const lookupCost = 16

// choose returns the cheapest form for a batch of examples with rows memory
// rows in total, the given distinct pairs and so many answers, by multiply-adds
// of a forward pass; backward costs twice that in every form. What all forms
// share is left out: the embedding of each distinct word, which costs something
// where words are dense items, and W_c's gradient.
func (c *Config) choose(examples, rows, answers int, p *ops.Pairs) string {
	if c.Form != "auto" {
		return c.Form
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
	// word space, or two passes over keys and values, which all answers share, or
	// two products with all pairs and two passes over the rows' words.
	hops := answers * c.Hops
	best, least := associative, 2*hops*(examples*flat*row+rows*c.Heads*row)
	if byKeys := 2 * (build + hops*rows*flat); byKeys < least {
		best, least = keys, byKeys
	}
	if n := len(p.Words); c.separate() {
		products := hops * examples * n * flat // of scores, and of reading
		byPairs := 2 * (n*c.Embedding*flat + products + lookupCost*hops*rows*p.Slots*c.Heads)
		if byPairs < least {
			best, least = pairs, byPairs
		}
		// W_q times what was read, at every hop, or every answer's W_q times each
		// head's pairs and a product with those instead of one with values.
		project := hops * examples * flat * flat
		byMapped := answers*n*flat*flat + c.Heads*products
		if c.maps() && advantage*byMapped < project && byPairs-products+byMapped < least+project {
			best = mapped
		}
	}
	return best
}

// advantage is how many times fewer multiply-adds than the product that Mapped saves
// its own must take: they are narrower, and so slower.
const advantage = 2

// maps reports whether what is read is multiplied by W_q, and by pairs can be.
func (c *Config) maps() bool { return c.separate() && c.Recurrent }
