package ops

import (
	"memobench/models/engine"
	"memobench/models/vector"
)

// GRU is one step of a gated recurrent unit, with the reset gate applied to the
// state before its matrix (Cho et al. 2014):
//
//	r = sigmoid(Wir s + Whr z + br)
//	u = sigmoid(Wiz s + Whz z + bz)
//	n = tanh(Win s + Whn (r o z) + bn)
//	z' = (1 - u) o z + u o n
//
// Inputs: s [N x in], z [N x hid], Wir, Wiz, Win [hid x in], Whr, Whz, Whn
// [hid x hid], br, bz, bn [hid]; result z' [N x hid].
type GRU[T engine.Float] struct {
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

func (g *GRU[T]) Shape(in []engine.Shape) (engine.Shape, error) {
	return engine.Fit(in, "N i, N h, h i, h i, h i, h h, h h, h h, h, h, h -> N h")
}

func (g *GRU[T]) Forward(in []*engine.Array[T], out *engine.Array[T]) {
	n, wide, hid := in[gruS].Dim(0), in[gruS].Dim(1), in[gruZ].Dim(1)
	s, z := in[gruS].Data, in[gruZ].Data
	g.r, g.u, g.n, g.rz = vector.Grow(g.r, n*hid), vector.Grow(g.u, n*hid), vector.Grow(g.n, n*hid), vector.Grow(g.rz, n*hid)
	sum := func(dst []T, wi, wh, bias int, state []T) {
		for i := range n {
			copy(dst[i*hid:(i+1)*hid], in[bias].Data)
		}
		Gemm(noTrans, trans, n, hid, wide, 1, s, wide, in[wi].Data, wide, 1, dst, hid)
		Gemm(noTrans, trans, n, hid, hid, 1, state, hid, in[wh].Data, hid, 1, dst, hid)
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

func (g *GRU[T]) Backward(in []*engine.Array[T], _, dout *engine.Array[T], din []*engine.Grad[T]) {
	n, wide, hid := in[gruS].Dim(0), in[gruS].Dim(1), in[gruZ].Dim(1)
	s, z, dy := in[gruS].Data, in[gruZ].Data, dout.Data
	g.dr, g.du, g.dn = vector.Grow(g.dr, n*hid), vector.Grow(g.du, n*hid), vector.Grow(g.dn, n*hid)
	for i, d := range dy {
		g.dn[i] = d * g.u[i] * (1 - g.n[i]*g.n[i])
		g.du[i] = d * (g.n[i] - z[i]) * g.u[i] * (1 - g.u[i])
	}
	// dr first holds d(r o z), then the gradient of r's pre-activation.
	Gemm(noTrans, noTrans, n, hid, hid, 1, g.dn, hid, in[gruWhn].Data, hid, 0, g.dr, hid)
	if din[gruZ] != nil {
		dz := din[gruZ].Add(n, hid)
		for i, d := range dy {
			dz[i] += d*(1-g.u[i]) + g.dr[i]*g.r[i]
		}
	}
	for i := range g.dr {
		g.dr[i] *= z[i] * g.r[i] * (1 - g.r[i])
	}
	for _, gate := range []struct {
		d          []T
		state      []T
		wi, wh, bi int
		intoZ      bool
	}{
		{g.dr, z, gruWir, gruWhr, gruBr, true},
		{g.du, z, gruWiz, gruWhz, gruBz, true},
		{g.dn, g.rz, gruWin, gruWhn, gruBn, false},
	} {
		if dw := din[gate.wi]; dw != nil {
			data, beta := dw.Overwrite(hid, wide)
			Gemm(trans, noTrans, hid, wide, n, 1, gate.d, hid, s, wide, beta, data, wide)
		}
		if dw := din[gate.wh]; dw != nil {
			data, beta := dw.Overwrite(hid, hid)
			Gemm(trans, noTrans, hid, hid, n, 1, gate.d, hid, gate.state, hid, beta, data, hid)
		}
		addRows(din[gate.bi], gate.d, hid)
		if ds := din[gruS]; ds != nil {
			data, beta := ds.Overwrite(n, wide)
			Gemm(noTrans, noTrans, n, wide, hid, 1, gate.d, hid, in[gate.wi].Data, wide, beta, data, wide)
		}
		if gate.intoZ && din[gruZ] != nil {
			Gemm(noTrans, noTrans, n, hid, hid, 1, gate.d, hid, in[gate.wh].Data, hid, 1, din[gruZ].Add(n, hid), hid)
		}
	}
}
