//go:build !purego

#include "textflag.h"

// ROW adds a row's part of one column of A times one row of B, which is in Z0
// and Z1, to the row's two accumulators.
#define ROW(offset, t, left, right) \
	VBROADCASTSS offset(SI), t   \
	VFMADD231PS  Z0, t, left     \
	VFMADD231PS  Z1, t, right

// STEP is one column of A times one row of B; a and b say how far on they are.
#define STEP(a, b) \
	VMOVUPS b(DX), Z0       \
	VMOVUPS b+64(DX), Z1    \
	ROW(a+0, Z2, Z8, Z9)    \
	ROW(a+4, Z3, Z10, Z11)  \
	ROW(a+8, Z4, Z12, Z13)  \
	ROW(a+12, Z5, Z14, Z15) \
	ROW(a+16, Z2, Z16, Z17) \
	ROW(a+20, Z3, Z18, Z19) \
	ROW(a+24, Z4, Z20, Z21) \
	ROW(a+28, Z5, Z22, Z23)

// STORE writes one row of C and goes on to the next.
#define STORE(left, right) \
	VMULPS  Z2, left, left   \
	VMULPS  Z2, right, right \
	VMOVUPS left, (DI)       \
	VMOVUPS right, 64(DI)    \
	ADDQ    R9, DI

#define ADDSTORE(left, right) \
	VMULPS  Z2, left, left         \
	VMULPS  Z2, right, right       \
	VADDPS  (DI), left, left       \
	VADDPS  64(DI), right, right   \
	VMOVUPS left, (DI)             \
	VMOVUPS right, 64(DI)          \
	ADDQ    R9, DI

// func tileWide(depth int, a, b, c *float32, ldc int, alpha float32, add bool)
TEXT ·tileWide(SB), NOSPLIT, $0-45
	MOVQ   depth+0(FP), CX
	MOVQ   a+8(FP), SI
	MOVQ   b+16(FP), DX
	MOVQ   c+24(FP), DI
	MOVQ   ldc+32(FP), R9
	SHLQ   $2, R9

	// C is wanted last: bring it near meanwhile.
	LEAQ       (R9)(R9*2), R10
	LEAQ       (DI)(R9*4), R8
	PREFETCHT0 (DI)
	PREFETCHT0 64(DI)
	PREFETCHT0 (DI)(R9*1)
	PREFETCHT0 64(DI)(R9*1)
	PREFETCHT0 (DI)(R9*2)
	PREFETCHT0 64(DI)(R9*2)
	PREFETCHT0 (DI)(R10*1)
	PREFETCHT0 64(DI)(R10*1)
	PREFETCHT0 (R8)
	PREFETCHT0 64(R8)
	PREFETCHT0 (R8)(R9*1)
	PREFETCHT0 64(R8)(R9*1)
	PREFETCHT0 (R8)(R9*2)
	PREFETCHT0 64(R8)(R9*2)
	PREFETCHT0 (R8)(R10*1)
	PREFETCHT0 64(R8)(R10*1)

	VPXORQ Z8, Z8, Z8
	VPXORQ Z9, Z9, Z9
	VPXORQ Z10, Z10, Z10
	VPXORQ Z11, Z11, Z11
	VPXORQ Z12, Z12, Z12
	VPXORQ Z13, Z13, Z13
	VPXORQ Z14, Z14, Z14
	VPXORQ Z15, Z15, Z15
	VPXORQ Z16, Z16, Z16
	VPXORQ Z17, Z17, Z17
	VPXORQ Z18, Z18, Z18
	VPXORQ Z19, Z19, Z19
	VPXORQ Z20, Z20, Z20
	VPXORQ Z21, Z21, Z21
	VPXORQ Z22, Z22, Z22
	VPXORQ Z23, Z23, Z23
	MOVQ   CX, BX
	ANDQ   $3, BX
	SHRQ   $2, CX
	JZ     rest

fours:
	STEP(0, 0)
	STEP(32, 128)
	STEP(64, 256)
	STEP(96, 384)
	ADDQ $128, SI
	ADDQ $512, DX
	DECQ CX
	JNZ  fours

