//go:build !purego

#include "textflag.h"
#include "loop_amd64.h"
#include "power_amd64.h"

// func expSum(x *float32, n int, top float32, c *[19][lanes]float32, parts *[lanes]float32)
TEXT ·expSum(SB), NOSPLIT, $0-40
	MOVQ         x+0(FP), DI
	MOVQ         n+8(FP), CX
	VBROADCASTSS top+16(FP), Y8
	MOVQ         c+24(FP), DX
	MOVQ         parts+32(FP), R8
	VXORPS       Y9, Y9, Y9
	XORQ         AX, AX

loop:
	VMOVUPS  (DI)(AX*4), Y0
	VSUBPS   Y8, Y0, Y0
	VCMPPS   $1, LEAST, Y0, Y7 // below the least: 0
	POWER
	VANDNPS  Y0, Y7, Y0
	VMOVUPS  Y0, (DI)(AX*4)
	VADDPS   Y0, Y9, Y9
	NEXT(loop)
	VMOVUPS  Y9, (R8)
	VZEROUPPER
	RET
