//go:build !purego

#include "textflag.h"
#include "loop_amd64.h"

// func addScaled(dst, x, y *float32, n int, a float32)
TEXT ·addScaled(SB), NOSPLIT, $0-36
	MOVQ         dst+0(FP), DI
	MOVQ         x+8(FP), SI
	MOVQ         y+16(FP), BX
	MOVQ         n+24(FP), CX
	VBROADCASTSS a+32(FP), Y1
	XORQ         AX, AX

loop:
	VMULPS  (BX)(AX*4), Y1, Y0
	VADDPS  (SI)(AX*4), Y0, Y0
	VMOVUPS Y0, (DI)(AX*4)
	NEXT(loop)
	VZEROUPPER
	RET

// func addProduct(dst, x, y *float32, n int)
TEXT ·addProduct(SB), NOSPLIT, $0-32
	MOVQ dst+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ y+16(FP), BX
	MOVQ n+24(FP), CX
	XORQ AX, AX

loop:
	VMOVUPS (SI)(AX*4), Y0
	VMULPS  (BX)(AX*4), Y0, Y0
	VADDPS  (DI)(AX*4), Y0, Y0
	VMOVUPS Y0, (DI)(AX*4)
	NEXT(loop)
	VZEROUPPER
	RET

// func scale(x *float32, n int, a float32)
TEXT ·scale(SB), NOSPLIT, $0-20
	MOVQ         x+0(FP), DI
	MOVQ         n+8(FP), CX
	VBROADCASTSS a+16(FP), Y1
	XORQ         AX, AX

loop:
	VMULPS  (DI)(AX*4), Y1, Y0
	VMOVUPS Y0, (DI)(AX*4)
	NEXT(loop)
	VZEROUPPER
	RET

// func product(dst, x, y *float32, n int)
TEXT ·product(SB), NOSPLIT, $0-32
	MOVQ dst+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ y+16(FP), BX
	MOVQ n+24(FP), CX
	XORQ AX, AX

loop:
	VMOVUPS (SI)(AX*4), Y0
	VMULPS  (BX)(AX*4), Y0, Y0
	VMOVUPS Y0, (DI)(AX*4)
	NEXT(loop)
	VZEROUPPER
	RET

// func addConstant(x *float32, n int, a float32)
TEXT ·addConstant(SB), NOSPLIT, $0-20
	MOVQ         x+0(FP), DI
	MOVQ         n+8(FP), CX
	VBROADCASTSS a+16(FP), Y1
	XORQ         AX, AX

loop:
	VADDPS  (DI)(AX*4), Y1, Y0
	VMOVUPS Y0, (DI)(AX*4)
	NEXT(loop)
	VZEROUPPER
	RET

// func keepPositive(dst, x, by *float32, n int)
TEXT ·keepPositive(SB), NOSPLIT, $0-32
	MOVQ   dst+0(FP), DI
	MOVQ   x+8(FP), SI
	MOVQ   by+16(FP), BX
	MOVQ   n+24(FP), CX
	VXORPS Y1, Y1, Y1
	XORQ   AX, AX

loop:
	VCMPPS  $13, (BX)(AX*4), Y1, Y0 // 0 >= by
	VANDNPS (SI)(AX*4), Y0, Y0
	VMOVUPS Y0, (DI)(AX*4)
	NEXT(loop)
	VZEROUPPER
	RET
