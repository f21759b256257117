// Package gemm multiplies float32 matrices without cgo: a BLAS whose Sgemm is, on
// amd64 processors, as fast as OpenBLAS's with AVX-512 and half as fast with AVX2
// and FMA, in both cases several times as fast as gonum's. Everything else of the
// BLAS is gonum's.
//
// The method is that of Goto and van de Geijn (2008, "Anatomy of
// High-Performance Matrix Multiplication"): both operands are copied, a block
// that fits a cache at a time, into panels in the order in which the innermost
// loop reads them; that loop (wide_amd64.s, narrow_amd64.s) keeps a tile of results
// in registers.
//
// What always holds: a result depends neither on the number of threads nor on the
// vector instructions, because every element is summed in the same order.
// GODEBUG=cpu.avx512f=off makes a processor with AVX-512 use AVX2.
package gemm
