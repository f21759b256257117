//go:build !purego

#include "textflag.h"
#include "loop_amd64.h"

// func linkRow(dst, link, write, previous *float32, n int, keep, w float32)
TEXT ·linkRow(SB), NOSPLIT, $0-48
	MOVQ         dst+0(FP), DI
	MOVQ         link+8(FP), SI
	MOVQ         write+16(FP), R9
	MOVQ         previous+24(FP), R10
	MOVQ         n+32(FP), CX
	VBROADCASTSS keep+40(FP), Y2
	VBROADCASTSS w+44(FP), Y3
	XORQ         AX, AX

loop:
	VSUBPS  (R9)(AX*4), Y2, Y0
	VMULPS  (SI)(AX*4), Y0, Y0
	VMULPS  (R10)(AX*4), Y3, Y1
	VADDPS  Y1, Y0, Y0
	VMOVUPS Y0, (DI)(AX*4)
	NEXT(loop)
	VZEROUPPER
	RET

// func linkRowBack(d, link, write, previous, dwrite, dprevious *float32, n int, keep, w float32, parts *[lanes]float32)
TEXT ·linkRowBack(SB), NOSPLIT, $0-72
	MOVQ         d+0(FP), DI
	MOVQ         link+8(FP), SI
	MOVQ         write+16(FP), R9
	MOVQ         previous+24(FP), R10
	MOVQ         dwrite+32(FP), R11
	MOVQ         dprevious+40(FP), R12
	MOVQ         n+48(FP), CX
	VBROADCASTSS keep+56(FP), Y8
	VBROADCASTSS w+60(FP), Y9
	MOVQ         parts+64(FP), R8
	VXORPS       Y10, Y10, Y10
	XORQ         AX, AX

loop:
	VMOVUPS (DI)(AX*4), Y0
	VMULPS  (SI)(AX*4), Y0, Y1  // d link
	VMULPS  (R10)(AX*4), Y0, Y2
	VSUBPS  Y1, Y2, Y2
	VADDPS  Y2, Y10, Y10
	VMOVUPS (R11)(AX*4), Y3
	VSUBPS  Y1, Y3, Y3
	VMOVUPS Y3, (R11)(AX*4)
	VMULPS  Y9, Y0, Y3
	VADDPS  (R12)(AX*4), Y3, Y3
	VMOVUPS Y3, (R12)(AX*4)
	VSUBPS  (R9)(AX*4), Y8, Y3
	VMULPS  Y3, Y0, Y0
	VMOVUPS Y0, (DI)(AX*4)
	NEXT(loop)
	VMOVUPS Y10, (R8)
	VZEROUPPER
	RET
