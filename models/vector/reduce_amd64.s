//go:build !purego

#include "textflag.h"
#include "loop_amd64.h"

// func total(x *float32, n int, parts *[lanes]float32)
TEXT ·total(SB), NOSPLIT, $0-24
	MOVQ   x+0(FP), DI
	MOVQ   n+8(FP), CX
	MOVQ   parts+16(FP), R8
	VXORPS Y1, Y1, Y1
	XORQ   AX, AX

loop:
	VADDPS  (DI)(AX*4), Y1, Y1
	NEXT(loop)
	VMOVUPS Y1, (R8)
	VZEROUPPER
	RET

// func dot(x, y *float32, n int, parts *[lanes]float32)
TEXT ·dot(SB), NOSPLIT, $0-32
	MOVQ   x+0(FP), DI
	MOVQ   y+8(FP), SI
	MOVQ   n+16(FP), CX
	MOVQ   parts+24(FP), R8
	VXORPS Y1, Y1, Y1
	XORQ   AX, AX

loop:
	VMOVUPS (DI)(AX*4), Y0
	VMULPS  (SI)(AX*4), Y0, Y0
	VADDPS  Y0, Y1, Y1
	NEXT(loop)
	VMOVUPS Y1, (R8)
	VZEROUPPER
	RET

// func sumSquares(x *float32, n int, parts *[lanes]float64)
TEXT ·sumSquares(SB), NOSPLIT, $0-24
	MOVQ   x+0(FP), DI
	MOVQ   n+8(FP), CX
	MOVQ   parts+16(FP), R8
	VXORPD Y2, Y2, Y2
	VXORPD Y3, Y3, Y3
	XORQ   AX, AX

loop:
	VCVTPS2PD (DI)(AX*4), Y0
	VCVTPS2PD 16(DI)(AX*4), Y1
	VMULPD    Y0, Y0, Y0
	VMULPD    Y1, Y1, Y1
	VADDPD    Y0, Y2, Y2
	VADDPD    Y1, Y3, Y3
	NEXT(loop)
	VMOVUPD   Y2, (R8)
	VMOVUPD   Y3, 32(R8)
	VZEROUPPER
	RET

// func largest(x *float32, n int, parts *[lanes]float32)
// VMAXPS gives its first operand here, the larger so far, when the other is not
// a number.
TEXT ·largest(SB), NOSPLIT, $0-24
	MOVQ         x+0(FP), DI
	MOVQ         n+8(FP), CX
	MOVQ         parts+16(FP), R8
	MOVL         $0xff800000, BX // minus infinity
	MOVQ         BX, X1
	VBROADCASTSS X1, Y1
	XORQ         AX, AX

loop:
	VMOVUPS (DI)(AX*4), Y0
	VMAXPS  Y1, Y0, Y1
	NEXT(loop)
	VMOVUPS Y1, (R8)
	VZEROUPPER
	RET
