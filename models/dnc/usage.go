package dnc

import (
	"memobench/models/engine"
	"memobench/models/vector"
)

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
// the previous usage, which may be the same array, and the previous write
// weights, and adds to that of the previous read weights. factors [(R + 2) x N]
// is scratch.
func (u *usage[T]) backward(dusage, dfree, dprevious, dwrite, dread, factors []T) {
	heads, n := len(u.free), len(u.usage)
	kept, through, others := factors[:heads*n], factors[heads*n:(heads+1)*n], factors[(heads+1)*n:(heads+2)*n]
	copy(kept, u.read)
	for r, f := range u.free {
		head := kept[r*n : (r+1)*n]
		vector.Scale(head, -f)
		vector.AddConstant(head, 1)
	}
	for j, d := range dusage { // the gradient of the retention
		p, w := u.previous[j], u.write[j]
		through[j] = d * (p + w - p*w)
	}
	for r, f := range u.free {
		copy(others, through) // times the factors of the other heads
		for s := range u.free {
			if s != r {
				vector.Multiply(others, kept[s*n:(s+1)*n])
			}
		}
		dfree[r] = -vector.Dot(others, u.read[r*n:(r+1)*n])
		vector.AddScaled(dread[r*n:(r+1)*n], -f, others)
	}
	for j, d := range dusage {
		kept := d * u.retention[j]
		dprevious[j] = kept * (1 - u.write[j])
		dwrite[j] = kept * (1 - u.previous[j])
	}
}
