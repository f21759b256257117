//go:build !purego

#include "textflag.h"

// Both kernels read element (i, d) of A from a + i*arow + d*acol, and element (d, j) of B from
// b + d*ldb + j: packed operands and operands in place differ only in their strides. They
// compute a tile of C with the given rows, up to eight, and columns.
//
// Registers: SI and R8 hold the addresses of rows 0 and 4 of A, R9 and R10 the bytes of one
// and of three rows, R13 those of a column; DX is the address of a row of B, R11 and R12 hold
// the bytes of one and of three rows; AX holds the rows of the tile, CX the groups of four columns
// of A and BX the remaining columns; K1 and K2 mask columns of B.

// ROW adds a row's part of one column of A times one row of B, which is in Z0
// and Z1, to the row's two accumulators.
#define ROW(a, t, left, right) \
	VBROADCASTSS a, t        \
	VFMADD231PS  Z0, t, left \
	VFMADD231PS  Z1, t, right

// ROWS1 to ROWS8 are the first rows of the tile.
#define ROWS1 ROW((SI), Z2, Z8, Z9)
#define ROWS2 ROWS1; ROW((SI)(R9*1), Z3, Z10, Z11)
#define ROWS3 ROWS2; ROW((SI)(R9*2), Z4, Z12, Z13)
#define ROWS4 ROWS3; ROW((SI)(R10*1), Z5, Z14, Z15)
#define ROWS5 ROWS4; ROW((R8), Z2, Z16, Z17)
#define ROWS6 ROWS5; ROW((R8)(R9*1), Z3, Z18, Z19)
#define ROWS7 ROWS6; ROW((R8)(R9*2), Z4, Z20, Z21)
#define ROWS8 ROWS7; ROW((R8)(R10*1), Z5, Z22, Z23)

// STEP is one column of A times one row of B, of which left and right are the halves.
#define STEP(rows, left, right) \
	VMOVUPS.Z left, K1, Z0  \
	VMOVUPS.Z right, K2, Z1 \
	rows                    \
	ADDQ R13, SI            \
	ADDQ R13, R8

// LOOP takes all steps of a tile with as many rows, four at a time and then one by one.
#define LOOP(step, rows, fours, rest) \
	TESTQ CX, CX                         \
	JZ    rest                           \
fours: \
	step(rows, (DX), 64(DX))             \
	step(rows, (DX)(R11*1), 64(DX)(R11*1)) \
	step(rows, (DX)(R11*2), 64(DX)(R11*2)) \
	step(rows, (DX)(R12*1), 64(DX)(R12*1)) \
	LEAQ (DX)(R11*4), DX                 \
	DECQ CX                              \
	JNZ  fours                           \
rest: \
	TESTQ BX, BX                         \
	JZ    done                           \
	step(rows, (DX), 64(DX))             \
	ADDQ  R11, DX                        \
	DECQ  BX                             \
	JMP   rest

// LOOPS takes the steps of a tile with AX rows and CX columns of A. It overwrites BX
// and CX, and ends at the label done.
#define LOOPS(step, rows1, rows2, rows3, rows4, rows5, rows6, rows7, rows8) \
	MOVQ CX, BX \
	ANDQ $3, BX \
	SHRQ $2, CX \
	CMPQ AX, $8 \
	JEQ  eight  \
	CMPQ AX, $4 \
	JGT  five   \
	JEQ  four   \
	CMPQ AX, $2 \
	JGT  three  \
	JEQ  two    \
	LOOP(step, rows1, fours1, rest1) \
two: \
	LOOP(step, rows2, fours2, rest2) \
three: \
	LOOP(step, rows3, fours3, rest3) \
four: \
	LOOP(step, rows4, fours4, rest4) \
five: \
	CMPQ AX, $6 \
	JGT  seven  \
	JEQ  six    \
	LOOP(step, rows5, fours5, rest5) \
six: \
	LOOP(step, rows6, fours6, rest6) \
seven: \
	LOOP(step, rows7, fours7, rest7) \
eight: \
	LOOP(step, rows8, fours8, rest8)

// STORE writes one row of C and goes on to the next.
#define STORE(left, right) \
	VMULPS  Z2, left, left    \
	VMULPS  Z2, right, right  \
	VMOVUPS left, K1, (DI)    \
	VMOVUPS right, K2, 64(DI) \
	DECQ    BX                \
	JZ      end               \
	ADDQ    R9, DI

