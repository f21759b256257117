package figure

import (
	"math"

	"gonum.org/v1/plot"
)

// steps marks an axis of training steps in round numbers: "4k".
type steps struct{}

// Ticks implements plot.Ticker.
func (steps) Ticks(low, high float64) []plot.Tick {
	ticks := plot.DefaultTicks{}.Ticks(low, high)
	for i, t := range ticks {
		if t.Label != "" {
			ticks[i].Label = short(t.Value)
		}
	}
	return ticks
}

// short writes 12000 as "12k".
func short(x float64) string {
	switch {
	case x >= 1e6:
		return trim(x/1e6) + "M"
	case x >= 1e3:
		return trim(x/1e3) + "k"
	}
	return trim(x)
}

// wholes marks an axis of small numbers, such as hops, at whole ones.
type wholes struct{}

// Ticks implements plot.Ticker.
func (wholes) Ticks(low, high float64) []plot.Tick {
	var ticks []plot.Tick
	for v := math.Ceil(low); v <= high; v++ {
		ticks = append(ticks, plot.Tick{Value: v, Label: trim(v)})
	}
	return ticks
}

// decades marks a logarithmic axis at 1, 2 and 5 times the powers of ten, with
// names at as many as there is room for.
type decades struct{}

// Ticks implements plot.Ticker.
func (decades) Ticks(low, high float64) []plot.Tick {
	var ticks []plot.Tick
	wide := high/low > 300
	for power := 1e-9; power <= high; power *= 10 {
		for _, m := range []float64{1, 2, 5} {
			v := m * power
			if v < low*0.999 || v > high*1.001 {
				continue
			}
			t := plot.Tick{Value: v}
			if m == 1 || !wide {
				t.Label = short(v)
			}
			ticks = append(ticks, t)
		}
	}
	return ticks
}
