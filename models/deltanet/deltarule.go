package deltanet

import (
	"gonum.org/v1/gonum/blas"

	"memobench/models/engine"
	"memobench/models/ops"
	"memobench/models/vector"
)

// deltaRule is a fast-weight memory with the delta rule (Schlag, Irie and Schmidhuber 2021,
// section 4.2; Yang et al. 2024, section 2.2), one per example and head of width m. For the
// rows t of an example in order, from S = 0, with beta_t = sigmoid(b_t):
//
//	e_t = v_t - S_{t-1} k_t,  u_t = beta_t e_t,  S_t = S_{t-1} + u_t k_t^T,  y_t = S_t q_t
//
// q, k, v [N x H m], b [N x H] -> y [N x H m]. With Last the memory is read only after the
// last row of each example, and q and y are [B x H m]. The cost is linear in N.
//
// It is computed by matrix products in chunks of up to deltaChunk rows (Yang et al. 2024,
// section 3). With the c rows of a chunk as matrices [c x m] and S before the chunk,
//
//	E = V - K S^T - lower(K K^T) U,  U = diag(beta) E    solved from the first row on
//	Y = Q S^T + lower(Q K^T) U                           here lower keeps the diagonal
//	S = S + U^T K                                        for the next chunk
//
// This is exact. A row and head takes 3.5 c m multiplications and, in examples of several
// chunks, 3 m^2 more. Row by row it would be 3 m^2, in products too small to be fast.
type deltaRule[T engine.Float] struct {
	Segments *ops.Segments
	Heads    int
	Last     bool

	beta   []T // [N x H]
	writes []T // U of each chunk and head, [c x m]
	keys   []T // -K K^T [c x c]
	reads  []T // lower(Q K^T)
	states []T // S before each chunk but an example's first, [m x m]

	derrors, dpairs, dstate []T // of one chunk and head [c x m], [c x c], [m x m]
}

// deltaChunk is the maximum number of rows of a chunk. 16 is slower in training at all
// lengths, with heads of 16 and of 128; 64 is faster only for wide heads and long examples.
const deltaChunk = 32

// Indices of the inputs.
const (
	deltaQ = iota
	deltaK
	deltaV
	deltaB
)

func (d *deltaRule[T]) Shape(in []engine.Shape) (engine.Shape, error) {
	if d.Last {
		return engine.Fit(in, "B %d*m, N %[1]d*m, N %[1]d*m, N %[1]d -> B %[1]d*m", d.Heads)
	}
	return engine.Fit(in, "N %d*m, N %[1]d*m, N %[1]d*m, N %[1]d -> N %[1]d*m", d.Heads)
}

// chunk is a head's part of a chunk. The memory is read after each of its last reads rows.
type chunk struct {
	rows, reads          int
	first, last          bool // of the example
	row, gate, read      int  // offsets in k and v, in b, and in q and y
	write                int  // offset of U in writes
	keyPairs, queryPairs int  // offsets of its pairs in keys and reads
	state, next          int  // offsets of S in states, and of the next chunk's S
}

// each calls step for the chunks of every example and head in order, or in reverse order if
// backwards. It returns the number of states.
func (d *deltaRule[T]) each(width int, backwards bool, step func(c chunk)) int {
	m, states := width/d.Heads, 0
	for e := range d.Segments.Len() {
		lo, hi := d.Segments.Offsets[e], d.Segments.Offsets[e+1]
		count := (hi - lo + deltaChunk - 1) / deltaChunk
		for h := range d.Heads {
			for i := range count {
				if backwards {
					i = count - 1 - i
				}
				t := lo + i*deltaChunk
				c := chunk{rows: min(deltaChunk, hi-t), first: i == 0, last: i == count-1}
				r := t
				if c.reads = c.rows; d.Last {
					r, c.reads = e, 0
					if c.last {
						c.reads = 1
					}
				}
				c.row, c.gate, c.read = t*width+h*m, t*d.Heads+h, r*width+h*m
				c.write = t*width + h*c.rows*m
				c.keyPairs, c.queryPairs = (t*d.Heads+h*c.rows)*deltaChunk, (r*d.Heads+h*c.reads)*deltaChunk
				c.state, c.next = (states+i-1)*m*m, (states+i)*m*m
				step(c)
			}
			states += max(count-1, 0)
		}
	}
	return states
}

// lower clears the elements of x [rows x width] right of the diagonal that ends before columns
// left of the last column.
func lower[T engine.Float](x []T, rows, width, before int) {
	for i := range rows {
		clear(x[i*width+width-rows+i+1-before : (i+1)*width])
	}
}

