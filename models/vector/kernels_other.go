//go:build !amd64 || purego

package vector

// There are no SIMD versions: blocks returns 0, and these are not called.
const fast = false

func addScaled(dst, x, y *float32, n int, a float32)                                                {}
func addProduct(dst, x, y *float32, n int)                                                          {}
func scale(x *float32, n int, a float32)                                                            {}
func product(dst, x, y *float32, n int)                                                             {}
func addConstant(x *float32, n int, a float32)                                                      {}
func keepPositive(dst, x, by *float32, n int)                                                       {}
func total(x *float32, n int, parts *[lanes]float32)                                                {}
func dot(x, y *float32, n int, parts *[lanes]float32)                                               {}
func sumSquares(x *float32, n int, parts *[lanes]float64)                                           {}
func largest(x *float32, n int, parts *[lanes]float32)                                              {}
func expSum(x *float32, n int, top float32, c *[19][lanes]float32, p *[lanes]float32)               {}
func sigmoid(x *float32, n int, c *[19][lanes]float32)                                              {}
func tanh(x *float32, n int, c *[19][lanes]float32)                                                 {}
func sigmoidBack(d, y *float32, n int, c *[19][lanes]float32)                                       {}
func tanhBack(d, y *float32, n int, c *[19][lanes]float32)                                          {}
func adam(w, d, m, v *float32, n int, r *AdamRates[float32])                                        {}
func combine(dst, vectors, factors *float32, n, count, stride int)                                  {}
func linkRow(dst, link, write, previous *float32, n int, keep, w float32)                           {}
func linkRowBack(d, link, write, p, dw, dp *float32, n int, keep, w float32, parts *[lanes]float32) {}
func eraseAdd(dst, src, e, v *float32, n int, w float32, p *[lanes]float32)                         {}
func eraseAddBack(d, src, e, v, de, dv *float32, n int, w float32, p *[lanes]float32)               {}
