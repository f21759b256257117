//go:build !purego

#include "textflag.h"
#include "loop_amd64.h"

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