#define ADDSTORE(left, right) \
	VMULPS  Z2, left, left           \
	VMULPS  Z2, right, right         \
	VADDPS  (DI), left, K1, left     \
	VADDPS  64(DI), right, K2, right \
	VMOVUPS left, K1, (DI)           \
	VMOVUPS right, K2, 64(DI)        \
	DECQ    BX                       \
	JZ      end                      \
	ADDQ    R9, DI

// OPERANDS loads the strides and addresses of A and B, which have the same places in both
// functions.
#define OPERANDS \
	MOVQ a+8(FP), SI      \
	MOVQ arow+16(FP), R9  \
	SHLQ $2, R9           \
	LEAQ (R9)(R9*2), R10  \
	LEAQ (SI)(R9*4), R8   \
	MOVQ acol+24(FP), R13 \
	SHLQ $2, R13          \
	MOVQ b+32(FP), DX     \
	MOVQ ldb+40(FP), R11  \
	SHLQ $2, R11          \
	LEAQ (R11)(R11*2), R12

// func tileWide(depth int, a *float32, arow, acol int, b *float32, ldb int, c *float32, ldc, rows, cols int, alpha float32, add bool)
TEXT ·tileWide(SB), NOSPLIT, $0-85
	MOVQ  cols+72(FP), CX
	MOVL  $1, AX
	SHLQ  CX, AX
	DECQ  AX
	KMOVW AX, K1
	SHRQ  $16, AX
	KMOVW AX, K2
	MOVQ  c+48(FP), DI
	MOVQ  ldc+56(FP), AX
	SHLQ  $2, AX

	// C is wanted last: bring it near meanwhile.
	LEAQ       (AX)(AX*2), BX
	LEAQ       (DI)(AX*4), R8
	PREFETCHT0 (DI)
	PREFETCHT0 64(DI)
	PREFETCHT0 (DI)(AX*1)
	PREFETCHT0 64(DI)(AX*1)
	PREFETCHT0 (DI)(AX*2)
	PREFETCHT0 64(DI)(AX*2)
	PREFETCHT0 (DI)(BX*1)
	PREFETCHT0 64(DI)(BX*1)
	PREFETCHT0 (R8)
	PREFETCHT0 64(R8)
	PREFETCHT0 (R8)(AX*1)
	PREFETCHT0 64(R8)(AX*1)
	PREFETCHT0 (R8)(AX*2)
	PREFETCHT0 64(R8)(AX*2)
	PREFETCHT0 (R8)(BX*1)
	PREFETCHT0 64(R8)(BX*1)

	OPERANDS
	VPXORQ Z8, Z8, Z8
	VPXORQ Z9, Z9, Z9
	VPXORQ Z10, Z10, Z10
	VPXORQ Z11, Z11, Z11
	VPXORQ Z12, Z12, Z12
	VPXORQ Z13, Z13, Z13
	VPXORQ Z14, Z14, Z14
	VPXORQ Z15, Z15, Z15
	VPXORQ Z16, Z16, Z16
	VPXORQ Z17, Z17, Z17
	VPXORQ Z18, Z18, Z18
	VPXORQ Z19, Z19, Z19
	VPXORQ Z20, Z20, Z20
	VPXORQ Z21, Z21, Z21
	VPXORQ Z22, Z22, Z22
	VPXORQ Z23, Z23, Z23
	MOVQ   depth+0(FP), CX
	MOVQ   rows+64(FP), AX
	LOOPS(STEP, ROWS1, ROWS2, ROWS3, ROWS4, ROWS5, ROWS6, ROWS7, ROWS8)

done:
	VBROADCASTSS alpha+80(FP), Z2
	MOVBLZX      add+84(FP), AX
	MOVQ         ldc+56(FP), R9
	SHLQ         $2, R9
	MOVQ         rows+64(FP), BX
	TESTL        AX, AX
	JNZ          sum
	STORE(Z8, Z9)
	STORE(Z10, Z11)
	STORE(Z12, Z13)
	STORE(Z14, Z15)
	STORE(Z16, Z17)
	STORE(Z18, Z19)
	STORE(Z20, Z21)
	STORE(Z22, Z23)