rest:
	TESTQ BX, BX
	JZ    done
	STEP(0, 0)
	ADDQ  $32, SI
	ADDQ  $128, DX
	DECQ  BX
	JMP   rest

done:
	VBROADCASTSS alpha+40(FP), Z2
	MOVBLZX      add+44(FP), AX
	TESTL        AX, AX
	JNZ          sum
	STORE(Z8, Z9)
	STORE(Z10, Z11)
	STORE(Z12, Z13)
	STORE(Z14, Z15)
	STORE(Z16, Z17)
	STORE(Z18, Z19)
	STORE(Z20, Z21)
	STORE(Z22, Z23)
	VZEROUPPER
	RET

sum:
	ADDSTORE(Z8, Z9)
	ADDSTORE(Z10, Z11)
	ADDSTORE(Z12, Z13)
	ADDSTORE(Z14, Z15)
	ADDSTORE(Z16, Z17)
	ADDSTORE(Z18, Z19)
	ADDSTORE(Z20, Z21)
	ADDSTORE(Z22, Z23)
	VZEROUPPER
	RET

// HALFROW and HALFSTEP are ROW and STEP for half as many columns.
#define HALFROW(offset, t, sum) \
	VBROADCASTSS offset(SI), t \
	VFMADD231PS  Z0, t, sum

#define HALFSTEP(a, b) \
	VMOVUPS b(DX), Z0         \
	HALFROW(a+0, Z1, Z8)      \
	HALFROW(a+4, Z2, Z9)      \
	HALFROW(a+8, Z3, Z10)     \
	HALFROW(a+12, Z4, Z11)    \
	HALFROW(a+16, Z1, Z12)    \
	HALFROW(a+20, Z2, Z13)    \
	HALFROW(a+24, Z3, Z14)    \
	HALFROW(a+28, Z4, Z15)

#define HALFSTORE(sum) \
	VMULPS  Z2, sum, sum \
	VMOVUPS sum, (DI)    \
	ADDQ    R9, DI

#define HALFADDSTORE(sum) \
	VMULPS  Z2, sum, sum   \
	VADDPS  (DI), sum, sum \
	VMOVUPS sum, (DI)      \
	ADDQ    R9, DI

// func tileHalf(depth int, a, b, c *float32, ldc int, alpha float32, add bool)
TEXT ·tileHalf(SB), NOSPLIT, $0-45
	MOVQ   depth+0(FP), CX
	MOVQ   a+8(FP), SI
	MOVQ   b+16(FP), DX
	MOVQ   c+24(FP), DI
	MOVQ   ldc+32(FP), R9
	SHLQ   $2, R9
	VPXORQ Z8, Z8, Z8
	VPXORQ Z9, Z9, Z9
	VPXORQ Z10, Z10, Z10
	VPXORQ Z11, Z11, Z11
	VPXORQ Z12, Z12, Z12
	VPXORQ Z13, Z13, Z13
	VPXORQ Z14, Z14, Z14
	VPXORQ Z15, Z15, Z15
	MOVQ   CX, BX
	ANDQ   $1, BX
	SHRQ   $1, CX
	JZ     rest

twos:
	HALFSTEP(0, 0)
	HALFSTEP(32, 64)
	ADDQ $64, SI
	ADDQ $128, DX
	DECQ CX
	JNZ  twos

rest:
	TESTQ BX, BX
	JZ    done
	HALFSTEP(0, 0)

done:
	VBROADCASTSS alpha+40(FP), Z2
	MOVBLZX      add+44(FP), AX
	TESTL        AX, AX
	JNZ          sum
	HALFSTORE(Z8)
	HALFSTORE(Z9)
	HALFSTORE(Z10)
	HALFSTORE(Z11)
	HALFSTORE(Z12)
	HALFSTORE(Z13)
	HALFSTORE(Z14)
	HALFSTORE(Z15)
	VZEROUPPER
	RET

sum:
	HALFADDSTORE(Z8)
	HALFADDSTORE(Z9)
	HALFADDSTORE(Z10)
	HALFADDSTORE(Z11)
	HALFADDSTORE(Z12)
	HALFADDSTORE(Z13)
	HALFADDSTORE(Z14)
	HALFADDSTORE(Z15)
	VZEROUPPER
	RET
