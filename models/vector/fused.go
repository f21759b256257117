package vector

import (
	"math"
	"unsafe"
)

// AdamRates holds the factors of an update by Adam (Kingma and Ba 2015). Rate and Root include
// the bias corrections.
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
	i := blocks[T](len(w), 13)
	if i > 0 {
		adam(head(w), head(g), head(m), head(v), i, (*AdamRates[float32])(unsafe.Pointer(r)))
	}
	for ; i < len(w); i++ {
		mi := T(r.KeepMean*m[i]) + T(r.NewMean*g[i])
		vi := T(r.KeepSquare*v[i]) + T(T(r.NewSquare*g[i])*g[i])
		m[i], v[i] = mi, vi
		w[i] -= T(r.Rate*mi) / (T(T(math.Sqrt(float64(vi)))*r.Root) + r.Epsilon)
	}
}

// Combine adds to dst a linear combination of the first len(dst) elements of the rows of
// vectors, each of stride elements:
//
//	dst += sum over i of factors[i] vectors[i]
//
// It is for products too small for BLAS.
func Combine[T Float](dst, factors, vectors []T, stride int) {
	n := len(dst)
	if len(factors) == 0 {
		return
	}
	vectors = vectors[:(len(factors)-1)*stride+n]
	i := blocks[T](n, 2*len(factors))
	if i > 0 {
		combine(head(dst), head(vectors), head(factors), i, len(factors), stride)
	}
	for ; i < n; i++ {
		sum := dst[i]
		for j, f := range factors {
			sum += T(f * vectors[j*stride+i])
		}
		dst[i] = sum
	}
}

// EraseAdd is the DNC's write to one slot, with the slot's write weight w, the erase vector e
// and the write vector v:
//
//	dst = src - w (src o e - v)
//
// It returns the sum of the squares of dst.
func EraseAdd[T Float](dst, src, erase, add []T, w T) T {
	src, erase, add = src[:len(dst)], erase[:len(dst)], add[:len(dst)]
	var parts [lanes]T
	i := blocks[T](len(dst), 6)
	if i > 0 {
		eraseAdd(head(dst), head(src), head(erase), head(add), i, float32(w), single(&parts))
	}
	for ; i < len(dst); i++ {
		m := src[i]
		dst[i] = m - T(w*(T(m*erase[i])-add[i]))
		parts[i%lanes] += T(dst[i] * dst[i])
	}
	return sum(&parts)
}

// EraseAddBack differentiates EraseAdd: it replaces d, the gradient of dst, by that of src, adds
// to the gradients derase and dadd of e and v, and returns the gradient of w:
//
//	dw = <d, v - src o e>,  derase -= w d o src,  dadd += w d,  d = d - w e o d
func EraseAddBack[T Float](d, src, erase, add []T, w T, derase, dadd []T) T {
	src, erase, add, derase, dadd = src[:len(d)], erase[:len(d)], add[:len(d)], derase[:len(d)], dadd[:len(d)]
	var parts [lanes]T
	i := blocks[T](len(d), 10)
	if i > 0 {
		eraseAddBack(head(d), head(src), head(erase), head(add),
			head(derase), head(dadd), i, float32(w), single(&parts))
	}
	for ; i < len(d); i++ {
		parts[i%lanes] += T(d[i] * (add[i] - T(src[i]*erase[i])))
		wd := T(w * d[i])
		derase[i] -= T(wd * src[i])
		dadd[i] += wd
		d[i] -= T(wd * erase[i])
	}
	return sum(&parts)
}

// LinkRow updates one row of the DNC's link matrix, given the previous links of the row, the
// write weights, the previous precedence, the row's write weight w and keep = 1 - w:
//
//	dst[j] = (keep - write[j]) link[j] + w previous[j]
func LinkRow[T Float](dst, link, write, previous []T, keep, w T) {
	link, write, previous = link[:len(dst)], write[:len(dst)], previous[:len(dst)]
	i := blocks[T](len(dst), 4)
	if i > 0 {
		linkRow(head(dst), head(link), head(write), head(previous), i, float32(keep), float32(w))
	}
	for ; i < len(dst); i++ {
		dst[i] = T((keep-write[i])*link[i]) + T(w*previous[i])
	}
}

// LinkRowBack differentiates LinkRow: it replaces d, the gradient of dst, by that of link, adds
// to dwrite and dprevious, and returns the gradient of w, through keep too:
//
//	dw = <d, previous - link>,  dwrite -= d link,  dprevious += w d,  d = d (keep - write)
func LinkRowBack[T Float](d, link, write, previous []T, keep, w T, dwrite, dprevious []T) T {
	n := len(d)
	link, write, previous, dwrite, dprevious = link[:n], write[:n], previous[:n], dwrite[:n], dprevious[:n]
	var parts [lanes]T
	i := blocks[T](len(d), 9)
	if i > 0 {
		linkRowBack(head(d), head(link), head(write), head(previous),
			head(dwrite), head(dprevious), i, float32(keep), float32(w), single(&parts))
	}
	for ; i < n; i++ {
		v := d[i]
		through := T(v * link[i])
		parts[i%lanes] += T(v*previous[i]) - through
		dwrite[i] -= through
		dprevious[i] += T(v * w)
		d[i] = v * (keep - write[i])
	}
	return sum(&parts)
}
