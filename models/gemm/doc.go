// Package gemm multiplies float32 matrices without cgo on amd64 processors with AVX2
// and FMA, twice as fast where there is AVX-512: a BLAS whose Sgemm, and whose Sgemv
// and Sger with strided vectors, are not gonum's. Everything else, and all on other
// processors, is gonum's. benchmarks/recorded/builds has training steps with it and with
// OpenBLAS next to each other.
//
// The method is that of Goto and van de Geijn (2008, "Anatomy of
// High-Performance Matrix Multiplication"): both operands are copied, a block
// that fits a cache at a time, into panels in the order in which the innermost
// loop reads them; that loop (wide_amd64.s, narrow_amd64.s) keeps a tile of results
// in registers.
//
// What always holds: a result depends neither on the number of threads nor on which
// of the two instruction sets is in use, because every element is summed in the same
// order. GODEBUG=cpu.avx512f=off makes a processor with AVX-512 use AVX2.
package gemm
