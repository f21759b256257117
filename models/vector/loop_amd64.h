// The vector forms of the loops in this package are written with AVX2. They do the same
// operations in the same order as the loops in Go, eight elements at a time,
// and never a fused multiply-add, so that both give the same bits.
//
// In every function n, in CX, is a positive multiple of 8, and AX counts
// elements. Operands are in the assembler's order: VSUBPS b, a, d is d = a - b.

// NEXT goes on with the next eight elements.
#define NEXT(loop) \
	ADDQ $8, AX  \
	CMPQ AX, CX  \
	JLT  loop
