package encoder

import (
	"math/rand/v2"
	"slices"
	"testing"

	"memobench/datasets"
	"memobench/models/engine"
)

// small returns a configuration of a few weights.
func small() Config {
	c := Defaults()
	c.Embedding, c.Hidden, c.Attention, c.Heads, c.Transition = 8, 12, 16, 2, 16
	return c
}

// logit is the initial attention logit between a token and a row, given their words, summed over
// heads: x W_q^T W_k y, without positions. matrix embeds the token.
func logit(p *engine.Params[float64], c *Config, matrix string, token, row []int) float64 {
	embed := func(matrix string, words []int) []float64 {
		out, w := make([]float64, c.Hidden), p.Get(matrix).Value
		for slot, word := range words {
			for h := range out {
				for e := range c.Embedding {
					out[h] += w[h*len(words)*c.Embedding+slot*c.Embedding+e] * p.Get("Wc").Value[word*c.Embedding+e]
				}
			}
		}
		return out
	}
	x, y := embed(matrix, token), embed("We", row)
	sum := 0.0
	for a := range c.Attention {
		q, k := 0.0, 0.0
		for h := range c.Hidden {
			q += p.Get("Wq").Value[a*c.Hidden+h] * x[h]
			k += p.Get("Wk").Value[a*c.Hidden+h] * y[h]
		}
		sum += q * k
	}
	return sum
}

// With init associate an untrained network prefers the row that shares a word with the query, at
// any position; with init neutral it is at chance. The same holds for two rows.
func TestAssociateFindsSharedWords(t *testing.T) {
	shape := datasets.Shape{Vocabulary: 200, MaxRows: 4, RowWidth: 2, QueryWidth: 3, Answers: 1}
	for start, want := range map[string][2]float64{initNeutral: {0.35, 0.65}, initAssociate: {0.85, 1}} {
		c := Defaults()
		c.Init = start
		p := engine.NewParams[float64](c.Specs(shape, c.Block(""), nil), 5)
		for _, matrix := range []string{"Weq", "We"} {
			rng := rand.New(rand.NewPCG(1, 2))
			right := 0
			const trials = 100
			for range trials {
				words := rng.Perm(shape.Vocabulary)
				asking := words[:len(p.Get(matrix).Value)/c.Hidden/c.Embedding]
				shared := slices.Clone(words[10:12])
				shared[rng.IntN(2)] = asking[rng.IntN(len(asking))]
				if logit(p, &c, matrix, asking, shared) > logit(p, &c, matrix, asking, words[12:14]) {
					right++
				}
			}
			if got := float64(right) / trials; got < want[0] || got > want[1] {
				t.Errorf("%s, token of %s: the row with a shared word is preferred in %.2f of all cases, want %.2f to %.2f", start, matrix, got, want[0], want[1])
			}
		}
	}
}
