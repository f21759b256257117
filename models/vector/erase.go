package vector

// EraseAdd writes to one slot of a memory, as the DNC does: with the slot's
// write weight w, the erase vector e and the write vector v, all of one length,
//
//	dst = src - w (src o e - v)
//
// and it returns the sum of the squares of dst.
func EraseAdd[T Float](dst, src, erase, add []T, w T) T {
	src, erase, add = src[:len(dst)], erase[:len(dst)], add[:len(dst)]
	var parts [lanes]T
	i := 0
	if d, ok := any(dst).([]float32); ok {
		if i = blocks(len(d)); i > 0 {
			eraseAdd(&d[0], &any(src).([]float32)[0], &any(erase).([]float32)[0], &any(add).([]float32)[0], i, float32(w), any(&parts).(*[lanes]float32))
		}
	}
	for ; i < len(dst); i++ {
		m := src[i]
		dst[i] = m - T(w*(T(m*erase[i])-add[i]))
		parts[i%lanes] += T(dst[i] * dst[i])
	}
	return sum(&parts)
}

// EraseAddBack goes back through EraseAdd: d, the gradient of dst, becomes that
// of src; derase and dadd receive their part of the gradients of e and v, and
// the gradient of w is returned:
//
//	dw = <d, v - src o e>,  derase -= w d o src,  dadd += w d,  d = d - w e o d
func EraseAddBack[T Float](d, src, erase, add []T, w T, derase, dadd []T) T {
	src, erase, add, derase, dadd = src[:len(d)], erase[:len(d)], add[:len(d)], derase[:len(d)], dadd[:len(d)]
	var parts [lanes]T
	i := 0
	if d, ok := any(d).([]float32); ok {
		if i = blocks(len(d)); i > 0 {
			eraseAddBack(&d[0], &any(src).([]float32)[0], &any(erase).([]float32)[0], &any(add).([]float32)[0],
				&any(derase).([]float32)[0], &any(dadd).([]float32)[0], i, float32(w), any(&parts).(*[lanes]float32))
		}
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
