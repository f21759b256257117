//go:build !purego

#include "textflag.h"
#include "loop_amd64.h"
#include "power_amd64.h"

// func sigmoid(x *float32, n int, c *[19][lanes]float32)
// VMAXPS and VMINPS give x when it is not a number.
TEXT ·sigmoid(SB), NOSPLIT, $0-24
	MOVQ    x+0(FP), DI
	MOVQ    n+8(FP), CX
	MOVQ    c+16(FP), DX
	VMOVUPS LEAST, Y8
	VXORPS  SIGN, Y8, Y9
	VMOVUPS ONE, Y10
	VXORPS  Y11, Y11, Y11
	XORQ    AX, AX

loop:
	VSUBPS  (DI)(AX*4), Y11, Y0
	VMAXPS  Y0, Y8, Y0
	VMINPS  Y0, Y9, Y0
	POWER
	VADDPS  Y10, Y0, Y0
	VDIVPS  Y0, Y10, Y0
	VMOVUPS Y0, (DI)(AX*4)
	NEXT(loop)
	VZEROUPPER
	RET

// func sigmoidBack(d, y *float32, n int, c *[19][lanes]float32)
TEXT ·sigmoidBack(SB), NOSPLIT, $0-32
	MOVQ    d+0(FP), DI
	MOVQ    y+8(FP), SI
	MOVQ    n+16(FP), CX
	MOVQ    c+24(FP), DX
	VMOVUPS ONE, Y10
	XORQ    AX, AX

loop:
	VMOVUPS (SI)(AX*4), Y0
	VSUBPS  Y0, Y10, Y1
	VMULPS  Y1, Y0, Y0
	VMULPS  (DI)(AX*4), Y0, Y0
	VMOVUPS Y0, (DI)(AX*4)
	NEXT(loop)
	VZEROUPPER
	RET

// func tanhBack(d, y *float32, n int, c *[19][lanes]float32)
TEXT ·tanhBack(SB), NOSPLIT, $0-32
	MOVQ    d+0(FP), DI
	MOVQ    y+8(FP), SI
	MOVQ    n+16(FP), CX
	MOVQ    c+24(FP), DX
	VMOVUPS ONE, Y10
	XORQ    AX, AX

loop:
	VMOVUPS (SI)(AX*4), Y0
	VMULPS  Y0, Y0, Y0
	VSUBPS  Y0, Y10, Y0
	VMULPS  (DI)(AX*4), Y0, Y0
	VMOVUPS Y0, (DI)(AX*4)
	NEXT(loop)
	VZEROUPPER
	RET

// func tanh(x *float32, n int, c *[19][lanes]float32)
TEXT ·tanh(SB), NOSPLIT, $0-24
	MOVQ         x+0(FP), DI
	MOVQ         n+8(FP), CX
	MOVQ         c+16(FP), DX
	VMOVUPS      LEAST, Y8
	VMOVUPS      SIGN, Y9
	VMOVUPS      ONE, Y10
	MOVL         $0x3f200000, BX // 0.625, nearZero
	MOVQ         BX, X11
	VBROADCASTSS X11, Y11
	XORQ         AX, AX

loop:
	VMOVUPS   (DI)(AX*4), Y12
	VANDNPS   Y12, Y9, Y13     // |x|
	VADDPS    Y13, Y13, Y0
	VXORPS    Y9, Y0, Y0       // -2|x|
	VMAXPS    Y0, Y8, Y0
	POWER
	VSUBPS    Y0, Y10, Y1
	VADDPS    Y0, Y10, Y2
	VDIVPS    Y2, Y1, Y0
	VANDPS    Y12, Y9, Y1
	VORPS     Y1, Y0, Y0       // with the sign of x
	VMULPS    Y12, Y12, Y2     // z
	VMULPS    TANH11, Y2, Y3
	VADDPS    TANH9, Y3, Y3
	VMULPS    Y2, Y3, Y3
	VADDPS    TANH7, Y3, Y3
	VMULPS    Y2, Y3, Y3
	VADDPS    TANH5, Y3, Y3
	VMULPS    Y2, Y3, Y3
	VADDPS    TANH3, Y3, Y3
	VMULPS    Y2, Y12, Y2
	VMULPS    Y3, Y2, Y2
	VADDPS    Y12, Y2, Y2
	VCMPPS    $1, Y11, Y13, Y1 // |x| < 0.625
	VBLENDVPS Y1, Y2, Y0, Y0
	VMOVUPS   Y0, (DI)(AX*4)
	NEXT(loop)
	VZEROUPPER
	RET
