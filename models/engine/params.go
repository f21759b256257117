package engine

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"strings"

	"memobench/models/vector"
)

// Param is one named weight array. Value and Grad are views into the flat
// arrays of the Params it belongs to.
type Param[T Float] struct {
	Name  string
	Shape []int
	Value []T
	Grad  []T // filled by the last run of a Program with a cost
}

// Init sets dst to the initial values of a parameter, drawn from rng.
type Init func(rng *rand.Rand, dst []float64)

// Spec declares a parameter.
type Spec struct {
	Name  string
	Shape []int
	Init  Init
}

// Params holds all weights of a model in one flat array and their gradients in another.
type Params[T Float] struct {
	Values []T // all weights, in the order of the specs
	Grads  []T

	list   []*Param[T]
	byName map[string]*Param[T]
	end    int // of the last parameter in Values
}

// NewParams allocates and initializes the parameters. The values of a parameter depend only on
// seed, its name and its Init, not on other parameters. They are drawn in float64, so that
// float32 and float64 models start alike.
func NewParams[T Float](specs []Spec, seed uint64) *Params[T] {
	total := 0
	for _, s := range specs {
		total += elements(s.Shape)
	}
	p := &Params[T]{Values: vector.Make[T](total), Grads: vector.Make[T](total), byName: map[string]*Param[T]{}}
	for _, s := range specs {
		if p.byName[s.Name] != nil {
			panic(fmt.Sprintf("engine: parameter %q declared twice", s.Name))
		}
		w := p.view(s.Name, s.Shape)
		init := make([]float64, len(w.Value))
		s.Init(rand.New(rand.NewPCG(seed, nameHash(s.Name))), init)
		for i, v := range init {
			w.Value[i] = T(v)
		}
	}
	return p
}

// view appends a parameter: the range of the flat arrays after the last one.
func (p *Params[T]) view(name string, shape []int) *Param[T] {
	end := p.end + elements(shape)
	w := &Param[T]{Name: name, Shape: shape, Value: p.Values[p.end:end:end], Grad: p.Grads[p.end:end:end]}
	p.list, p.byName[name], p.end = append(p.list, w), w, end
	return w
}

// List returns the parameters in the order of their specs.
func (p *Params[T]) List() []*Param[T] { return p.list }

// Get returns the named parameter, or nil.
func (p *Params[T]) Get(name string) *Param[T] { return p.byName[name] }

// Split divides the parameters in two, the first ones and those whose names
// start with prefix, which must be the last. Both share storage with p.
func (p *Params[T]) Split(prefix string) (first, last *Params[T]) {
	cut, at := len(p.Values), 0
	for _, w := range p.list {
		isLast := strings.HasPrefix(w.Name, prefix)
		if isLast && cut == len(p.Values) {
			cut = at
		}
		if !isLast && cut < len(p.Values) {
			panic(fmt.Sprintf("engine: parameter %q is declared after those of %q", w.Name, prefix))
		}
		at += len(w.Value)
	}
	first = &Params[T]{Values: p.Values[:cut], Grads: p.Grads[:cut]}
	last = &Params[T]{Values: p.Values[cut:], Grads: p.Grads[cut:]}
	return first, last
}

// Replica returns parameters that share p's weights but have their own gradients.
func (p *Params[T]) Replica() *Params[T] {
	replica := &Params[T]{Values: p.Values, Grads: vector.Make[T](len(p.Grads)), byName: map[string]*Param[T]{}}
	for _, w := range p.list {
		replica.view(w.Name, w.Shape)
	}
	return replica
}

func nameHash(name string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(name))
	return h.Sum64()
}

// Normal draws from N(0, std^2).
func Normal(std float64) Init {
	return func(rng *rand.Rand, dst []float64) {
		for i := range dst {
			dst[i] = std * rng.NormFloat64()
		}
	}
}

// Constant sets every value to v.
func Constant(v float64) Init {
	return func(_ *rand.Rand, dst []float64) {
		for i := range dst {
			dst[i] = v
		}
	}
}

// Identity initializes an n x n matrix with the identity.
func Identity(n int) Init {
	return func(_ *rand.Rand, dst []float64) {
		for i := range n {
			dst[i*n+i] = 1
		}
	}
}
