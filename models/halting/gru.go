package halting

import (
	"gonum.org/v1/gonum/blas"

	"memobench/models/engine"
	"memobench/models/ops"
	"memobench/models/vector"
)

// gru is one step of a gated recurrent unit, with the reset gate applied to the
// state before its matrix (Cho et al. 2014):
//
//	r = sigmoid(Wir s + Whr z + br)
//	u = sigmoid(Wiz s + Whz z + bz)
//	n = tanh(Win s + Whn (r o z) + bn)
//	z' = (1 - u) o z + u o n
//
// Inputs: s [N x in], which gets no gradient, z [N x hid], Wir, Wiz, Win [hid x in], Whr, Whz, Whn
// [hid x hid], br, bz, bn [hid]; result z' [N x hid].
type gru[T engine.Float] struct {
	r, u, n, rz []T // gates, candidate and r o z of the last Forward
	dr, du, dn  []T // gradients of the three pre-activations
}

// Indices of the inputs.
const (
	gruS = iota
	gruZ
	gruWir
	gruWiz
	gruWin
	gruWhr
	gruWhz
	gruWhn
	gruBr
	gruBz
	gruBn
)

// StopsGradient says that s gets no gradient.
func (g *gru[T]) StopsGradient(i int) bool { return i == gruS }

func (g *gru[T]) Shape(in []engine.Shape) (engine.Shape, error) {
	return engine.Fit(in, "N i, N h, h i, h i, h i, h h, h h, h h, h, h, h -> N h")
}

func (g *gru[T]) Forward(in []*engine.Array[T], out *engine.Array[T]) {
	n, wide, hid := in[gruS].Dim(0), in[gruS].Dim(1), in[gruZ].Dim(1)
	s, z := in[gruS].Data, in[gruZ].Data
	g.r, g.u, g.n, g.rz = vector.Grow(g.r, n*hid), vector.Grow(g.u, n*hid), vector.Grow(g.n, n*hid), vector.Grow(g.rz, n*hid)
	sum := func(dst []T, wi, wh, bias int, state []T) {
		for i := range n {
			copy(dst[i*hid:(i+1)*hid], in[bias].Data)
		}
		ops.Gemm(blas.NoTrans, blas.Trans, n, hid, wide, 1, s, wide, in[wi].Data, wide, 1, dst, hid)
		ops.Gemm(blas.NoTrans, blas.Trans, n, hid, hid, 1, state, hid, in[wh].Data, hid, 1, dst, hid)
	}
	sum(g.r, gruWir, gruWhr, gruBr, z)
	sum(g.u, gruWiz, gruWhz, gruBz, z)
	vector.Sigmoid(g.r)
	vector.Sigmoid(g.u)
	vector.Product(g.rz, g.r, z)
	sum(g.n, gruWin, gruWhn, gruBn, g.rz)
	vector.Tanh(g.n)
	y := out.Resize(n, hid)
	for i := range y {
		y[i] = (1-g.u[i])*z[i] + g.u[i]*g.n[i]
	}
}

func (g *gru[T]) Backward(in []*engine.Array[T], _, dout *engine.Array[T], din []*engine.Grad[T]) {
	n, wide, hid := in[gruS].Dim(0), in[gruS].Dim(1), in[gruZ].Dim(1)
	s, z, dy := in[gruS].Data, in[gruZ].Data, dout.Data
	g.dr, g.du, g.dn = vector.Grow(g.dr, n*hid), vector.Grow(g.du, n*hid), vector.Grow(g.dn, n*hid)
	for i, d := range dy {
		g.dn[i] = d * g.u[i] * (1 - g.n[i]*g.n[i])
		g.du[i] = d * (g.n[i] - z[i]) * g.u[i] * (1 - g.u[i])
	}
	// dr first holds d(r o z), then the gradient of r's pre-activation.
	ops.Gemm(blas.NoTrans, blas.NoTrans, n, hid, hid, 1, g.dn, hid, in[gruWhn].Data, hid, 0, g.dr, hid)
	dz := din[gruZ].Add(n, hid)
	for i, d := range dy {
		dz[i] += d*(1-g.u[i]) + g.dr[i]*g.r[i]
	}
	for i := range g.dr {
		g.dr[i] *= z[i] * g.r[i] * (1 - g.r[i])
	}
	for _, gate := range []struct {
		d, state   []T
		wi, wh, bi int
	}{
		{g.dr, z, gruWir, gruWhr, gruBr},
		{g.du, z, gruWiz, gruWhz, gruBz},
		{g.dn, g.rz, gruWin, gruWhn, gruBn},
	} {
		dwi, beta := din[gate.wi].Overwrite(hid, wide)
		ops.Gemm(blas.Trans, blas.NoTrans, hid, wide, n, 1, gate.d, hid, s, wide, beta, dwi, wide)
		dwh, beta := din[gate.wh].Overwrite(hid, hid)
		ops.Gemm(blas.Trans, blas.NoTrans, hid, hid, n, 1, gate.d, hid, gate.state, hid, beta, dwh, hid)
		db := din[gate.bi].Add(hid)
		for at := 0; at < len(gate.d); at += hid {
			vector.Add(db, gate.d[at:])
		}
		if gate.wh != gruWhn {
			ops.Gemm(blas.NoTrans, blas.NoTrans, n, hid, hid, 1, gate.d, hid, in[gate.wh].Data, hid, 1, dz, hid)
		}
	}
}
