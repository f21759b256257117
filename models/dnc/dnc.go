// Package dnc is the Differentiable Neural Computer (Graves et al., "Hybrid
// computing using a neural network with dynamic external memory", Nature 2016)
// in the setting of the MEMO paper: one input step for each memory row, one
// for the query, and a number of pondering steps without input, after which
// the answer is read.
//
// The equations of a step, each in the file named next to it and numbered in
// the order in which they are computed; N slots, W numbers a slot, R read
// heads, one write head:
//
//	     h_t = LSTM([x_t; r_{t-1}], h_{t-1})                           recurrence.go
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
// Several answers, such as the nodes of a path, are given in one of two forms, the
// setting answers. An answer has output layers of its own, (11), in either, and what
// is computed for it continues from the answer before (nextanswer.go).
//
//   - ponder, the form of the MEMO paper's appendix B.1: the graph's tuples are read,
//     then the query, and after that the pondering steps are used to output the
//     sequence of nodes. With n rows and P pondering steps answer a of A, counted
//     from 1, is (11) at step n + 1 + floor(a P / A), without input since the query. No answer is an input, so a wrong one does not mislead those after
//     it, and the whole is differentiable. The paper does not say how many steps are
//     between two nodes, nor whether nodes share output layers.
//   - requery: each answer has a query of its own, in which the answer before
//     replaces the word datasets.Shape.QuerySlot (on paths the source), an embedding
//     of its own for it, and P pondering steps after it. The source is then known
//     only from what the memory and the controller still hold of the first query.
//
// With the setting bidirectional the controller's inputs know what follows them: an LSTM
// of H units reads the first query and then the rows, the newest first, and its state g_t
// is added to the input of the same row, x_t = W_e vec(c_t) + b_e + W_b g_t, so that what
// is written can depend on the question. Franke, Niehues and Waibel (2018) give g_t to the
// interface and the output, beside h_t. W_b starts at 0, which leaves the other initial
// values their meaning.
//
// With dense items W_c is a matrix over their features, [D x d_c].
//
// The recurrence over a batch, up to an answer, is one operation (recurrence.go). Stories
// may differ in length: nothing is computed for an example that has ended
// (ops.Timetable). The backward pass needs every step's memory and links; when
// they would take more than 1 GiB it keeps some and computes the others again
// (history.go).
//
// Our readings, where the papers leave room: the number of slots is the task's
// largest number of memory rows, up to the 256 of the DNC's bAbI experiments
// (its links are quadratic in the slots); rows are embedded as in MEMO, words
// kept separate, and a linear layer makes the controller's input of them; the
// DNC's output has no softmax of its own but a second linear layer to the
// answers; answers share the controller and the memory; strengths are 1 + softplus; norms in cosines are
// sqrt(sum x^2 + 1e-6); the free list has no gradient, the products along it
// have; gradients flow through the previous write weights; nothing is clipped.
// Initial values are a setting (parameters.go).
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
func New[T engine.Float](cfg *Config, shape datasets.Shape, t models.Training, seed uint64) (*layers.Shell[T, *network[T]], error) {
	return layers.New(cfg, design[T], shape, t, seed)
}

func design[T engine.Float](c *Config, shape datasets.Shape) layers.Design[T, *network[T]] {
	return layers.Design[T, *network[T]]{
		Name: "dnc", Specs: specs(c, shape),
		Network:        func(n layers.Network[T]) *network[T] { return &network[T]{Network: n, cfg: c} },
		Queries:        c.queries(),
		TeacherForcing: c.TeacherForcing,
	}
}

// network is one graph of the DNC: the rows are read once, and what is computed
// for an answer continues from the answer before.
type network[T engine.Float] struct {
	layers.Network[T]
	cfg      *Config
	memories []*recurrence[T] // [A], without those that take no step
	single   ops.Segments     // the query alone
}

// Begin finds the batch's queries.
func (n *network[T]) Begin() { n.single.SetSingles(n.In.Segments.Len()) }

// Build adds the equations.
func (n *network[T]) Build() {
	g := n.Graph
	last := n.Linear(g.Apply(&ops.Embed[T]{Words: &n.In.Rows}, n.Table("Wc")), "We", "be")
	var query *engine.Node
	n.Decode(func(t *layers.DecodingStep[T]) {
		ponder := n.cfg.steps(t.Number, n.In.Shape.Answers)
		queried := t.Number == 0 || n.cfg.Answers == answersRequery
		if queried {
			query = t.Linear(t.ApplyToQuery(&ops.Embed[T]{Words: t.Query()}, n.Table("Wc")), "Weq", "beq")
		}
		if t.Number == 0 && n.cfg.Bidirectional {
			last = n.readBackwards(last, query)
		}
		if queried || ponder > 0 {
			last = g.Apply(n.recurrence(queried, ponder), last, query, g.Param("Wx"), g.Param("Wh"), g.Param("b"), g.Param("Wi"), g.Param("bi"))
		}
		t.Scores = t.Linear(t.Linear(last, "Wy", "by"), "Wa", "ba") // (11)
		t.Loss = t.CrossEntropy(t.Scores)
	})
}

// readBackwards adds to each row what an LSTM knows of the query and the later rows.
func (n *network[T]) readBackwards(rows, query *engine.Node) *engine.Node {
	g := n.Graph
	weights := g.Param("Whb")
	asked := g.Apply(&ops.LSTM[T]{Segments: &n.single}, n.Linear(query, "Wxb", "bb"), weights)
	states := g.Apply(&ops.LSTM[T]{Segments: &n.In.Segments, Backwards: true}, n.Linear(rows, "Wxb", "bb"), weights, asked)
	return g.Apply(&ops.Sum[T]{}, rows, g.Apply(&ops.Project[T]{}, states, g.Param("Wb")))
}

// recurrence returns the operation for the next answer.
func (n *network[T]) recurrence(queried bool, ponder int) *recurrence[T] {
	r := &recurrence[T]{
		cell: cell[T]{
			sizes: n.cfg.sizes(n.In.Shape), epsilon: T(n.cfg.ContentEpsilon),
			history: history[T]{budget: defaultBudget / n.In.Shape.Answers},
		},
		segments: &n.In.Segments, queried: queried, ponder: ponder, training: n.Use == layers.Training,
	}
	if len(n.memories) > 0 {
		r.before = n.memories[len(n.memories)-1]
		r.before.after = r
	}
	n.memories = append(n.memories, r)
	return r
}
