package datasets

// StreamSeed returns the two seed words of the pseudo-random stream (a
// math/rand/v2 PCG) for one purpose, split, seed and step. Neighbouring
// arguments give unrelated streams: every argument passes through a full
// 64-bit mix before the next one is added.
func StreamSeed(purpose string, split Split, seed, step uint64) (uint64, uint64) {
	// FNV-1a (64 bit) of the purpose.
	h := uint64(14695981039346656037)
	for i := range len(purpose) {
		h = (h ^ uint64(purpose[i])) * 1099511628211
	}
	h = Mix(h)
	h = Mix(h ^ Mix(uint64(split)+1))
	h = Mix(h ^ Mix(seed))
	h = Mix(h ^ Mix(step))
	return h, Mix(h)
}

// Mix is the SplitMix64 step: a bijection on 64 bits in which every input bit
// flips about half of the output bits.
//
// Source: G. Steele, D. Lea, C. Flood, "Fast Splittable Pseudorandom Number
// Generators", OOPSLA 2014; constants of D. Stafford's variant 13.
func Mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
