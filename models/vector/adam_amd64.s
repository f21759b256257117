//go:build !purego

#include "textflag.h"
#include "loop_amd64.h"

// func adam(w, d, m, v *float32, n int, r *AdamRates[float32])
TEXT ·adam(SB), NOSPLIT, $0-48
	MOVQ         w+0(FP), DI
	MOVQ         d+8(FP), SI
	MOVQ         m+16(FP), R8
	MOVQ         v+24(FP), R9
	MOVQ         n+32(FP), CX
	MOVQ         r+40(FP), DX
	VBROADCASTSS 0(DX), Y8
	VBROADCASTSS 4(DX), Y9
	VBROADCASTSS 8(DX), Y10
	VBROADCASTSS 12(DX), Y11
	VBROADCASTSS 16(DX), Y12
	VBROADCASTSS 20(DX), Y13
	VBROADCASTSS 24(DX), Y14
	XORQ         AX, AX

loop:
	VMOVUPS (SI)(AX*4), Y0      // d, the gradient
	VMULPS  (R8)(AX*4), Y8, Y1
	VMULPS  Y0, Y9, Y2
	VADDPS  Y2, Y1, Y1          // m
	VMOVUPS Y1, (R8)(AX*4)
	VMULPS  (R9)(AX*4), Y10, Y2
	VMULPS  Y0, Y11, Y3
	VMULPS  Y0, Y3, Y3
	VADDPS  Y3, Y2, Y2          // v
	VMOVUPS Y2, (R9)(AX*4)
	VSQRTPS Y2, Y2
	VMULPS  Y13, Y2, Y2
	VADDPS  Y14, Y2, Y2
	VMULPS  Y1, Y12, Y1
	VDIVPS  Y2, Y1, Y1
	VMOVUPS (DI)(AX*4), Y0
	VSUBPS  Y1, Y0, Y0
	VMOVUPS Y0, (DI)(AX*4)
	NEXT(loop)
	VZEROUPPER
	RET
