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

// backward replaces the gradient of the weights by the gradient of the dot products
// key_k . M_n, and sets the gradients of the keys and strengths. It also sets normTerms [N]:
// through its norm, slot n receives the gradient normTerms[n] M_n. memoryGradient computes
// the memory's gradient from both.
func (l *lookup[T]) backward(dweights, dkeys, dstrengths, normTerms []T) {
	k, n := len(l.strengths), len(l.rowNorms)
	word := len(l.memory) / n
	clear(normTerms)
	dots := dweights
	for i, strength := range l.strengths {
		cosines, d := l.cosines[i*n:(i+1)*n], dots[i*n:(i+1)*n]
		softmaxBack(l.weights[i*n:(i+1)*n], d)
		sum, inv := T(0), 1/l.keyNorms[i]
		for j, dlogit := range d {
			byCosine := dlogit * cosines[j]
			sum += byCosine
			normTerms[j] -= strength * byCosine
			d[j] = strength * dlogit * inv / l.rowNorms[j]
		}
		dstrengths[i] = sum
		// The key's gradient through its norm.
		key := dkeys[i*word : (i+1)*word]
		clear(key)
		vector.AddScaled(key, -strength*sum*inv*inv, l.keys[i*word:(i+1)*word])
	}
	for j, m := range l.rowNorms {
		normTerms[j] /= m * m
	}
	ops.Gemm(blas.NoTrans, blas.NoTrans, k, word, n, 1, dots, n, l.memory, word, 1, dkeys, word)
}

// outerProducts is a term of a memory's gradient: sum over k of factors[k, n] vectors[k]
// for each slot n.
type outerProducts[T engine.Float] struct {
	factors []T // [K x N]
	vectors []T // [K x W]
}

// memoryGradient adds to dmemory the given terms and normTerms[n] M_n. It visits each slot
// once, so that the slot stays in the first-level cache while all terms are added.
func memoryGradient[T engine.Float](dmemory, memory, normTerms []T, terms ...outerProducts[T]) {
	n := len(normTerms)
	word := len(memory) / n
	var buffer [32]T
	for j, factor := range normTerms {
		row := dmemory[j*word : (j+1)*word]
		vector.AddScaled(row, factor, memory[j*word:(j+1)*word])
		for _, p := range terms {
			column := buffer[:0]
			for at := j; at < len(p.factors); at += n {
				column = append(column, p.factors[at])
			}
			vector.Combine(row, column, p.vectors, word)
		}
	}
}

// product sets c [m x n] to a [m x k] times the transpose of b [n x k].
func product[T engine.Float](m, n, k int, a, b, c []T) {
	ops.Gemm(blas.NoTrans, blas.Trans, m, n, k, 1, a, k, b, k, 0, c, n)
}
