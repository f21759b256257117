package ops

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"memobench/models/engine"
	"memobench/models/threads"
)

// product is a test loss: the product of all elements with given ones, which are so the
// gradient.
type product []float64

func (product) String() string                             { return "product" }
func (product) Shape([]engine.Shape) (engine.Shape, error) { return engine.Shape{}, nil }
func (p product) Forward(in []*engine.Array[float64], out *engine.Array[float64]) {
	sum := 0.0
	for i, v := range in[0].Data {
		sum += p[i] * v
	}
	out.Resize()[0] = sum
}
func (p product) Backward(in []*engine.Array[float64], _, dout *engine.Array[float64], din []*engine.Grad[float64]) {
	d := din[0].Add(in[0].Dims()...)
	for i, v := range p {
		d[i] += dout.Data[0] * v
	}
}

// mapping is a program that maps pairs, with the gradient du of the result.
type mapping struct {
	params *engine.Params[float64]
	run    func() (u *engine.Array[float64])
}

func newMapping(t *testing.T, member *Member, heads, d, pairs, rows int, du []float64) mapping {
	p := engine.NewParams[float64]([]engine.Spec{
		{Name: "v", Shape: []int{pairs, heads * d}, Init: engine.Normal(1)}, {Name: "W", Shape: []int{rows, heads * d}, Init: engine.Normal(1)},
	}, 1)
	g := engine.NewGraph(p)
	u := g.Apply(&MapPairs[float64]{Pairs: &Pairs{Member: member}, Heads: heads}, g.Param("v"), g.Param("W"))
	prog, err := g.Compile(g.Apply(product(du), u), u)
	if err != nil {
		t.Fatal(err)
	}
	return mapping{p, func() *engine.Array[float64] {
		if err := prog.Run(); err != nil {
			t.Error(err)
		}
		return engine.NewArray(prog.Array(u).Data, prog.Array(u).Dims()...)
	}}
}

// mappings run as a crew.
type mappings struct {
	of []mapping
	u  []*engine.Array[float64]
}

func (m *mappings) Part(i int) { m.u[i] = m.of[i].run() }

// TestMapPairsInACrew: every member has all of the product, and their gradients, each
// weighted by its part's share of the batch, add up to those that one worker has from the
// sum of what they are given, for parts of different sizes, more members than rows of W,
// and no pairs.
func TestMapPairsInACrew(t *testing.T) {
	const heads, d = 2, 3
	rng := rand.New(rand.NewPCG(5, 6))
	for _, c := range []struct {
		sizes       []int
		pairs, rows int
	}{{[]int{3, 5}, 4, 7}, {[]int{1, 1, 6}, 5, 8}, {[]int{2, 1, 1}, 3, 2}, {[]int{4, 2}, 0, 6}} {
		batch := 0
		for _, n := range c.sizes {
			batch += n
		}
		crew, members := new(Crew), make([]Member, len(c.sizes))
		crew.Gather(c.sizes)
		all, sum := &mappings{u: make([]*engine.Array[float64], len(c.sizes))}, make([]float64, heads*c.pairs*c.rows)
		for i, n := range c.sizes {
			members[i] = Member{Crew: crew, Rank: i}
			du := make([]float64, len(sum))
			for e := range du {
				du[e] = rng.NormFloat64()
				sum[e] += float64(n) / float64(batch) * du[e]
			}
			all.of = append(all.of, newMapping(t, &members[i], heads, d, c.pairs, c.rows, du))
		}
		alone := newMapping(t, nil, heads, d, c.pairs, c.rows, sum)
		want := alone.run()
		for range 3 { // steps
			threads.Do(len(c.sizes), all)
			grads := make([]float64, len(alone.params.Grads))
			for i, n := range c.sizes {
				if !slices.Equal(all.u[i].Dims(), want.Dims()) || far(all.u[i].Data, want.Data) {
					t.Errorf("%v: member %d has %v, want %v", c, i, all.u[i], want)
				}
				for e, v := range all.of[i].params.Grads {
					grads[e] += float64(n) / float64(batch) * v
				}
			}
			if far(grads, alone.params.Grads) {
				t.Fatalf("%v: gradients %v, want %v", c, grads, alone.params.Grads)
			}
		}
	}
}

func far(a, b []float64) bool {
	return !slices.EqualFunc(a, b, func(x, y float64) bool { return math.Abs(x-y) < 1e-12 })
}

// TestPairsOfAPart: a part has the pairs of the whole batch and its own rows' numbers of
// them; when it finds pairs of its own again, the whole's stay as they are.
func TestPairsOfAPart(t *testing.T) {
	words := &Words{Width: 2, IDs: []int32{1, 2, 1, 3, 4, 2, 4, 4}}
	var whole, part Pairs
	find := func(p *Pairs, rows int) {
		seg := &Segments{Offsets: []int{0, rows}}
		p.Find(&Words{Width: 2, IDs: words.IDs[:2*rows]}, seg, 5, 8, false)
	}
	find(&part, 1)
	find(&whole, 4)
	want := []any{slices.Clone(whole.Start), slices.Clone(whole.Words), slices.Clone(whole.Index)}
	m := new(Member)
	for range 2 { // taken over anew without pairs of its own between
		part.Part(&whole, 1, 3, m)
	}
	if part.Member != m || !slices.Equal(part.Words, whole.Words) || !slices.Equal(part.Index, whole.Index[2:6]) {
		t.Errorf("part %+v of %+v", part, whole)
	}
	find(&part, 2)
	if part.Member != nil || !slices.Equal(part.Words, []int32{1, 2, 3}) || !slices.Equal(part.Index, []int32{0, 1, 0, 2}) {
		t.Errorf("pairs of its own: %+v", part)
	}
	if !slices.Equal(whole.Start, want[0].([]int)) || !slices.Equal(whole.Words, want[1].([]int32)) || !slices.Equal(whole.Index, want[2].([]int32)) {
		t.Errorf("the whole batch's pairs are now %+v, want %v", whole, want)
	}
}
