package dnc

import "testing"

// TestLinkageFollowsWrites writes slots 2, 0 and 1 in turn: the links then
// lead from 2 to 0 and from 0 to 1, and a head can go either way.
func TestLinkageFollowsWrites(t *testing.T) {
	links, last := make([]float64, 9), make([]float64, 3)
	for _, slot := range []int{2, 0, 1} {
		w, nextLinks, nextLast := make([]float64, 3), make([]float64, 9), make([]float64, 3)
		w[slot] = 1
		l := linkage[float64]{write: w, precedence: last, previous: links, links: nextLinks}
		l.forward()
		p := precedence[float64]{write: w, previous: last, precedence: nextLast}
		p.forward()
		near(t, "precedence", nextLast, w)
		links, last = nextLinks, nextLast
	}
	near(t, "links", links, []float64{0, 0, 1, 1, 0, 0, 0, 0, 0})
	d := directions[float64]{links: links, read: []float64{1, 0, 0, 0.5, 0, 0.5}, backwards: make([]float64, 6), onward: make([]float64, 6)}
	d.forward(3)
	near(t, "forward", d.onward, []float64{0, 1, 0, 0.5, 0.5, 0})
	near(t, "backward", d.backwards, []float64{0, 0, 1, 0, 0, 0.5})
}

// TestLinkagePartial checks one step of partial writes by hand.
func TestLinkagePartial(t *testing.T) {
	l := linkage[float64]{
		write: []float64{0.5, 0.25}, precedence: []float64{0.2, 0.6},
		previous: []float64{0, 0.4, 0.8, 0}, links: make([]float64, 4),
	}
	l.forward()
	near(t, "links", l.links, []float64{0, 0.25*0.4 + 0.5*0.6, 0.25*0.8 + 0.25*0.2, 0})
	p := precedence[float64]{write: l.write, previous: l.precedence, precedence: make([]float64, 2)}
	p.forward()
	near(t, "precedence", p.precedence, []float64{0.25*0.2 + 0.5, 0.25*0.6 + 0.25})
}

func TestLinkageGradient(t *testing.T) {
	rng := newRand()
	l := linkage[float64]{write: random(rng, 4, 0, 0.4), precedence: random(rng, 4, 0, 1), previous: random(rng, 16, 0, 1), links: make([]float64, 16)}
	d := random(rng, 16, -1, 1)
	results := []result{{l.links, append([]float64(nil), d...)}}
	dwrite, dprecedence := make([]float64, 4), make([]float64, 4)
	l.forward()
	l.backward(d, dwrite, dprecedence)
	checkGradients(t, l.forward, results, []operand{{"write", l.write, dwrite}, {"precedence", l.precedence, dprecedence}, {"previous links", l.previous, d}})
}

func TestPrecedenceGradient(t *testing.T) {
	rng := newRand()
	p := precedence[float64]{write: random(rng, 4, 0, 0.4), previous: random(rng, 4, 0, 1), precedence: make([]float64, 4)}
	d := random(rng, 4, -1, 1)
	results := []result{{p.precedence, append([]float64(nil), d...)}}
	dwrite := make([]float64, 4)
	p.forward()
	p.backward(d, dwrite)
	checkGradients(t, p.forward, results, []operand{{"write", p.write, dwrite}, {"previous precedence", p.previous, d}})
}

func TestDirectionsGradient(t *testing.T) {
	rng := newRand()
	d := directions[float64]{links: random(rng, 16, 0, 1), read: random(rng, 8, 0, 1), backwards: make([]float64, 8), onward: make([]float64, 8)}
	dback, don, dread, dlinks := random(rng, 8, -1, 1), random(rng, 8, -1, 1), make([]float64, 8), make([]float64, 16)
	forward := func() { d.forward(4) }
	forward()
	d.backward(4, dback, don, dread, dlinks)
	checkGradients(t, forward, []result{{d.backwards, dback}, {d.onward, don}}, []operand{{"links", d.links, dlinks}, {"read weights", d.read, dread}})
}
