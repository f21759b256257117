package engine

import (
	"fmt"
	"sort"
	"strings"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// audited lists the built-in operations of Gorgonia that a graph may contain,
// by their String, with what they are. TestBuiltinAudit holds each against
// finite differences in float32 and float64. Many others give wrong results
// without an error (Reshape of a shared node, Dropout, InverseSqrt, Sum over
// an inner axis of a 4-D tensor, ...), so everything else is refused.
var audited = map[string]string{
	"+ false": "elementwise sum",
	"- false": "elementwise difference",
	"⊙ false": "elementwise product",
	"A × B":   "matrix product",
	"neg":     "negative, in the gradient of a difference",
	"A × Bᵀ":  "matrix product, in the gradient of a matrix product",
	"Aᵀ × B":  "matrix product, in the gradient of a matrix product",
}

// isAddition reports whether op is Gorgonia's elementwise sum.
func isAddition(op gorgonia.Op) bool { return op.String() == "+ false" }

func checkBuiltin(op gorgonia.Op) error {
	if _, ok := audited[op.String()]; ok {
		return nil
	}
	names := make([]string, 0, len(audited))
	for n, what := range audited {
		names = append(names, fmt.Sprintf("%q (%s)", n, what))
	}
	sort.Strings(names)
	return fmt.Errorf("built-in operation %q is not among those known to be right: %s", op, strings.Join(names, ", "))
}

// runBuiltin runs one of Gorgonia's operations on copies of its inputs, since
// some work in place, and wraps the result.
func runBuiltin[T Float](op gorgonia.Op, args []gorgonia.Value) (gorgonia.Value, error) {
	in := make([]gorgonia.Value, len(args))
	for i, arg := range args {
		a := arg.(value[T]).a
		if a.n == 0 {
			in[i] = scalar(a.Data[0])
			continue
		}
		in[i] = tensor.New(tensor.WithShape(a.Dims()...), tensor.WithBacking(append([]T(nil), a.Data...)))
	}
	out, err := op.Do(in...)
	if err != nil {
		return nil, fmt.Errorf("%v: %w", op, err)
	}
	switch data := out.Data().(type) {
	case []T:
		return value[T]{NewArray(data, out.Shape()...)}, nil
	case T:
		return value[T]{NewArray([]T{data})}, nil
	default:
		return nil, fmt.Errorf("%v: result is a %T", op, data)
	}
}

func scalar[T Float](v T) gorgonia.Value {
	if f, ok := any(v).(float32); ok {
		return gorgonia.NewF32(f)
	}
	return gorgonia.NewF64(float64(v))
}
