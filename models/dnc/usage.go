package dnc

import "memobench/models/vector"

// updateUsage computes the retention and the usage of each slot (2, 3):
//
//	psi_n = product over heads r of (1 - f^r w^r_n)        retention
//	u_n   = (u'_n + w'_n - u'_n w'_n) psi_n
//
// where u' is the previous usage, w' the previous write weights and w^r the previous read
// weights. Writing raises a slot's usage; reading it with an open free gate f lowers it.
func (s *memoryStep[T]) updateUsage(before *memoryStep[T]) {
	n := len(s.usage)
	for j := range s.retention {
		s.retention[j] = 1
	}
	for r, f := range s.freeGates {
		for j, w := range before.readWeights[r*n : (r+1)*n] {
			s.retention[j] *= 1 - f*w
		}
	}
	for j := range s.usage {
		p, w := before.usage[j], before.writeWeights[j]
		s.usage[j] = (p + w - p*w) * s.retention[j]
	}
}

// usageBack replaces d, the gradient of the usage, by that of the previous usage. It sets
// the gradients of the free gates and the previous write weights, and adds to dread, that
// of the previous read weights. factors [(R + 2) x N] is scratch.
func (s *memoryStep[T]) usageBack(before *memoryStep[T], d, dfree, dwrite, dread, factors []T) {
	heads, n := len(s.freeGates), len(s.usage)
	kept, through, others := factors[:heads*n], factors[heads*n:(heads+1)*n], factors[(heads+1)*n:(heads+2)*n]
	copy(kept, before.readWeights)
	for r, f := range s.freeGates {
		head := kept[r*n : (r+1)*n]
		vector.Scale(head, -f)
		vector.AddConstant(head, 1)
	}
	for j, v := range d { // the gradient of the retention
		p, w := before.usage[j], before.writeWeights[j]
		through[j] = v * (p + w - p*w)
	}
	for r, f := range s.freeGates {
		copy(others, through) // times the factors of the other heads
		for q := range s.freeGates {
			if q != r {
				vector.Multiply(others, kept[q*n:(q+1)*n])
			}
		}
		dfree[r] = -vector.Dot(others, before.readWeights[r*n:(r+1)*n])
		vector.AddScaled(dread[r*n:(r+1)*n], -f, others)
	}
	for j, v := range d {
		kept := v * s.retention[j]
		d[j] = kept * (1 - before.writeWeights[j])
		dwrite[j] = kept * (1 - before.usage[j])
	}
}

// allocate computes the allocation weights (4). phi is the free list, the slots in order of
// increasing usage, with ties in order of the slot:
//
//	a[phi_j] = (1 - u[phi_j]) product over i < j of u[phi_i]
//
// As in the paper, the order has no gradient. The product's gradient is exact, also if a
// usage is 0.
func (s *memoryStep[T]) allocate(before *memoryStep[T]) {
	copy(s.freeList, before.freeList)
	sortByUsage(s.freeList, s.usage)
	used := T(1)
	for _, slot := range s.freeList {
		s.allocation[slot] = (1 - s.usage[slot]) * used
		used *= s.usage[slot]
	}
}

// sortByUsage sorts the slots by insertion, which is fast because the list is sorted by the
// previous step's usage.
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

// allocationBack adds to dusage, given the gradient of the allocation weights. products [N]
// is scratch.
//
// With P_k the product of the usages before position k of the free list, the gradient of
// u_k is P_k (S_k - da_k), where S_k = sum over j > k of da_j (1 - u_j) times the product of
// the usages between k and j. S is computed backward, without a division:
// S_k = da_{k+1} (1 - u_{k+1}) + u_{k+1} S_{k+1}.
func (s *memoryStep[T]) allocationBack(dallocation, dusage, products []T) {
	used := T(1)
	for j, slot := range s.freeList {
		products[j] = used
		used *= s.usage[slot]
	}
	later := T(0)
	for k := len(s.freeList) - 1; k >= 0; k-- {
		slot := s.freeList[k]
		u, d := s.usage[slot], dallocation[slot]
		dusage[slot] += products[k] * (later - d)
		later = d*(1-u) + u*later
	}
}
