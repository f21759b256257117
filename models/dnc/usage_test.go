package dnc

import "testing"

// TestUsage frees a slot that a head read with an open gate, keeps one whose
// gate is shut, and fills one that was written.
func TestUsage(t *testing.T) {
	u := usage[float64]{
		free: []float64{1, 0}, previous: []float64{0.5, 0.5, 0.5, 0}, write: []float64{0, 0, 0.5, 0},
		read:      []float64{1, 0, 0.25, 0 /* head 2: */, 0, 1, 0, 0},
		retention: make([]float64, 4), usage: make([]float64, 4),
	}
	u.forward()
	near(t, "retention", u.retention, []float64{0, 1, 0.75, 1})
	near(t, "usage", u.usage, []float64{0, 0.5, 0.75 * 0.75, 0})
}

func TestUsageGradient(t *testing.T) {
	rng := newRand()
	u := usage[float64]{
		free: random(rng, 3, 0, 1), previous: random(rng, 4, 0, 1), write: random(rng, 4, 0, 1), read: random(rng, 12, 0, 1),
		retention: make([]float64, 4), usage: make([]float64, 4),
	}
	u.free[0], u.read[2] = 1, 1 // retention of slot 2 is 0, and other heads' gates still get their gradient
	u.forward()
	d := random(rng, 4, -1, 1)
	results := []result{{u.usage, append([]float64(nil), d...)}}
	dfree, dwrite, dread := make([]float64, 3), make([]float64, 4), make([]float64, 12)
	u.backward(d, dfree, d, dwrite, dread, make([]float64, 20)) // the gradient of the previous usage takes the place of that of the usage
	checkGradients(t, u.forward, results, []operand{
		{"free gates", u.free, dfree}, {"previous usage", u.previous, d}, {"previous write weights", u.write, dwrite}, {"previous read weights", u.read, dread},
	})
}