func (d *deltaRule[T]) Forward(in []*engine.Array[T], out *engine.Array[T]) {
	q, k, v, width := in[deltaQ].Data, in[deltaK].Data, in[deltaV].Data, in[deltaK].Dim(1)
	m := width / d.Heads
	y := out.Resize(in[deltaQ].Dims()...)
	d.beta, d.writes = vector.Grow(d.beta, len(in[deltaB].Data)), vector.Grow(d.writes, len(v))
	d.keys, d.reads = vector.Grow(d.keys, len(d.beta)*deltaChunk), vector.Grow(d.reads, in[deltaQ].Dim(0)*d.Heads*deltaChunk)
	d.states = vector.Grow(d.states, d.each(width, false, func(chunk) {})*m*m)
	copy(d.beta, in[deltaB].Data)
	vector.Sigmoid(d.beta)
	d.each(width, false, func(c chunk) {
		n, r, key, u := c.rows, c.reads, k[c.row:], d.writes[c.write:]
		keys, beta := d.keys[c.keyPairs:], T(0)
		for i := range n {
			copy(u[i*m:][:m], v[c.row+i*width:])
		}
		if !c.first {
			beta = 1
			ops.Gemm(blas.NoTrans, blas.Trans, n, m, m, -1, key, width, d.states[c.state:], m, 1, u, m)
		}
		ops.Gemm(blas.NoTrans, blas.Trans, n, n, m, -1, key, width, key, width, 0, keys, n)
		for i := range n {
			row := u[i*m:][:m]
			vector.Combine(row, keys[i*n:][:i], u, len(row))
			vector.Scale(row, d.beta[c.gate+i*d.Heads])
		}
		if r > 0 {
			query, reads, read := q[c.read:], d.reads[c.queryPairs:], y[c.read:]
			ops.Gemm(blas.NoTrans, blas.Trans, r, n, m, 1, query, width, key, width, 0, reads, n)
			lower(reads, r, n, 0)
			if !c.first {
				ops.Gemm(blas.NoTrans, blas.Trans, r, m, m, 1, query, width, d.states[c.state:], m, 0, read, width)
			}
			ops.Gemm(blas.NoTrans, blas.NoTrans, r, m, n, 1, reads, n, u, m, beta, read, width)
		}
		if !c.last {
			next := d.states[c.next:][:m*m]
			if !c.first {
				copy(next, d.states[c.state:])
			}
			ops.Gemm(blas.Trans, blas.NoTrans, m, m, n, 1, u, m, key, width, beta, next, m)
		}
	})
}

// Backward runs over the chunks in reverse order. With G the gradient of the next chunk's S:
//
//	dU = lower(Q K^T)^T dY + K G^T - lower(K K^T)^T dE,  dE = diag(beta) dU    from the last
//	dV = dE,  db_t = (1 - beta_t) <du_t, u_t>,  P = lower(dY U^T),  R = lower(dE U^T)
//	dQ = P K + dY S,  dK = P^T Q - (R + R^T) K + U G - dE S
//	G = G + dY^T Q - dE^T K
func (d *deltaRule[T]) Backward(in []*engine.Array[T], _, dout *engine.Array[T], din []*engine.Grad[T]) {
	q, k, dy, width := in[deltaQ].Data, in[deltaK].Data, dout.Data, in[deltaK].Dim(1)
	m := width / d.Heads
	begin := func(i int) []T { return din[i].Add(in[i].Dims()...) }
	dq, dk, dv, db := begin(deltaQ), begin(deltaK), begin(deltaV), begin(deltaB)
	d.derrors, d.dpairs, d.dstate = vector.Grow(d.derrors, deltaChunk*m), vector.Grow(d.dpairs, deltaChunk*deltaChunk), vector.Grow(d.dstate, m*m)
	d.each(width, true, func(c chunk) {
		n, r, key, u, de := c.rows, c.reads, k[c.row:], d.writes[c.write:], d.derrors
		keys, beta := d.keys[c.keyPairs:], T(0)
		var query, dread, reads []T
		if r > 0 {
			query, dread, reads = q[c.read:], dy[c.read:], d.reads[c.queryPairs:]
		}
		ops.Gemm(blas.Trans, blas.NoTrans, n, m, r, 1, reads, n, dread, width, 0, de, m)
		if !c.last {
			beta = 1
			ops.Gemm(blas.NoTrans, blas.Trans, n, m, m, 1, key, width, d.dstate, m, 1, de, m)
		}
		for i := n - 1; i >= 0; i-- {
			gate, row := c.gate+i*d.Heads, de[i*m:][:m]
			vector.Combine(row, keys[i*n:][i+1:n], de[(i+1)*m:], len(row))
			db[gate] += vector.Dot(row, u[i*m:]) * (1 - d.beta[gate])
			vector.Scale(row, d.beta[gate])
			vector.Add(dv[c.row+i*width:][:m], row)
		}
		if r > 0 {
			ops.Gemm(blas.NoTrans, blas.Trans, r, n, m, 1, dread, width, u, m, 0, d.dpairs, n)
			lower(d.dpairs, r, n, 0)
			ops.Gemm(blas.NoTrans, blas.NoTrans, r, m, n, 1, d.dpairs, n, key, width, 1, dq[c.read:], width)
			if !c.first {
				ops.Gemm(blas.NoTrans, blas.NoTrans, r, m, m, 1, dread, width, d.states[c.state:], m, 1, dq[c.read:], width)
			}
		}
		dkey := dk[c.row:]
		ops.Gemm(blas.Trans, blas.NoTrans, n, m, r, 1, d.dpairs, n, query, width, 1, dkey, width)
		ops.Gemm(blas.NoTrans, blas.Trans, n, n, m, 1, de, m, u, m, 0, d.dpairs, n)
		lower(d.dpairs, n, n, 1)
		for i := range n {
			for j := range i {
				d.dpairs[j*n+i] = d.dpairs[i*n+j]
			}
		}
		ops.Gemm(blas.NoTrans, blas.NoTrans, n, m, n, -1, d.dpairs, n, key, width, 1, dkey, width)
		if !c.last {
			ops.Gemm(blas.NoTrans, blas.NoTrans, n, m, m, 1, u, m, d.dstate, m, 1, dkey, width)
		}
		if !c.first {
			ops.Gemm(blas.NoTrans, blas.NoTrans, n, m, m, -1, de, m, d.states[c.state:], m, 1, dkey, width)
			ops.Gemm(blas.Trans, blas.NoTrans, m, m, r, 1, dread, width, query, width, beta, d.dstate, m)
			ops.Gemm(blas.Trans, blas.NoTrans, m, m, n, -1, de, m, key, width, 1, d.dstate, m)
		}
	})
}
