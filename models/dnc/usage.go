package dnc

import "memobench/models/engine"

// usage is how full each slot is (2, 3):
//
//	psi_n = product over heads r of (1 - f^r w^r_n)        retention
//	u_n   = (u'_n + w'_n - u'_n w'_n) psi_n
//
// where u' is the previous usage, w' the previous write weights and w^r the
// previous read weights: a slot fills when it is written and is freed when it
// has been read and the head's free gate f is open.
type usage[T engine.Float] struct {
	free     []T // f, [R]
	previous []T // u', [N]
	write    []T // w', [N]
	read     []T // w^r, [R x N]

	retention []T // psi, [N]
	usage     []T // u, [N]
}

func (u *usage[T]) forward() {
	n := len(u.usage)
	for j := range u.retention {
		u.retention[j] = 1
	}
	for r, f := range u.free {
		for j, w := range u.read[r*n : (r+1)*n] {
			u.retention[j] *= 1 - f*w
		}
	}
	for j := range u.usage {
		p, w := u.previous[j], u.write[j]
		u.usage[j] = (p + w - p*w) * u.retention[j]
	}
}

// backward takes the gradient of the usage; it sets those of the free gates,
// the previous usage and the previous write weights, and adds to that of the
// previous read weights.
func (u *usage[T]) backward(dusage, dfree, dprevious, dwrite, dread []T) {
	n := len(u.usage)
	clear(dfree)
	for j, d := range dusage {
		p, w := u.previous[j], u.write[j]
		dprevious[j] = d * u.retention[j] * (1 - w)
		dwrite[j] = d * u.retention[j] * (1 - p)
		dretention := d * (p + w - p*w)
		for r := range u.free {
			others := dretention // times the factors of the other heads
			for s, f := range u.free {
				if s != r {
					others *= 1 - f*u.read[s*n+j]
				}
			}
			dfree[r] -= others * u.read[r*n+j]
			dread[r*n+j] -= others * u.free[r]
		}
	}
}
