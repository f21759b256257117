// Package gemm multiplies float32 matrices without cgo: a BLAS whose Sgemm is
// several times as fast as gonum's on amd64 processors with AVX2 and FMA.
// Everything else of the BLAS is gonum's.
//
// The method is that of Goto and van de Geijn (2008, "Anatomy of
// High-Performance Matrix Multiplication"): both operands are copied, a block
// that fits a cache at a time, into panels in the order in which the innermost
// loop reads them; that loop (kernel_amd64.s) keeps a tile of 6 x 16 results in
// registers.
//
// What always holds: a result does not depend on the number of threads, because
// threads divide the results among them and every one is summed in the same
// order.
package gemm