sum:
	ADDSTORE(Z8, Z9)
	ADDSTORE(Z10, Z11)
	ADDSTORE(Z12, Z13)
	ADDSTORE(Z14, Z15)
	ADDSTORE(Z16, Z17)
	ADDSTORE(Z18, Z19)
	ADDSTORE(Z20, Z21)
	ADDSTORE(Z22, Z23)

end:
	VZEROUPPER
	RET

// HALFROW to HALFADDSTORE are the same for up to 16 columns.
#define HALFROW(a, t, sum) \
	VBROADCASTSS a, t \
	VFMADD231PS  Z0, t, sum

#define HALFROWS1 HALFROW((SI), Z1, Z8)
#define HALFROWS2 HALFROWS1; HALFROW((SI)(R9*1), Z2, Z9)
#define HALFROWS3 HALFROWS2; HALFROW((SI)(R9*2), Z3, Z10)
#define HALFROWS4 HALFROWS3; HALFROW((SI)(R10*1), Z4, Z11)
#define HALFROWS5 HALFROWS4; HALFROW((R8), Z1, Z12)
#define HALFROWS6 HALFROWS5; HALFROW((R8)(R9*1), Z2, Z13)
#define HALFROWS7 HALFROWS6; HALFROW((R8)(R9*2), Z3, Z14)
#define HALFROWS8 HALFROWS7; HALFROW((R8)(R10*1), Z4, Z15)

// HALFSTEP does not use right.
#define HALFSTEP(rows, left, right) \
	VMOVUPS.Z left, K1, Z0 \
	rows                   \
	ADDQ R13, SI           \
	ADDQ R13, R8

#define HALFSTORE(sum) \
	VMULPS  Z2, sum, sum  \
	VMOVUPS sum, K1, (DI) \
	DECQ    BX            \
	JZ      end           \
	ADDQ    R9, DI

#define HALFADDSTORE(sum) \
	VMULPS  Z2, sum, sum       \
	VADDPS  (DI), sum, K1, sum \
	VMOVUPS sum, K1, (DI)      \
	DECQ    BX                 \
	JZ      end                \
	ADDQ    R9, DI

// func tileHalf(depth int, a *float32, arow, acol int, b *float32, ldb int, c *float32, ldc, rows, cols int, alpha float32, add bool)
TEXT ·tileHalf(SB), NOSPLIT, $0-85
	MOVQ  cols+72(FP), CX
	MOVL  $1, AX
	SHLQ  CX, AX
	DECQ  AX
	KMOVW AX, K1
	MOVQ  c+48(FP), DI
	OPERANDS
	VPXORQ Z8, Z8, Z8
	VPXORQ Z9, Z9, Z9
	VPXORQ Z10, Z10, Z10
	VPXORQ Z11, Z11, Z11
	VPXORQ Z12, Z12, Z12
	VPXORQ Z13, Z13, Z13
	VPXORQ Z14, Z14, Z14
	VPXORQ Z15, Z15, Z15
	MOVQ   depth+0(FP), CX
	MOVQ   rows+64(FP), AX
	LOOPS(HALFSTEP, HALFROWS1, HALFROWS2, HALFROWS3, HALFROWS4, HALFROWS5, HALFROWS6, HALFROWS7, HALFROWS8)

done:
	VBROADCASTSS alpha+80(FP), Z2
	MOVBLZX      add+84(FP), AX
	MOVQ         ldc+56(FP), R9
	SHLQ         $2, R9
	MOVQ         rows+64(FP), BX
	TESTL        AX, AX
	JNZ          sum
	HALFSTORE(Z8)
	HALFSTORE(Z9)
	HALFSTORE(Z10)
	HALFSTORE(Z11)
	HALFSTORE(Z12)
	HALFSTORE(Z13)
	HALFSTORE(Z14)
	HALFSTORE(Z15)

sum:
	HALFADDSTORE(Z8)
	HALFADDSTORE(Z9)
	HALFADDSTORE(Z10)
	HALFADDSTORE(Z11)
	HALFADDSTORE(Z12)
	HALFADDSTORE(Z13)
	HALFADDSTORE(Z14)
	HALFADDSTORE(Z15)

end:
	VZEROUPPER
	RET
