package dnc

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"testing"

	"memobench/datasets"
	"memobench/datasets/must"
	"memobench/models/layers"
)

// reference is a second implementation of the DNC from the equations of the package
// documentation: one example, plain loops, no batch, no tape.
type reference struct {
	c      *Config
	slots  int
	weight func(name string) []float64

	hidden, cells, reads     []float64
	memory, links            [][]float64
	usage, precedence, write []float64
	read                     [][]float64 // [R][N]
}

func newReference(c *Config, slots int, weight func(string) []float64) *reference {
	matrix := func(n, m int) [][]float64 {
		x := make([][]float64, n)
		for i := range x {
			x[i] = make([]float64, m)
		}
		return x
	}
	return &reference{c: c, slots: slots, weight: weight,
		hidden: make([]float64, c.Hidden), cells: make([]float64, c.Hidden), reads: make([]float64, c.ReadHeads*c.Word),
		memory: matrix(slots, c.Word), links: matrix(slots, slots), read: matrix(c.ReadHeads, slots),
		usage: make([]float64, slots), precedence: make([]float64, slots), write: make([]float64, slots)}
}

// linear returns W x + b.
func (r *reference) linear(w, b string, x []float64) []float64 {
	y, matrix := slices.Clone(r.weight(b)), r.weight(w)
	for i := range y {
		for j, v := range x {
			y[i] += matrix[i*len(x)+j] * v
		}
	}
	return y
}

// embed returns the controller's input for some words.
func (r *reference) embed(words []int32, w, b string) []float64 {
	var x []float64
	for _, id := range words {
		e := make([]float64, r.c.Embedding)
		if id >= 0 {
			copy(e, r.weight("Wc")[int(id)*r.c.Embedding:])
		}
		x = append(x, e...)
	}
	return r.linear(w, b, x)
}

