//go:build !purego

#include "textflag.h"

// func copyLines(depth, eights int, src *float32, ld int, dst *float32, step, gap int)
TEXT ·copyLines(SB), NOSPLIT, $0-56
	MOVQ depth+0(FP), CX
	MOVQ eights+8(FP), R10
	MOVQ src+16(FP), SI
	MOVQ ld+24(FP), R9
	MOVQ dst+32(FP), DI
	MOVQ step+40(FP), R11
	MOVQ gap+48(FP), R12
	SHLQ $2, R9
	SHLQ $2, R11
	SHLQ $2, R12
	LEAQ (R12)(R12*2), R13
	CMPQ R10, $4
	JEQ  four

line:
	MOVQ SI, DX
	MOVQ DI, R8
	MOVQ R10, BX

eight:
	VMOVUPS (DX), Y0
	VMOVUPS Y0, (R8)
	ADDQ    $32, DX
	ADDQ    R12, R8
	DECQ    BX
	JNZ     eight
	ADDQ    R9, SI
	ADDQ    R11, DI
	DECQ    CX
	JNZ     line
	VZEROUPPER
	RET

four:
	VMOVUPS (SI), Y0
	VMOVUPS 32(SI), Y1
	VMOVUPS 64(SI), Y2
	VMOVUPS 96(SI), Y3
	VMOVUPS Y0, (DI)
	VMOVUPS Y1, (DI)(R12*1)
	VMOVUPS Y2, (DI)(R12*2)
	VMOVUPS Y3, (DI)(R13*1)
	ADDQ    R9, SI
	ADDQ    R11, DI
	DECQ    CX
	JNZ     four
	VZEROUPPER
	RET

// QUARTER takes four columns of eight lines, at offset from SI and R8, and
// writes them as four rows of eight from DI on, R11 apart. R9, R10 hold the
// distance of one and of three lines.
#define QUARTER(offset) \
	VMOVUPS     offset(SI), X0                  \
	VMOVUPS     offset(SI)(R9*1), X1            \
	VMOVUPS     offset(SI)(R9*2), X2            \
	VMOVUPS     offset(SI)(R10*1), X3           \
	VINSERTF128 $1, offset(R8), Y0, Y0          \
	VINSERTF128 $1, offset(R8)(R9*1), Y1, Y1    \
	VINSERTF128 $1, offset(R8)(R9*2), Y2, Y2    \
	VINSERTF128 $1, offset(R8)(R10*1), Y3, Y3   \
	VUNPCKLPS   Y1, Y0, Y4                      \
	VUNPCKHPS   Y1, Y0, Y5                      \
	VUNPCKLPS   Y3, Y2, Y6                      \
	VUNPCKHPS   Y3, Y2, Y7                      \
	VSHUFPS     $0x44, Y6, Y4, Y0               \
	VSHUFPS     $0xee, Y6, Y4, Y1               \
	VSHUFPS     $0x44, Y7, Y5, Y2               \
	VSHUFPS     $0xee, Y7, Y5, Y3               \
	VMOVUPS     Y0, (DI)                        \
	VMOVUPS     Y1, (DI)(R11*1)                 \
	VMOVUPS     Y2, (DI)(R11*2)                 \
	VMOVUPS     Y3, (DI)(R12*1)                 \
	LEAQ        (DI)(R11*4), DI

// func transpose(n int, src *float32, ld int, dst *float32, width int)
TEXT ·transpose(SB), NOSPLIT, $0-40
	MOVQ n+0(FP), CX
	MOVQ src+8(FP), SI
	MOVQ ld+16(FP), R9
	MOVQ dst+24(FP), DI
	MOVQ width+32(FP), R11
	SHLQ $2, R9
	SHLQ $2, R11
	LEAQ (R9)(R9*2), R10
	LEAQ (R11)(R11*2), R12
	LEAQ (SI)(R9*4), R8

loop:
	QUARTER(0)
	QUARTER(16)
	ADDQ $32, SI
	ADDQ $32, R8
	DECQ CX
	JNZ  loop
	VZEROUPPER
	RET
