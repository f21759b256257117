package vector

import "math"

// Sigmoid replaces x by 1/(1 + e^-x).
func Sigmoid[T Float](x []T) {
	if x, ok := any(x).([]float32); ok {
		i := blocks[float32](len(x), 3)
		if i > 0 {
			sigmoid(&x[0], i, &constants)
		}
		for ; i < len(x); i++ {
			v := 0 - x[i]
			if v < least {
				v = least
			}
			if v > -least {
				v = -least
			}
			x[i] = 1 / (1 + power(v))
		}
		return
	}
	for i, v := range x {
		x[i] = T(1 / (1 + math.Exp(-float64(v))))
	}
}

// Tanh replaces x by tanh x. In float32 it is (1 - t)/(1 + t), t = e^(-2|x|). Near 0, where that
// loses precision, it is an odd polynomial of degree 11 with a relative error of 7e-9.
func Tanh[T Float](x []T) {
	if x, ok := any(x).([]float32); ok {
		i := blocks[float32](len(x), 1)
		if i > 0 {
			tanh(&x[0], i, &constants)
		}
		for ; i < len(x); i++ {
			x[i] = tanh32(x[i])
		}
		return
	}
	for i, v := range x {
		x[i] = T(math.Tanh(float64(v)))
	}
}

func tanh32(x float32) float32 {
	size := math.Float32frombits(math.Float32bits(x) &^ signBit)
	if size < nearZero {
		z := float32(x * x)
		p := float32(tanh11*z) + tanh9
		p = float32(p*z) + tanh7
		p = float32(p*z) + tanh5
		p = float32(p*z) + tanh3
		return float32(float32(x*z)*p) + x
	}
	v := -2 * size
	if v < least {
		v = least
	}
	t := power(v)
	q := (1 - t) / (1 + t)
	return math.Float32frombits(math.Float32bits(q) | math.Float32bits(x)&signBit)
}

// SigmoidBack multiplies d by the derivative y (1 - y) at y = sigmoid(x), y not
// shorter than d.
func SigmoidBack[T Float](d, y []T) {
	y = y[:len(d)]
	i := blocks[T](len(d), 3)
	if i > 0 {
		sigmoidBack(head(d), head(y), i, &constants)
	}
	for ; i < len(d); i++ {
		d[i] *= T(y[i] * (1 - y[i]))
	}
}

// TanhBack multiplies d by the derivative 1 - y^2 at y = tanh(x), y not shorter
// than d.
func TanhBack[T Float](d, y []T) {
	y = y[:len(d)]
	i := blocks[T](len(d), 3)
	if i > 0 {
		tanhBack(head(d), head(y), i, &constants)
	}
	for ; i < len(d); i++ {
		d[i] *= 1 - T(y[i]*y[i])
	}
}

const (
	signBit  = 1 << 31
	nearZero = 0.625

	tanh3  = -0.3333326
	tanh5  = 0.1333083
	tanh7  = -0.05368802
	tanh9  = 0.02046942
	tanh11 = -0.00551516
)
