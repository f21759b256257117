// Package dnc is the Differentiable Neural Computer (Graves et al., "Hybrid
// computing using a neural network with dynamic external memory", Nature 2016)
// in the setting of the MEMO paper: one input step for each memory row, one
// for the query, and a number of pondering steps without input, after which
// the answer is read.
//
// The equations of a time step are numbered in the order of computation, and the file that
// holds each is named next to it. There are N slots of W numbers, R read heads and one
// write head:
//
//	     h_t = LSTM([x_t; r_{t-1}], h_{t-1})                           recurrence.go; W_x x_t: dnc.go
//	     interface vector = activations of W_i h_t + b_i               interface.go
//	(1)  C(M, k, beta)_n = softmax_n(beta cos(k, M_n))                 content.go
//	(2)  psi = product over r of (1 - f^r w^r_{t-1})                   usage.go
//	(3)  u_t = (u_{t-1} + w_{t-1} - u_{t-1} w_{t-1}) psi
//	(4)  a[phi_j] = (1 - u[phi_j]) product over i < j of u[phi_i]      usage.go
//	(5)  w_t = g^w (g^a a + (1 - g^a) C(M_{t-1}, k^w, beta^w))         access.go
//	(6)  M_t = M_{t-1} o (1 - w_t e^T) + w_t v^T
//	(7)  L_t[i, j] = (1 - w_i - w_j) L_{t-1}[i, j] + w_i p_{t-1, j}    linkage.go
//	(8)  p_t = (1 - sum of w_t) p_{t-1} + w_t
//	(9)  forward^r = L_t w^r_{t-1}, backward^r = L_t^T w^r_{t-1}
//	(10) w^r = pi_1 backward + pi_2 C(M_t, k^r, beta^r) + pi_3 forward access.go
//	     r^r = M_t^T w^r
//	(11) answer = W_a (W_y [h_T; r_T] + b_y) + b_a at the last step    dnc.go
//
// The setting answers says how several answers, such as the nodes of a path, are given.
// In both forms each answer has its own output layers (11), and the recurrence continues
// from the state at the previous answer (nextanswer.go).
//
//   - ponder (MEMO appendix B.1): the network reads the rows and the query and outputs
//     the answers during the pondering steps. With n rows and P pondering steps, answer
//     a of A, counted from 1, is (11) at step n + 1 + floor(a P / A). No answer is an
//     input, so a wrong answer does not mislead later ones, and everything is
//     differentiable. The paper states neither the steps between two nodes nor whether
//     nodes share output layers.
//   - requery: each answer has its own query, with its own embedding layer, and P
//     pondering steps after it. In the query the previous answer replaces the word
//     datasets.Shape.QuerySlot (the source of a path). The source is then known only
//     from what the memory and the controller still hold of the first query.
//
// With the setting bidirectional, a second LSTM of H units reads the first query and then
// the rows, newest first. Its state g_t is added to the input of the same row, x_t = W_e
// vec(c_t) + b_e + W_b g_t, so that what is written can depend on the question. Franke,
// Niehues and Waibel (2018) instead concatenate g_t with h_t in the interface and the
// output. W_b starts at 0, so the untrained network is the unidirectional one.
//
// With dense items W_c is a matrix over their features, [D x d_c].
//
// The recurrence over a batch, up to an answer, is one operation (recurrence.go). Stories
// may differ in length: nothing is computed for an example that has ended
// (ops.PackedSteps). BPTT needs every step's memory and links; if they would take more
// than 1 GiB, gradient checkpointing keeps some and recomputes the others (history.go).
//
// Our choices where the papers leave room:
//
//   - The number of slots is the task's largest number of memory rows, up to the 256 of
//     the DNC's bAbI experiments (the links are quadratic in the slots).
//   - Rows are embedded as in MEMO, with separate words, and pass a linear layer.
//   - A second linear layer maps the DNC's output to the answers.
//   - Answers share the controller and the memory.
//   - Strengths are 1 + softplus; norms in cosines are sqrt(sum x^2 + 1e-6).
//   - The free list has no gradient, the products along it have one. Gradients flow
//     through the previous write weights. Nothing is clipped.
//   - Initial values are a setting (parameters.go).
package dnc

import (
	"memobench/datasets"
	"memobench/models"
	"memobench/models/engine"
	"memobench/models/layers"
	"memobench/models/ops"
)

func init() {
	models.Register("dnc", "DNC",
		"Differentiable Neural Computer (Graves et al. 2016): LSTM controller, one input step per memory row, pondering steps",
		Defaults, New[float32])
}

// New returns a DNC with fresh weights for tasks of the given shape, over float32, or
// float64 in tests against reference values.
func New[T engine.Float](cfg *Config, shape datasets.Shape, t models.Training, seed uint64) (*layers.Model[T, *Network[T]], error) {
	return layers.New(cfg, design[T], shape, t, seed)
}

