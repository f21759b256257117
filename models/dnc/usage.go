package dnc

import "memobench/models/vector"

// updateUsage computes how full each slot is (2, 3):
//
//	psi_n = product over heads r of (1 - f^r w^r_n)        retention
//	u_n   = (u'_n + w'_n - u'_n w'_n) psi_n
//
// where u' is the previous usage, w' the previous write weights and w^r the
// previous read weights: a slot fills when it is written and is freed when it
// has been read and the head's free gate f is open.
func (l *line[T]) updateUsage(before *line[T]) {
	n := len(l.usage)
	for j := range l.retention {
		l.retention[j] = 1
	}
	for r, f := range l.freeGates {
		for j, w := range before.readWeights[r*n : (r+1)*n] {
			l.retention[j] *= 1 - f*w
		}
	}
	for j := range l.usage {
		p, w := before.usage[j], before.writeWeights[j]
		l.usage[j] = (p + w - p*w) * l.retention[j]
	}
}

// usageBack turns d from the gradient of the usage into that of the previous usage; it
// sets those of the free gates and the previous write weights, and adds to that of the
// previous read weights. factors [(R + 2) x N] is scratch.
func (l *line[T]) usageBack(before *line[T], d, dfree, dwrite, dread, factors []T) {
	heads, n := len(l.freeGates), len(l.usage)
	kept, through, others := factors[:heads*n], factors[heads*n:(heads+1)*n], factors[(heads+1)*n:(heads+2)*n]
	copy(kept, before.readWeights)
	for r, f := range l.freeGates {
		head := kept[r*n : (r+1)*n]
		vector.Scale(head, -f)
		vector.AddConstant(head, 1)
	}
	for j, v := range d { // the gradient of the retention
		p, w := before.usage[j], before.writeWeights[j]
		through[j] = v * (p + w - p*w)
	}
	for r, f := range l.freeGates {
		copy(others, through) // times the factors of the other heads
		for s := range l.freeGates {
			if s != r {
				vector.Multiply(others, kept[s*n:(s+1)*n])
			}
		}
		dfree[r] = -vector.Dot(others, before.readWeights[r*n:(r+1)*n])
		vector.AddScaled(dread[r*n:(r+1)*n], -f, others)
	}
	for j, v := range d {
		kept := v * l.retention[j]
		d[j] = kept * (1 - before.writeWeights[j])
		dwrite[j] = kept * (1 - before.usage[j])
	}
}

// allocate weighs unused slots for new writes (4). With phi the slots in order of
// increasing usage (the free list; of equal slots the first one comes first):
//
//	a[phi_j] = (1 - u[phi_j]) product over i < j of u[phi_i]
//
// The order has no gradient, as in the paper; the product's is exact, also
// where a usage is 0.
func (l *line[T]) allocate(before *line[T]) {
	copy(l.freeList, before.freeList)
	sortByUsage(l.freeList, l.usage)
	used := T(1)
	for _, slot := range l.freeList {
		l.allocation[slot] = (1 - l.usage[slot]) * used
		used *= l.usage[slot]
	}
}

// sortByUsage puts the slots in order. It inserts: every slot moves past those that it
// has overtaken, which are few where the order is that of the step before.
func sortByUsage[T float32 | float64](freeList []int32, usage []T) {
	for i, slot := range freeList {
		u := usage[slot]
		j := i
		for ; j > 0; j-- {
			other := freeList[j-1]
			if v := usage[other]; v < u || v == u && other < slot {
				break
			}
			freeList[j] = other
		}
		freeList[j] = slot
	}
}

// allocationBack takes the gradient of the allocation and adds to that of the usage.
// products [N] is scratch.
//
// With P_j the product of the usages before place j, the gradient at place k
// is P_k (S_k - da_k), where S_k = sum over j > k of da_j (1 - u_j) times the
// product of the usages between k and j. S runs backward:
// S_k = da_{k+1} (1 - u_{k+1}) + u_{k+1} S_{k+1}. Nothing is divided by.
func (l *line[T]) allocationBack(dallocation, dusage, products []T) {
	used := T(1)
	for j, slot := range l.freeList {
		products[j] = used
		used *= l.usage[slot]
	}
	later := T(0)
	for k := len(l.freeList) - 1; k >= 0; k-- {
		slot := l.freeList[k]
		u, d := l.usage[slot], dallocation[slot]
		dusage[slot] += products[k] * (later - d)
		later = d*(1-u) + u*later
	}
}
