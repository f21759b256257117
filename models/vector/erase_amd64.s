//go:build !purego

#include "textflag.h"
#include "loop_amd64.h"

// func eraseAdd(dst, src, erase, add *float32, n int, w float32, parts *[lanes]float32)
TEXT ·eraseAdd(SB), NOSPLIT, $0-56
	MOVQ         dst+0(FP), DI
	MOVQ         src+8(FP), SI
	MOVQ         erase+16(FP), R9
	MOVQ         add+24(FP), R10
	MOVQ         n+32(FP), CX
	VBROADCASTSS w+40(FP), Y2
	MOVQ         parts+48(FP), R8
	VXORPS       Y3, Y3, Y3
	XORQ         AX, AX

loop:
	VMOVUPS (SI)(AX*4), Y0
	VMULPS  (R9)(AX*4), Y0, Y1
	VSUBPS  (R10)(AX*4), Y1, Y1
	VMULPS  Y1, Y2, Y1
	VSUBPS  Y1, Y0, Y0
	VMOVUPS Y0, (DI)(AX*4)
	VMULPS  Y0, Y0, Y0
	VADDPS  Y0, Y3, Y3
	NEXT(loop)
	VMOVUPS Y3, (R8)
	VZEROUPPER
	RET

// func eraseAddBack(d, src, erase, add, derase, dadd *float32, n int, w float32, parts *[lanes]float32)
TEXT ·eraseAddBack(SB), NOSPLIT, $0-72
	MOVQ         d+0(FP), DI
	MOVQ         src+8(FP), SI
	MOVQ         erase+16(FP), R9
	MOVQ         add+24(FP), R10
	MOVQ         derase+32(FP), R11
	MOVQ         dadd+40(FP), R12
	MOVQ         n+48(FP), CX
	VBROADCASTSS w+56(FP), Y8
	MOVQ         parts+64(FP), R8
	VXORPS       Y9, Y9, Y9
	XORQ         AX, AX

loop:
	VMOVUPS (DI)(AX*4), Y0      // d
	VMOVUPS (SI)(AX*4), Y1      // src
	VMOVUPS (R9)(AX*4), Y2      // e
	VMOVUPS (R10)(AX*4), Y3     // v
	VMULPS  Y2, Y1, Y4
	VSUBPS  Y4, Y3, Y4
	VMULPS  Y4, Y0, Y4
	VADDPS  Y4, Y9, Y9
	VMULPS  Y0, Y8, Y5          // w d
	VMULPS  Y1, Y5, Y6
	VMOVUPS (R11)(AX*4), Y7
	VSUBPS  Y6, Y7, Y7
	VMOVUPS Y7, (R11)(AX*4)
	VADDPS  (R12)(AX*4), Y5, Y6
	VMOVUPS Y6, (R12)(AX*4)
	VMULPS  Y2, Y5, Y6
	VSUBPS  Y6, Y0, Y0
	VMOVUPS Y0, (DI)(AX*4)
	NEXT(loop)
	VMOVUPS Y9, (R8)
	VZEROUPPER
	RET
