package engine

// Outer is a term of the gradient of a parameter, seen as a matrix of as many
// columns as its last axis has:
//
//	dW[Row:Row+M, Col:Col+N] += Alpha A^T B      A [K x M], B [K x N]
//
// LDA and LDB are the distances between the lines of A and B.
type Outer[T Float] struct {
	Row, Col, M, N, K int
	Alpha             T
	A, B              []T
	LDA, LDB          int
}

// PutsOff reports whether this is the gradient of a parameter whose Params put such
// terms off.
func (g *Grad[T]) PutsOff() bool { return g.param != nil && g.param.putsOff }

// PutOff leaves a term to whoever ends the step. A and B must keep their contents
// until then.
func (g *Grad[T]) PutOff(o *Outer[T]) { g.param.Later = append(g.param.Later, *o) }

// PutOff tells the next run of a program over these parameters whether to leave
// products of weights' gradients in Param.Later, and forgets what the last one has
// left there. Weights that are read several times in a step, or by several workers,
// have several; one after another, each reads and writes the whole gradient, which for
// large weights takes longer than to multiply.
func (p *Params[T]) PutOff(on bool) {
	for _, w := range p.list {
		clear(w.Later) // the operands are not kept alive
		w.putsOff, w.Later, w.Written = on, w.Later[:0], false
	}
}
