package memo

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"memobench/datasets"
	"memobench/datasets/must"
	"memobench/models/modeltest"
)

// reference is a second implementation of MEMO, for several answers: plain loops over examples,
// heads and rows, padded to I rows as in the paper, with keys and values of every row. It
// shares no code with the network.
type reference struct {
	cfg   *Config
	shape datasets.Shape
	p     map[string][]float64
}

func referenceOf(m *Model[float64], c *Config, s datasets.Shape) *reference {
	r := &reference{cfg: c, shape: s, p: map[string][]float64{}}
	for _, w := range m.Params.List() {
		r.p[w.Name] = w.Value
	}
	return r
}

// word returns the embedding of a word, zeros for none (eq. 7).
func (r *reference) word(b *datasets.Batch, id int32) []float64 {
	dc, wc := r.cfg.Embedding, r.p["Wc"]
	c := make([]float64, dc)
	for j := range c {
		switch {
		case id == datasets.NoWord:
		case b.Items == nil:
			c[j] = wc[int(id)*dc+j]
		default:
			for f, x := range b.Items.Row(id) {
				c[j] += float64(x) * wc[f*dc+j]
			}
		}
	}
	return c
}

// words returns the concatenated embeddings of a row's words; in the ablation their sum, each
// filled slot with the sinusoid of its position, counted from 0 (Vaswani et al. 2017, section
// 3.5).
func (r *reference) words(b *datasets.Batch, ids []int32) (vec []float64) {
	if r.cfg.Memory == "separate" {
		for _, id := range ids {
			vec = append(vec, r.word(b, id)...)
		}
		return vec
	}
	vec = make([]float64, r.cfg.Embedding)
	for s, id := range ids {
		if id == datasets.NoWord {
			continue
		}
		for j, v := range r.word(b, id) {
			sin, cos := math.Sincos(float64(s) * math.Pow(10000, -float64(j/2*2)/float64(len(vec))))
			vec[j] += v + []float64{sin, cos}[j%2]
		}
	}
	return vec
}

// row returns the width of a memory row.
func (r *reference) row(b *datasets.Batch) int {
	if r.cfg.Memory == "separate" {
		return b.RowWidth * r.cfg.Embedding
	}
	return r.cfg.Embedding
}

// times returns W x for a matrix that begins at w.
func times(w []float64, out int, x []float64) []float64 {
	y := make([]float64, out)
	for i := range y {
		for j, v := range x {
			y[i] += w[i*len(x)+j] * v
		}
	}
	return y
}

// own returns a parameter of answer a.
func (r *reference) own(a int) func(name string) []float64 {
	return func(name string) []float64 {
		if a > 0 {
			name += fmt.Sprint(".", a+1)
		}
		return r.p[name]
	}
}

// answer returns the scores of answer a of example i for a query.
func (r *reference) answer(b *datasets.Batch, i, a int, query []int32) []float64 {
	states := r.states(b, i, a, query)
	return r.scores(a, states[len(states)-1])
}

// states returns the queries of all heads after every hop.
func (r *reference) states(b *datasets.Batch, i, a int, query []int32) (states [][]float64) {
	heads, d, slots, own := r.cfg.Heads, r.cfg.Width, r.shape.MaxRows, r.own(a)
	used := b.Offsets[i+1] - b.Offsets[i]
	rows := make([][]float64, slots) // empty ones are zero
	for s := range rows {
		rows[s] = make([]float64, r.row(b))
		if s < used {
			at := (b.Offsets[i] + s) * b.RowWidth
			rows[s] = r.words(b, b.Rows[at:at+b.RowWidth])
		}
	}
	flat := times(own("Wq0"), heads*d, r.words(b, query)) // (10), head by head
	recalled := make([]float64, heads*d)
	if r.cfg.Recall {
		recalled = times(own("Wr"), heads*d, r.words(b, query))
	}
	for range r.cfg.Hops {
		var read []float64
		for h := range heads {
			q := flat[h*d : (h+1)*d]
			logits := make([]float64, slots)
			for s, c := range rows {
				k := times(r.p["Wk"][h*d*len(c):], d, c) // (8)
				for j := range k {
					logits[s] += r.cfg.Sharpness * k[j] * q[j] / math.Sqrt(float64(d))
				}
			}
			if r.cfg.Wh != "none" {
				logits = times(own("Wh"), slots, logits)
			}
			logits = logits[:used]
			if r.cfg.Sink {
				logits = append(slices.Clone(logits), 0)
			}
			w := softmax(logits)[:used] // (11), (12)
			linear := map[string]int{"linear": heads, "mixed": heads / 2}[r.cfg.Attention]
			if r.cfg.LinearHeads > 0 && r.cfg.Attention == "mixed" {
				linear = r.cfg.LinearHeads
			}
			if h >= heads-linear {
				w = logits[:used]
			}
			sum := make([]float64, d)
			for s := range w {
				for j, v := range times(r.p["Wv"][h*d*len(rows[s]):], d, rows[s]) { // (9)
					sum[j] += w[s] * v // (13)
				}
			}
			read = append(read, sum...)
		}
		flat = r.update(own, flat, read, recalled)
		states = append(states, flat)
	}
	return states
}

