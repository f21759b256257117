package engine

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"hash/fnv"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/chewxy/hm"
	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// opIDs numbers operations: Gorgonia merges operations with equal hashes, but kernels have
// state.
var opIDs atomic.Uint64

// signature implements the parts of gorgonia.Op that describe the type of an operation.
type signature struct {
	id       uint64
	inShapes []Shape // declared
	outShape Shape   // declared
	dtype    tensor.Dtype
}

func (s *signature) Arity() int { return len(s.inShapes) }

// Type returns a new function type at every call, because Gorgonia returns it to a pool.
func (s *signature) Type() hm.Type {
	ts := make([]hm.Type, 0, len(s.inShapes)+1)
	for _, in := range s.inShapes {
		ts = append(ts, typeOf(in, s.dtype))
	}
	return hm.NewFnType(append(ts, typeOf(s.outShape, s.dtype))...)
}

func typeOf(s Shape, dt tensor.Dtype) hm.Type {
	if len(s) == 0 {
		return dt
	}
	return gorgonia.TensorType{Dims: len(s), Of: dt}
}

func (s *signature) InferShape(...gorgonia.DimSizer) (tensor.Shape, error) {
	return tensor.Shape(slices.Clone(s.outShape)), nil
}

func (s *signature) ReturnsPtr() bool     { return false }
func (s *signature) CallsExtern() bool    { return false }
func (s *signature) OverwritesInput() int { return -1 }

// Do is not used: a Program calls operation.run.
func (s *signature) Do(...gorgonia.Value) (gorgonia.Value, error) {
	return nil, errors.New("the operation runs in a Program only")
}

func (s *signature) WriteHash(h hash.Hash) {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], s.id)
	h.Write(b[:])
}

func (s *signature) Hashcode() uint32 {
	h := fnv.New32a()
	s.WriteHash(h)
	return h.Sum32()
}

// operation is an operation that a Program can run.
type operation[T Float] interface {
	gorgonia.Op
	// run returns the result for in, which stays the same slice from run to run.
	run(in []*Array[T]) *Array[T]
}

// forwardOp is a Kernel as a Gorgonia operation.
type forwardOp[T Float] struct {
	signature
	kernel Kernel[T]

	in        []*Array[T] // inputs of this run
	out       Array[T]
	grads     []*Grad[T] // of the inputs
	gradsDone bool       // Backward has run since Forward
}

var _ gorgonia.SDOp = (*forwardOp[float32])(nil)

func newForwardOp[T Float](k Kernel[T], in []Shape) (*forwardOp[T], error) {
	if len(in) == 0 {
		return nil, fmt.Errorf("%s: no inputs", nameOf(k))
	}
	out, err := k.Shape(in)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", nameOf(k), err)
	}
	return &forwardOp[T]{
		signature: signature{id: opIDs.Add(1), inShapes: in, outShape: out, dtype: dtypeOf[T]()},
		kernel:    k,
		grads:     make([]*Grad[T], len(in)),
	}, nil
}

func (o *forwardOp[T]) String() string { return nameOf(o.kernel) }

// nameOf returns the name of a kernel's type.
func nameOf(kernel any) string {
	t := reflect.TypeOf(kernel)
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	name, _, _ := strings.Cut(t.Name(), "[")
	return name
}

// run runs the kernel forward.
func (o *forwardOp[T]) run(in []*Array[T]) *Array[T] {
	o.in, o.gradsDone = in, false
	o.kernel.Forward(in, &o.out)
	return &o.out
}

// DiffWRT says which inputs have a gradient: all but a token and those of a gradientStopper.
func (o *forwardOp[T]) DiffWRT(inputs int) []bool {
	diff, kernel := slices.Repeat([]bool{true}, inputs), o.kernel
	if a, ok := kernel.(*after[T]); ok {
		diff[inputs-1], kernel = false, a.Kernel
	}
	if k, ok := kernel.(gradientStopper); ok {
		for i := range diff {
			diff[i] = diff[i] && !k.StopsGradient(i)
		}
	}
	return diff
}

// SymDiff adds one node for each input's gradient.
func (o *forwardOp[T]) SymDiff(inputs gorgonia.Nodes, output, grad *gorgonia.Node) (gorgonia.Nodes, error) {
	args := append(slices.Clone(inputs), output, grad)
	shapes := append(slices.Clone(o.inShapes), o.outShape, o.outShape)
	nodes := make(gorgonia.Nodes, len(inputs))
	for i, wanted := range o.DiffWRT(len(inputs)) {
		if !wanted {
			continue // Gorgonia expects nil here
		}
		op := &gradOp[T]{
			signature: signature{id: opIDs.Add(1), inShapes: shapes, outShape: o.inShapes[i], dtype: o.dtype},
			parent:    o, input: i,
		}
		n, err := gorgonia.ApplyOp(op, args...)
		if err != nil {
			return nil, fmt.Errorf("gradient of %v with respect to input %d: %w", o, i, err)
		}
		nodes[i] = n
	}
	return nodes, nil
}

// gradOp returns the gradient of one input of a forwardOp. The first gradOp of a forwardOp
// that runs calls Backward, which computes all wanted gradients.
type gradOp[T Float] struct {
	signature
	parent *forwardOp[T]
	input  int
}

func (o *gradOp[T]) String() string { return fmt.Sprintf("d%d %v", o.input, o.parent) }

// run takes the parent's inputs, its result and the gradient of its result.
func (o *gradOp[T]) run(in []*Array[T]) *Array[T] {
	p := o.parent
	if !p.gradsDone {
		p.kernel.Backward(p.in, &p.out, in[len(in)-1], p.grads)
		p.gradsDone = true
	}
	return p.grads[o.input].arr
}
