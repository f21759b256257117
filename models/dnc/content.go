package dnc

import (
	"math"

	"gonum.org/v1/gonum/blas"

	"memobench/models/engine"
	"memobench/models/ops"
	"memobench/models/vector"
)

// lookup is content-based addressing (1) of K keys in one memory:
//
//	cos[k, n] = key_k . M_n / (|key_k| |M_n|)
//	weights[k] = softmax over n of strength_k cos[k, n]
//
// with |x| = sqrt(sum x^2 + epsilon), so that an empty slot has a cosine of 0.
type lookup[T engine.Float] struct {
	keys      []T // [K x W]
	strengths []T // [K]
	memory    []T // M, [N x W]
	rowNorms  []T // |M_n|, [N]

	keyNorms []T // |key_k|, [K]
	cosines  []T // [K x N]
	weights  []T // [K x N]
}

// norm returns |x|.
func norm[T engine.Float](x []T, epsilon T) T {
	return T(math.Sqrt(float64(vector.Dot(x, x) + epsilon)))
}

func (l *lookup[T]) forward(epsilon T) {
	k, n := len(l.strengths), len(l.rowNorms)
	word := len(l.memory) / n
	product(k, n, word, l.keys, l.memory, l.cosines)
	for i, strength := range l.strengths {
		l.keyNorms[i] = norm(l.keys[i*word:(i+1)*word], epsilon)
		inv, cosines := 1/l.keyNorms[i], l.cosines[i*n:(i+1)*n]
		for j, m := range l.rowNorms {
			cosines[j] *= inv / m
		}
		weights := l.weights[i*n : (i+1)*n]
		clear(weights)
		vector.AddScaled(weights, strength, cosines)
		vector.Softmax(weights)
	}
}

// backward takes the gradient of the weights, which it uses up, sets those of
// the keys and strengths, and adds to that of the memory. shares [N] is
// scratch.
func (l *lookup[T]) backward(dweights, dkeys, dstrengths, dmemory, shares []T) {
	k, n := len(l.strengths), len(l.rowNorms)
	word := len(l.memory) / n
	clear(shares)
	dots := dweights // becomes the gradient of key_k . M_n
	for i, strength := range l.strengths {
		cosines, d := l.cosines[i*n:(i+1)*n], dots[i*n:(i+1)*n]
		softmaxChain(l.weights[i*n:(i+1)*n], d)
		sum, inv := T(0), 1/l.keyNorms[i]
		for j, dlogit := range d {
			byCosine := dlogit * cosines[j]
			sum += byCosine
			shares[j] -= strength * byCosine
			d[j] = strength * dlogit * inv / l.rowNorms[j]
		}
		dstrengths[i] = sum
		// The part of the key's gradient that comes through its norm.
		key := dkeys[i*word : (i+1)*word]
		clear(key)
		vector.AddScaled(key, -strength*sum*inv*inv, l.keys[i*word:(i+1)*word])
	}
	ops.Gemm(blas.NoTrans, blas.NoTrans, k, word, n, 1, dots, n, l.memory, word, 1, dkeys, word)
	ops.Gemm(blas.Trans, blas.NoTrans, n, word, k, 1, dots, n, l.keys, word, 1, dmemory, word)
	for j, m := range l.rowNorms {
		vector.AddScaled(dmemory[j*word:(j+1)*word], shares[j]/(m*m), l.memory[j*word:(j+1)*word])
	}
}

// product sets c [m x n] to a [m x k] times the transpose of b [n x k].
func product[T engine.Float](m, n, k int, a, b, c []T) {
	ops.Gemm(blas.NoTrans, blas.Trans, m, n, k, 1, a, k, b, k, 0, c, n)
}