// scores returns the scores of answer a read from queries.
func (r *reference) scores(a int, flat []float64) []float64 {
	own := r.own(a)
	hidden := times(own("Wqa"), r.cfg.AnswerWidth, flat)
	for j := range hidden {
		hidden[j] = math.Max(0, hidden[j]+own("bqa")[j])
	}
	scores := times(own("Wa"), r.shape.Vocabulary, hidden) // (15)
	for o := range scores {
		scores[o] += own("ba")[o]
	}
	return scores
}

// update returns the queries of all heads after reading (eq. 14), or those of an ablation.
func (r *reference) update(own func(string) []float64, q, read, recalled []float64) []float64 {
	plus := func(x, y []float64) []float64 {
		sum := make([]float64, len(x))
		for j := range x {
			sum[j] = x[j] + y[j]
		}
		return sum
	}
	if !r.cfg.Recurrent {
		return plus(read, times(own("Wq"), len(q), q))
	}
	next := plus(plus(q, recalled), times(own("Wq"), len(q), read))
	group := map[string]int{"head": r.cfg.Width, "all": len(q)}[r.cfg.LayerNorm]
	if group == 0 {
		return next
	}
	var flat []float64
	for at := 0; at < len(q); at += group {
		flat = append(flat, normalized(next[at:at+group], own("ln_g"), own("ln_b"))...)
	}
	return flat
}

func softmax(x []float64) []float64 {
	y, sum := make([]float64, len(x)), 0.0
	for i, v := range x {
		y[i] = math.Exp(v)
		sum += y[i]
	}
	for i := range y {
		y[i] /= sum
	}
	return y
}

func normalized(x, gain, bias []float64) []float64 {
	mean, square := 0.0, 0.0
	for _, v := range x {
		mean += v / float64(len(x))
	}
	for _, v := range x {
		square += (v - mean) * (v - mean) / float64(len(x))
	}
	y := make([]float64, len(x))
	for j, v := range x {
		y[j] = gain[j]*(v-mean)/math.Sqrt(square+1e-5) + bias[j]
	}
	return y
}

// run returns all scores, [B x A x O], and the mean loss.
func (r *reference) run(b *datasets.Batch, truth bool) (scores []float64, loss float64) {
	for i := range b.Size() {
		query := append([]int32(nil), b.Queries[i*b.QueryWidth:(i+1)*b.QueryWidth]...)
		for a := range b.Answers {
			s := r.answer(b, i, a, query)
			scores = append(scores, s...)
			right, best := b.Targets[i*b.Answers+a], 0
			loss -= math.Log(softmax(s)[right]) / float64(b.Size()*b.Answers)
			for o, v := range s {
				if v > s[best] {
					best = o
				}
			}
			if query[r.shape.QuerySlot] = int32(best); truth {
				query[r.shape.QuerySlot] = right
			}
		}
	}
	return scores, loss
}

