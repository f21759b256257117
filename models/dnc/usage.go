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

// allocation is the weighting of new writes over unused slots (4). With phi
// the slots in order of increasing usage (the free list; of equal slots the
// first one comes first):
//
//	a[phi_j] = (1 - u[phi_j]) product over i < j of u[phi_i]
//
// The order has no gradient, as in the paper; the product's is exact, also
// where a usage is 0.
type allocation[T engine.Float] struct {
	usage    []T     // u, [N]
	before   []int32 // phi of the step before, [N]
	freeList []int32 // phi, [N]
	weights  []T     // a, [N]
}

func (a *allocation[T]) forward() {
	a.sort()
	used := T(1)
	for _, slot := range a.freeList {
		a.weights[slot] = (1 - a.usage[slot]) * used
		used *= a.usage[slot]
	}
}

// sort puts the slots in order. It starts from the order of the step before,
// which changes little, and inserts: every slot moves past those that it has
// overtaken.
func (a *allocation[T]) sort() {
	copy(a.freeList, a.before)
	for i, slot := range a.freeList {
		u := a.usage[slot]
		j := i
		for ; j > 0; j-- {
			other := a.freeList[j-1]
			if v := a.usage[other]; v < u || v == u && other < slot {
				break
			}
			a.freeList[j] = other
		}
		a.freeList[j] = slot
	}
}

// inOrder lists the slots of an empty memory.
func inOrder(freeList []int32) {
	for i := range freeList {
		freeList[i] = int32(i)
	}
}

// backward takes the gradient of the weights and adds to that of the usage.
// products [N] is scratch.
//
// With P_j the product of the usages before place j, the gradient at place k
// is P_k (S_k - da_k), where S_k = sum over j > k of da_j (1 - u_j) times the
// product of the usages between k and j. S runs backward:
// S_k = da_{k+1} (1 - u_{k+1}) + u_{k+1} S_{k+1}. Nothing is divided by.
func (a *allocation[T]) backward(dweights, dusage, products []T) {
	used := T(1)
	for j, slot := range a.freeList {
		products[j] = used
		used *= a.usage[slot]
	}
	later := T(0)
	for k := len(a.freeList) - 1; k >= 0; k-- {
		slot := a.freeList[k]
		u, d := a.usage[slot], dweights[slot]
		dusage[slot] += products[k] * (later - d)
		later = d*(1-u) + u*later
	}
}
