package memo

import (
	"slices"
	"strings"
	"testing"

	"memobench/models/halting"
)

// TestHaltingNetworkLearnsAtItsOwnRate: its parameters follow
// halt_learning_rate alone, the others do not.
func TestHaltingNetworkLearnsAtItsOwnRate(t *testing.T) {
	for _, mode := range []halting.Mode{halting.Reinforce, halting.ACT} {
		after := func(rate float64) (halt, rest []float32) {
			c := small()
			c.Halting, c.HaltGRU, c.HaltMLP, c.BiasInit, c.HaltRate = string(mode), 8, 8, 1, rate
			m, err := New[float32](c, testShape(false), testTraining, 3)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := m.Train(testBatch(testShape(false))); err != nil {
				t.Fatal(err)
			}
			for _, p := range m.Params.List() {
				if strings.HasPrefix(p.Name, halting.Prefix) {
					halt = append(halt, p.Value...)
				} else {
					rest = append(rest, p.Value...)
				}
			}
			return halt, rest
		}
		slowHalt, slowRest := after(1e-6)
		fastHalt, fastRest := after(1e-2)
		if slices.Equal(slowHalt, fastHalt) {
			t.Errorf("%s: the halting network does not follow halt_learning_rate", mode)
		}
		if !slices.Equal(slowRest, fastRest) {
			t.Errorf("%s: halt_learning_rate moves weights that are not of the halting network", mode)
		}
	}
}