// TestAgainstReference compares scores, loss and gradients for one to three answers and for dense
// items with the reference; gradients along one random direction per parameter.
func TestAgainstReference(t *testing.T) {
	symbolic := testShape(false)
	symbolic.QuerySlot = 1
	two, three, dense := symbolic, symbolic, symbolic
	two.Answers, three.Answers, dense.ItemDim = 2, 3, 4
	for name, shape := range map[string]datasets.Shape{"one": symbolic, "two": two, "three": three, "items": dense} {
		for _, form := range []string{associative, keys, pairs, mapped} {
			for _, forced := range []bool{false, true}[:min(shape.Answers, 2)] {
				t.Run(fmt.Sprintf("%s, %s, teacher forcing %t", name, form, forced), func(t *testing.T) {
					c := small()
					c.Embedding, c.Width, c.AnswerWidth, c.Heads, c.Wh = 4, 5, 7, 2, "random"
					c.Form, c.TeacherForcing, c.DropoutAttention = form, forced, 0
					agrees(t, c, shape, forced)
				})
			}
		}
	}
}

// formsOf returns the forms that a changed network can be read in.
func formsOf(change func(*Config)) []string {
	c := small()
	change(c)
	if !c.separate() {
		return []string{associative, keys}
	}
	if !c.Recurrent {
		return []string{associative, keys, pairs}
	}
	return []string{associative, keys, pairs, mapped}
}

// TestAblationsAgainstReference does so for the ablations, and for pairs of them.
func TestAblationsAgainstReference(t *testing.T) {
	two := testShape(false)
	two.QuerySlot, two.Answers = 1, 2
	for name, change := range map[string]func(*Config){
		"not recurrent":         func(c *Config) { c.Recurrent = false },
		"no LayerNorm":          func(c *Config) { c.LayerNorm = "none" },
		"LayerNorm of all":      func(c *Config) { c.LayerNorm = "all" },
		"linear attention":      func(c *Config) { c.Attention = "linear" },
		"mixed attention":       func(c *Config) { c.Attention, c.Heads = "mixed", 3 },
		"two of three linear":   func(c *Config) { c.Attention, c.Heads, c.LinearHeads = "mixed", 3, 2 },
		"recall":                func(c *Config) { c.Recall = true },
		"recall, no LayerNorm":  func(c *Config) { c.Recall, c.LayerNorm = true, "none" },
		"sink":                  func(c *Config) { c.Sink = true },
		"sink, mixed":           func(c *Config) { c.Sink, c.Attention = true, "mixed" },
		"sharper attention":     func(c *Config) { c.Sharpness = 1.7 },
		"no W_h":                func(c *Config) { c.Wh = "none" },
		"summed":                func(c *Config) { c.Memory = "summed" },
		"summed, no LayerNorm":  func(c *Config) { c.Memory, c.LayerNorm = "summed", "none" },
		"summed, not recurrent": func(c *Config) { c.Memory, c.Recurrent = "summed", false },
	} {
		for _, form := range formsOf(change) {
			t.Run(fmt.Sprintf("%s, %s", name, form), func(t *testing.T) {
				c := small()
				c.Embedding, c.Width, c.AnswerWidth, c.Heads, c.Wh = 4, 5, 7, 2, "random"
				c.Form, c.DropoutAttention = form, 0
				change(c)
				agrees(t, c, two, false)
			})
		}
	}
}

func agrees(t *testing.T, c *Config, shape datasets.Shape, truth bool) {
	t.Helper()
	m, err := New[float64](c, shape, testTraining, 4)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(5, 6))
	for _, p := range m.Params.List() { // biases too
		for i := range p.Value {
			p.Value[i] += 0.2 * rng.NormFloat64()
		}
	}
	b := testBatch(shape)
	if shape.ItemDim > 0 {
		b.Items = &datasets.Items{Dim: shape.ItemDim}
		for range shape.Vocabulary * shape.ItemDim {
			b.Items.Data = append(b.Items.Data, float32(rng.NormFloat64()))
		}
	}
	ref := referenceOf(m, c, shape)
	predict := m.Predict
	if truth {
		predict = m.PredictTeacherForced
	}
	loss := must.Get(predict(b))(t).Loss
	n, _ := m.Last()
	near := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 1e-10*math.Max(1, math.Abs(want)) {
			t.Errorf("%s is %.15g, by the reference %.15g", what, got, want)
		}
	}
	want, wantLoss := ref.run(b, truth)
	for i, s := range n.Scores() {
		near(fmt.Sprintf("score %d", i), s, want[i])
	}
	near("loss", loss, wantLoss)
	loss = must.Get(m.Gradient(b))(t)
	near("loss in training", loss, wantLoss)

	modeltest.Slopes(t, m.Params, func() float64 {
		_, l := ref.run(b, truth)
		return l
	})
}
