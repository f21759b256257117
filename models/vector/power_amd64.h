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
