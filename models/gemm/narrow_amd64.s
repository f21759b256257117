//go:build !purego

#include "textflag.h"

// ROW adds a row's part of one column of A times one row of B, which is in Y0
// and Y1, to the row's two accumulators.
#define ROW(offset, t, left, right) \
	VBROADCASTSS offset(SI), t   \
	VFMADD231PS  Y0, t, left     \
	VFMADD231PS  Y1, t, right

// STORE writes one row of C and goes on to the next.
#define STORE(left, right) \
	VMULPS  Y2, left, left   \
	VMULPS  Y2, right, right \
	VMOVUPS left, (DI)       \
	VMOVUPS right, 32(DI)    \
	ADDQ    R9, DI

#define ADDSTORE(left, right) \
	VMULPS  Y2, left, left         \
	VMULPS  Y2, right, right       \
	VADDPS  (DI), left, left       \
	VADDPS  32(DI), right, right   \
	VMOVUPS left, (DI)             \
	VMOVUPS right, 32(DI)          \
	ADDQ    R9, DI

// func tileNarrow(depth int, a, b, c *float32, ldc int, alpha float32, add bool)
TEXT ·tileNarrow(SB), NOSPLIT, $0-45
	MOVQ   depth+0(FP), CX
	MOVQ   a+8(FP), SI
	MOVQ   b+16(FP), DX
	MOVQ   c+24(FP), DI
	MOVQ   ldc+32(FP), R9
	SHLQ   $2, R9
	VXORPS Y4, Y4, Y4
	VXORPS Y5, Y5, Y5
	VXORPS Y6, Y6, Y6
	VXORPS Y7, Y7, Y7
	VXORPS Y8, Y8, Y8
	VXORPS Y9, Y9, Y9
	VXORPS Y10, Y10, Y10
	VXORPS Y11, Y11, Y11
	VXORPS Y12, Y12, Y12
	VXORPS Y13, Y13, Y13
	VXORPS Y14, Y14, Y14
	VXORPS Y15, Y15, Y15

loop:
	VMOVUPS (DX), Y0
	VMOVUPS 32(DX), Y1
	ROW(0, Y2, Y4, Y5)
	ROW(4, Y3, Y6, Y7)
	ROW(8, Y2, Y8, Y9)
	ROW(12, Y3, Y10, Y11)
	ROW(16, Y2, Y12, Y13)
	ROW(20, Y3, Y14, Y15)
	ADDQ    $24, SI
	ADDQ    $64, DX
	DECQ    CX
	JNZ     loop

	VBROADCASTSS alpha+40(FP), Y2
	MOVBLZX      add+44(FP), AX
	TESTL        AX, AX
	JNZ          sum
	STORE(Y4, Y5)
	STORE(Y6, Y7)
	STORE(Y8, Y9)
	STORE(Y10, Y11)
	STORE(Y12, Y13)
	STORE(Y14, Y15)
	VZEROUPPER
	RET

sum:
	ADDSTORE(Y4, Y5)
	ADDSTORE(Y6, Y7)
	ADDSTORE(Y8, Y9)
	ADDSTORE(Y10, Y11)
	ADDSTORE(Y12, Y13)
	ADDSTORE(Y14, Y15)
	VZEROUPPER
	RET
