package engine

import (
	"encoding/binary"
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

// opIDs numbers operations: equal hashes would let Gorgonia merge two that
// have different private state.
var opIDs atomic.Uint64

// signature is what Gorgonia's type checker needs to know of an operation.
type signature struct {
	id       uint64
	inShapes []Shape // declared
	outShape Shape   // declared
	dtype    tensor.Dtype
}

func (s *signature) Arity() int { return len(s.inShapes) }

// Type builds a new function type at every call, because Gorgonia returns it
// to a pool after use.
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

// forwardOp is a Kernel as a node of a graph.
type forwardOp[T Float] struct {
	signature
	kernel Kernel[T]

	in        []*Array[T] // inputs of this run
	out       Array[T]
	grads     []*Grad[T] // where to leave gradients; nil where not wanted
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
		in:        make([]*Array[T], len(in)),
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

// Do runs the kernel forward.
func (o *forwardOp[T]) Do(in ...gorgonia.Value) (gorgonia.Value, error) {
	for i, v := range in {
		a, ok := v.(value[T])
		if !ok {
			return nil, fmt.Errorf("%v: input %d is a %T", o, i, v)
		}
		o.in[i] = a.a
	}
	o.gradsDone = false
	o.kernel.Forward(o.in, &o.out)
	return value[T]{&o.out}, nil
}

// DiffWRT says that every input has a gradient, unless the kernel only observes
// it. Kernels have no integer inputs: ids and offsets reach them through the
// batch they point to.
func (o *forwardOp[T]) DiffWRT(inputs int) []bool {
	diff := slices.Repeat([]bool{true}, inputs)
	if obs, ok := o.kernel.(Observer); ok {
		for i := range diff {
			diff[i] = !obs.Observes(i)
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

// gradOp hands out the gradient of one input of a forwardOp. The first gradOp
// of a forwardOp that runs has the kernel compute all wanted gradients.
type gradOp[T Float] struct {
	signature
	parent *forwardOp[T]
	input  int
}

func (o *gradOp[T]) String() string { return fmt.Sprintf("d%d %v", o.input, o.parent) }

// Do takes the parent's inputs, its result and the gradient of its result.
func (o *gradOp[T]) Do(args ...gorgonia.Value) (gorgonia.Value, error) {
	p := o.parent
	if !p.gradsDone {
		dout, ok := args[len(args)-1].(value[T])
		if !ok {
			return nil, fmt.Errorf("%v: gradient of the result is a %T", o, args[len(args)-1])
		}
		p.kernel.Backward(p.in, &p.out, dout.a, p.grads)
		p.gradsDone = true
	}
	return value[T]{p.grads[o.input].arr}, nil
}
