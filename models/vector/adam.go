package vector

import "math"

// AdamRates are the factors of one update by Adam (Kingma and Ba 2015), with
// the corrections of the averages' bias in two of them.
type AdamRates[T Float] struct {
	KeepMean, NewMean     T // beta1, 1 - beta1
	KeepSquare, NewSquare T // beta2, 1 - beta2
	Rate                  T // learning rate / (1 - beta1^t)
	Root                  T // 1 / sqrt(1 - beta2^t)
	Epsilon               T
}

// Adam updates the weights w and the running averages m of the gradient g and v
// of its square, all of the same length, in one pass:
//
//	m = beta1 m + (1 - beta1) g,  v = beta2 v + (1 - beta2) g^2
//	w = w - rate m / (sqrt(v) root + epsilon)
func Adam[T Float](w, g, m, v []T, r *AdamRates[T]) {
	g, m, v = g[:len(w)], m[:len(w)], v[:len(w)]
	i := 0
	if w, ok := any(w).([]float32); ok {
		if i = blocks(len(w)); i > 0 {
			adam(&w[0], &any(g).([]float32)[0], &any(m).([]float32)[0], &any(v).([]float32)[0], i, any(r).(*AdamRates[float32]))
		}
	}
	for ; i < len(w); i++ {
		mi := T(r.KeepMean*m[i]) + T(r.NewMean*g[i])
		vi := T(r.KeepSquare*v[i]) + T(T(r.NewSquare*g[i])*g[i])
		m[i], v[i] = mi, vi
		w[i] -= T(r.Rate*mi) / (T(T(math.Sqrt(float64(vi)))*r.Root) + r.Epsilon)
	}
}
