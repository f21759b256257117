//go:build !purego

// The vector forms of the loops in this package, with AVX2. They do the same
// operations in the same order as the loops in Go, eight elements at a time,
// and never a fused multiply-add, so that both give the same bits.
//
// In every function n, in CX, is a positive multiple of 8, and AX counts
// elements. Operands are in the assembler's order: VSUBPS b, a, d is d = a - b.

#include "textflag.h"

// Offsets in the table of constants (constants.go), whose address is in DX.
#define LOG2E  (0*32)(DX)
#define ROUND  (1*32)(DX)
#define LN2HI  (2*32)(DX)
#define LN2LO  (3*32)(DX)
#define ONE    (4*32)(DX)
#define C2     (5*32)(DX)
#define C6     (6*32)(DX)
#define C24    (7*32)(DX)
#define C120   (8*32)(DX)
#define C720   (9*32)(DX)
#define C5040  (10*32)(DX)
#define BIAS   (11*32)(DX)
#define LEAST  (12*32)(DX)
#define SIGN   (13*32)(DX)
#define TANH3  (14*32)(DX)
#define TANH5  (15*32)(DX)
#define TANH7  (16*32)(DX)
#define TANH9  (17*32)(DX)
#define TANH11 (18*32)(DX)

// POWER replaces Y0 by e^Y0 (power in exp.go). It uses Y1 to Y6.
#define POWER \
	VMULPS LOG2E, Y0, Y1 \
	VADDPS ROUND, Y1, Y1 \ // shifted
	VSUBPS ROUND, Y1, Y2 \ // n
	VMULPS LN2HI, Y2, Y3 \
	VSUBPS Y3, Y0, Y3    \
	VMULPS LN2LO, Y2, Y2 \
	VSUBPS Y2, Y3, Y3    \ // r
	VPADDD BIAS, Y1, Y1  \
	VPSLLD $23, Y1, Y1   \ // 2^n
	VMULPS Y3, Y3, Y4    \ // r^2
	VMULPS C6, Y3, Y2    \
	VADDPS C2, Y2, Y2    \
	VMULPS Y4, Y2, Y2    \
	VADDPS ONE, Y3, Y5   \
	VADDPS Y2, Y5, Y2    \ // low
	VMULPS C5040, Y3, Y5 \
	VADDPS C720, Y5, Y5  \
	VMULPS Y4, Y5, Y5    \
	VMULPS C120, Y3, Y6  \
	VADDPS C24, Y6, Y6   \
	VADDPS Y5, Y6, Y6    \ // high
	VMULPS Y4, Y4, Y4    \
	VMULPS Y6, Y4, Y4    \
	VADDPS Y4, Y2, Y2    \
	VMULPS Y1, Y2, Y0

// NEXT goes on with the next eight elements.
#define NEXT(loop) \
	ADDQ $8, AX  \
	CMPQ AX, CX  \
	JLT  loop

// func add(dst, x *float32, n int)
TEXT ·add(SB), NOSPLIT, $0-24
	MOVQ dst+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ n+16(FP), CX
	XORQ AX, AX

loop:
	VMOVUPS (DI)(AX*4), Y0
	VADDPS  (SI)(AX*4), Y0, Y0
	VMOVUPS Y0, (DI)(AX*4)
	NEXT(loop)
	VZEROUPPER
	RET

// func addScaled(dst, x *float32, n int, a float32)
TEXT ·addScaled(SB), NOSPLIT, $0-28
	MOVQ         dst+0(FP), DI
	MOVQ         x+8(FP), SI
	MOVQ         n+16(FP), CX
	VBROADCASTSS a+24(FP), Y1
	XORQ         AX, AX

loop:
	VMULPS  (SI)(AX*4), Y1, Y0
	VADDPS  (DI)(AX*4), Y0, Y0
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

// func multiply(dst, x *float32, n int)
TEXT ·multiply(SB), NOSPLIT, $0-24
	MOVQ dst+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ n+16(FP), CX
	XORQ AX, AX

loop:
	VMOVUPS (DI)(AX*4), Y0
	VMULPS  (SI)(AX*4), Y0, Y0
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

// func combine(dst, vectors, factors *float32, n, count, stride int)
// Four times eight elements of dst stay in registers while the vectors are
// added; what is left of n goes eight by eight.
TEXT ·combine(SB), NOSPLIT, $0-48
	MOVQ dst+0(FP), DI
	MOVQ vectors+8(FP), SI
	MOVQ factors+16(FP), BX
	MOVQ n+24(FP), CX
	MOVQ count+32(FP), R9
	MOVQ stride+40(FP), R10
	SHLQ $2, R10
	XORQ AX, AX
	SUBQ $24, CX
	CMPQ CX, $0
	JLE  rest

wide:
	VMOVUPS 0(DI)(AX*4), Y0
	VMOVUPS 32(DI)(AX*4), Y1
	VMOVUPS 64(DI)(AX*4), Y2
	VMOVUPS 96(DI)(AX*4), Y3
	MOVQ    SI, R11
	XORQ    DX, DX

vectors:
	VBROADCASTSS (BX)(DX*4), Y8
	VMULPS       0(R11)(AX*4), Y8, Y4
	VMULPS       32(R11)(AX*4), Y8, Y5
	VMULPS       64(R11)(AX*4), Y8, Y6
	VMULPS       96(R11)(AX*4), Y8, Y7
	VADDPS       Y4, Y0, Y0
	VADDPS       Y5, Y1, Y1
	VADDPS       Y6, Y2, Y2
	VADDPS       Y7, Y3, Y3
	ADDQ         R10, R11
	INCQ         DX
	CMPQ         DX, R9
	JLT          vectors
	VMOVUPS      Y0, 0(DI)(AX*4)
	VMOVUPS      Y1, 32(DI)(AX*4)
	VMOVUPS      Y2, 64(DI)(AX*4)
	VMOVUPS      Y3, 96(DI)(AX*4)
	ADDQ         $32, AX
	CMPQ         AX, CX
	JLT          wide

rest:
	ADDQ $24, CX
	CMPQ AX, CX
	JGE  done

narrow:
	VMOVUPS (DI)(AX*4), Y0
	MOVQ    SI, R11
	XORQ    DX, DX

each:
	VBROADCASTSS (BX)(DX*4), Y8
	VMULPS       (R11)(AX*4), Y8, Y4
	VADDPS       Y4, Y0, Y0
	ADDQ         R10, R11
	INCQ         DX
	CMPQ         DX, R9
	JLT          each
	VMOVUPS      Y0, (DI)(AX*4)
	NEXT(narrow)

done:
	VZEROUPPER
	RET