func sigmoid(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

func softmax(x []float64) []float64 {
	sum, y := 0.0, make([]float64, len(x))
	for i, v := range x {
		y[i] = math.Exp(v)
		sum += y[i]
	}
	for i := range y {
		y[i] /= sum
	}
	return y
}

// content is (1).
func (r *reference) content(key []float64, strength float64) []float64 {
	x := make([]float64, r.slots)
	for n, row := range r.memory {
		dot, k, m := 0.0, r.c.ContentEpsilon, r.c.ContentEpsilon
		for i, v := range key {
			dot, k, m = dot+v*row[i], k+v*v, m+row[i]*row[i]
		}
		x[n] = (1 + math.Log1p(math.Exp(strength))) * dot / math.Sqrt(k*m)
	}
	return softmax(x)
}

// lstm returns h_t from h_{t-1} and changes the cells.
func (r *reference) lstm(gates, recurrent, hidden, cells []float64) []float64 {
	h := len(hidden)
	for i := range gates {
		for j, v := range hidden {
			gates[i] += recurrent[i*h+j] * v
		}
	}
	next := make([]float64, h)
	for i := range h {
		cells[i] = sigmoid(gates[h+i])*cells[i] + sigmoid(gates[i])*math.Tanh(gates[3*h+i])
		next[i] = sigmoid(gates[2*h+i]) * math.Tanh(cells[i])
	}
	return next
}

// readBackwards adds to the rows' inputs the states of a second LSTM; the query is last.
func (r *reference) readBackwards(inputs [][]float64) {
	hidden, cells := make([]float64, r.c.Hidden), make([]float64, r.c.Hidden)
	for t := len(inputs) - 1; t >= 0; t-- {
		hidden = r.lstm(r.linear("Wxb", "bb", inputs[t]), r.weight("Whb"), hidden, cells)
		if t == len(inputs)-1 {
			continue
		}
		for i := range inputs[t] {
			for j, v := range hidden {
				inputs[t][i] += r.weight("Wb")[i*r.c.Hidden+j] * v
			}
		}
	}
}

// step takes one input.
func (r *reference) step(x []float64) {
	w, heads, slots := r.c.Word, r.c.ReadHeads, r.slots
	r.hidden = r.lstm(r.linear("Wx", "b", append(slices.Clone(x), r.reads...)), r.weight("Wh"), r.hidden, r.cells)
	e := split(r.linear("Wi", "bi", r.hidden), heads, w) // linear

	for n := range slots { // (2), (3)
		kept := 1.0
		for head := range heads {
			kept *= 1 - sigmoid(e.freeGates[head])*r.read[head][n]
		}
		r.usage[n] = (r.usage[n] + r.write[n] - r.usage[n]*r.write[n]) * kept
	}
	order, before, allocation := make([]int, slots), 1.0, make([]float64, slots) // (4)
	for n := range order {
		order[n] = n
	}
	sort.SliceStable(order, func(i, j int) bool { return r.usage[order[i]] < r.usage[order[j]] })
	for _, n := range order {
		allocation[n] = (1 - r.usage[n]) * before
		before *= r.usage[n]
	}
	found, total := r.content(e.writeKey, e.writeStrength[0]), 0.0
	for n := range slots { // (5), (6)
		share := sigmoid(e.allocationGate[0])
		r.write[n] = sigmoid(e.writeGate[0]) * (share*allocation[n] + (1-share)*found[n])
		total += r.write[n]
		for i := range w {
			r.memory[n][i] = r.memory[n][i]*(1-r.write[n]*sigmoid(e.erase[i])) + r.write[n]*e.writeVector[i]
		}
	}
	for i := range slots { // (7)
		for j := range slots {
			if i != j {
				r.links[i][j] = (1-r.write[i]-r.write[j])*r.links[i][j] + r.write[i]*r.precedence[j]
			}
		}
	}
	for n := range slots { // (8)
		r.precedence[n] = (1-total)*r.precedence[n] + r.write[n]
	}
	r.reads = make([]float64, heads*w)
	for head := range heads { // (9), (10)
		mode, old := softmax(e.readModes[3*head:3*head+3]), r.read[head]
		now := r.content(e.readKeys[head*w:(head+1)*w], e.readStrengths[head])
		for i := range slots {
			now[i] *= mode[1]
			for j := range slots {
				now[i] += (mode[0]*r.links[j][i] + mode[2]*r.links[i][j]) * old[j]
			}
		}
		r.read[head] = now
		for n, weight := range now {
			for i := range w {
				r.reads[head*w+i] += weight * r.memory[n][i]
			}
		}
	}
}

// answer is (11).
func (r *reference) answer(suffix string) []float64 {
	y := r.linear("Wy"+suffix, "by"+suffix, append(slices.Clone(r.hidden), r.reads...))
	return r.linear("Wa"+suffix, "ba"+suffix, y)
}

// TestReference compares the scores of all answers with the reference, in both forms of several
// answers.
func TestReference(t *testing.T) {
	shape := testShape()
	shape.QuerySlot = 1
	b := func(answers int) *datasets.Batch { shape.Answers = answers; return testBatch(shape) }
	for _, form := range []string{answersPonder, answersRequery} {
		for _, c := range []struct{ answers, ponder int }{{1, 2}, {2, 5}, {2, 1}, {2, 0}, {3, 2}, {3, 7}} {
			t.Run(fmt.Sprintf("%s, %d answers, %d steps", form, c.answers, c.ponder), func(t *testing.T) {
				batch := b(c.answers)
				m := must.Get(tiny(shape, func(cfg *Config) {
					cfg.Answers, cfg.Ponder, cfg.Slots, cfg.Bidirectional = form, c.ponder, 4, c.ponder == 2
				}))(t)
				tr := must.Get(m.Trace(batch))(t)
				var want []float64
				for i := range batch.Size() {
					want = append(want, answersOf(m, batch, i, form, c.ponder)...)
				}
				for i, v := range want {
					if math.Abs(tr.Scores[i]-v) > 1e-8*math.Abs(v) {
						t.Fatalf("score %d is %.12g, want %.12g", i, tr.Scores[i], v)
					}
				}
			})
		}
	}
}

// answersOf returns the scores of an example's answers.
func answersOf(m *layers.Model[float64, *Network[float64]], b *datasets.Batch, example int, form string, ponder int) (scores []float64) {
	c := small()
	c.Embedding, c.Input, c.Hidden, c.Output, c.Word, c.ContentEpsilon = 3, 3, 4, 4, 3, 1e-2
	r := newReference(c, 4, func(name string) []float64 { return m.Params.Get(name).Value })
	query, blank := slices.Clone(b.Queries[example*b.QueryWidth:(example+1)*b.QueryWidth]), make([]float64, c.Input)
	var inputs [][]float64
	for row := b.Offsets[example]; row < b.Offsets[example+1]; row++ {
		inputs = append(inputs, r.embed(b.Rows[row*b.RowWidth:(row+1)*b.RowWidth], "We", "be"))
	}
	inputs = append(inputs, r.embed(query, "Weq", "beq"))
	if ponder == 2 { // bidirectional
		r.readBackwards(inputs)
	}
	for _, x := range inputs {
		r.step(x)
	}
	taken := 0
	for a := range b.Answers {
		suffix, until := "", ponder*(a+1)/b.Answers // all of the pondering steps are taken at the last answer
		if a > 0 {
			suffix = fmt.Sprint(".", a+1)
		}
		if form == answersRequery {
			if until = (a + 1) * ponder; a > 0 {
				last := scores[len(scores)-11:]
				query[1] = int32(slices.Index(last, slices.Max(last)))
				r.step(r.embed(query, "Weq"+suffix, "beq"+suffix))
			}
		}
		for ; taken < until; taken++ {
			r.step(blank)
		}
		scores = append(scores, r.answer(suffix)...)
	}
	return scores
}
