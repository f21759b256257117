//go:build !purego

package vector

import "golang.org/x/sys/cpu"

// fast reports whether the processor supports the SIMD versions.
var fast = cpu.X86.HasAVX2

// The SIMD versions, in *_amd64.s: n is a positive multiple of lanes.

//go:noescape
func addScaled(dst, x, y *float32, n int, a float32)

//go:noescape
func addProduct(dst, x, y *float32, n int)

//go:noescape
func scale(x *float32, n int, a float32)

//go:noescape
func product(dst, x, y *float32, n int)

//go:noescape
func addConstant(x *float32, n int, a float32)

//go:noescape
func keepPositive(dst, x, by *float32, n int)

//go:noescape
func total(x *float32, n int, parts *[lanes]float32)

//go:noescape
func dot(x, y *float32, n int, parts *[lanes]float32)

//go:noescape
func sumSquares(x *float32, n int, parts *[lanes]float64)

//go:noescape
func largest(x *float32, n int, parts *[lanes]float32)

//go:noescape
func expSum(x *float32, n int, top float32, c *[19][lanes]float32, parts *[lanes]float32)

//go:noescape
func sigmoid(x *float32, n int, c *[19][lanes]float32)

//go:noescape
func tanh(x *float32, n int, c *[19][lanes]float32)

//go:noescape
func sigmoidBack(d, y *float32, n int, c *[19][lanes]float32)

//go:noescape
func tanhBack(d, y *float32, n int, c *[19][lanes]float32)

//go:noescape
func adam(w, d, m, v *float32, n int, r *AdamRates[float32])

//go:noescape
func combine(dst, vectors, factors *float32, n, count, stride int)

//go:noescape
func linkRow(dst, link, write, previous *float32, n int, keep, w float32)

//go:noescape
func linkRowBack(d, link, write, previous, dwrite, dprevious *float32, n int, keep, w float32, parts *[lanes]float32)

//go:noescape
func eraseAdd(dst, src, erase, add *float32, n int, w float32, parts *[lanes]float32)

//go:noescape
func eraseAddBack(d, src, erase, add, derase, dadd *float32, n int, w float32, parts *[lanes]float32)