func design[T engine.Float](c *Config, shape datasets.Shape) layers.Design[T, *Network[T]] {
	d := layers.Design[T, *Network[T]]{
		Name: "dnc", Specs: specs(c, shape),
		Network:        func(n layers.Network[T]) *Network[T] { return &Network[T]{Network: n, cfg: c} },
		Queries:        c.queries(),
		TeacherForcing: c.TeacherForcing,
	}
	if !c.Bidirectional { // else the query comes before the rows
		d.Form = func(in *layers.Input) string {
			if in.MergeMemories() {
				return readOnce
			}
			return ""
		}
	}
	return d
}

// readOnce is the form of a batch in which examples share memories. The recurrence over the
// rows is then an operation of its own, which reads each memory once.
const readOnce = "read once"

// Network is one graph of the DNC. The rows are read once; the recurrence for an answer
// continues from the previous answer.
type Network[T engine.Float] struct {
	layers.Network[T]
	cfg         *Config
	recurrences []*recurrence[T] // of the rows if they are read once, and of the answers that take a step
	single      ops.Segments     // the query alone
}

// Begin sets the batch's pairs and the segments of its queries.
func (n *Network[T]) Begin() {
	n.In.FindPairs(&n.In.Rows, false)
	n.single.SetSingles(n.In.Segments.Len())
}

// Build adds the equations.
func (n *Network[T]) Build() {
	g := n.Graph
	wx := g.Apply(&ops.FirstColumns[T]{Columns: n.cfg.Input}, g.Param("Wx"))
	// W_x times the rows, later the result of the recurrence; W_x times the queries.
	var last, queryGates *engine.Node
	n.Decode(func(t *layers.DecodingStep[T]) {
		ponder := n.cfg.steps(t.Number, n.In.Shape.Answers)
		queried := t.Number == 0 || n.cfg.Answers == answersRequery
		if queried {
			query := t.Linear(t.ApplyToQuery(&ops.Embed[T]{Words: t.Query()}, n.Table("Wc")), "Weq", "beq")
			queryGates = g.Apply(&ops.Project[T]{}, query, wx)
			if t.Number == 0 {
				last = n.rowGates(wx, query)
			}
		}
		advance := func(queried bool, ponder int) {
			last = g.Apply(n.recurrence(queried, ponder), last, queryGates, g.Param("Wx"), g.Param("Wh"), g.Param("b"), g.Param("Wi"), g.Param("bi"))
		}
		if t.Number == 0 && n.Form == readOnce {
			advance(false, 0)
			n.recurrences[0].segments = &n.In.Memories
		}
		if queried || ponder > 0 {
			advance(queried, ponder)
		}
		t.Scores = t.Linear(t.Linear(last, "Wy", "by"), "Wa", "ba") // (11)
		t.Loss = t.CrossEntropy(t.Scores)
	})
}

// rowGates returns the part of the gates that comes from the rows, [R x 4H]: wx, the first E
// columns of W_x, times
//
//	x = W_e vec(c) + b_e
//
// or, if bidirectional, x + W_b g with the state g of an LSTM that has read the query and the
// later rows.
func (n *Network[T]) rowGates(wx, query *engine.Node) *engine.Node {
	g := n.Graph
	pairs := g.Apply(&ops.EmbedProject[T]{Pairs: &n.In.Pairs, Distinct: true}, n.Table("Wc"), g.Param("We"))
	project := func(w *engine.Node) *engine.Node {
		return g.Apply(&ops.ProjectPairs[T]{Pairs: &n.In.Pairs}, pairs, g.Param("be"), w)
	}
	if !n.cfg.Bidirectional {
		return project(wx)
	}
	weights := g.Param("Whb")
	state := g.Apply(&ops.LSTM[T]{Segments: &n.single}, n.Linear(query, "Wxb", "bb"), weights)
	gates := g.Apply(&ops.Bias[T]{}, project(g.Param("Wxb")), g.Param("bb"))
	states := g.Apply(&ops.LSTM[T]{Segments: &n.In.Segments, Backwards: true}, gates, weights, state)
	product := g.Apply(&ops.Project[T]{Transpose: true}, wx, g.Param("Wb")) // W_x W_b
	return g.Apply(&ops.Project[T]{}, states, product, project(wx))
}

// recurrence returns the operation for the next answer.
func (n *Network[T]) recurrence(queried bool, ponder int) *recurrence[T] {
	histories := n.In.Shape.Answers
	if n.Form == readOnce {
		histories++
	}
	r := &recurrence[T]{
		cell: cell[T]{
			sizes: n.cfg.sizes(n.In.Shape), epsilon: T(n.cfg.ContentEpsilon),
			history: history[T]{budget: defaultBudget / histories},
		},
		segments: &n.In.Segments, queried: queried, ponder: ponder, training: n.Training,
	}
	if len(n.recurrences) > 0 {
		r.before = n.recurrences[len(n.recurrences)-1]
		r.before.after = r
		if n.Form == readOnce {
			r.asked = &n.In.Asked
		}
	}
	n.recurrences = append(n.recurrences, r)
	return r
}
