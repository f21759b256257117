package vector

// LinkRow computes one row of the DNC's link matrix from the row before, the
// write weights, the previous precedence, keep = 1 - w and w, the row's write
// weight; all vectors are of one length:
//
//	dst[j] = (keep - write[j]) link[j] + w previous[j]
func LinkRow[T Float](dst, link, write, previous []T, keep, w T) {
	link, write, previous = link[:len(dst)], write[:len(dst)], previous[:len(dst)]
	i := 0
	if d, ok := any(dst).([]float32); ok {
		if i = blocks(len(d)); i > 0 {
			linkRow(&d[0], &any(link).([]float32)[0], &any(write).([]float32)[0], &any(previous).([]float32)[0], i, float32(keep), float32(w))
		}
	}
	for ; i < len(dst); i++ {
		dst[i] = T((keep-write[i])*link[i]) + T(w*previous[i])
	}
}

// LinkRowBack goes back through LinkRow: d, the gradient of dst, becomes that of
// link; dwrite and dprevious receive their part, and the gradient of w through
// both keep and w is returned:
//
//	dw = <d, previous - link>,  dwrite -= d link,  dprevious += w d,  d = d (keep - write)
func LinkRowBack[T Float](d, link, write, previous []T, keep, w T, dwrite, dprevious []T) T {
	n := len(d)
	link, write, previous, dwrite, dprevious = link[:n], write[:n], previous[:n], dwrite[:n], dprevious[:n]
	var parts [lanes]T
	i := 0
	if d, ok := any(d).([]float32); ok {
		if i = blocks(len(d)); i > 0 {
			linkRowBack(&d[0], &any(link).([]float32)[0], &any(write).([]float32)[0], &any(previous).([]float32)[0],
				&any(dwrite).([]float32)[0], &any(dprevious).([]float32)[0], i, float32(keep), float32(w), any(&parts).(*[lanes]float32))
		}
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
