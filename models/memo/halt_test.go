package memo

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"memobench/datasets"
	"memobench/models"
	"memobench/models/halting"
	"memobench/models/modeltest"
)

// TestContractHalting is the contract where examples of a batch halt after
// different numbers of hops. At the start the logits of examples hardly differ,
// so a path is laid from the distance between attention weights to the logit:
// examples go on while attention moves.
func TestContractHalting(t *testing.T) {
	for name, change := range map[string]func(*Config){
		"reinforce":       func(c *Config) { c.Halting, c.Heads = "reinforce", 2 },
		"reinforce, keys": func(c *Config) { c.Halting, c.Form = "reinforce", "keys" },
		"act":             func(c *Config) { c.Halting, c.Heads = "act", 2 },
	} {
		t.Run(name, func(t *testing.T) {
			build := func(shape datasets.Shape, seed uint64) (models.Model, error) {
				c := small()
				c.HaltGRU, c.HaltMLP, c.BiasInit, c.Hops = 8, 8, 0, 4
				change(c)
				m, err := New[float32](c, shape, testTraining, seed)
				if err != nil {
					return nil, err
				}
				goOn := float32(40)
				if c.Halting == string(halting.ACT) {
					goOn = -goOn
				}
				for a := range shape.Answers {
					own := func(name string) []float32 {
						if a > 0 {
							name += fmt.Sprint(".", a+1)
						}
						return m.Params.Get(halting.Prefix + name).Value
					}
					own("Win")[0] = 4
					own("W1")[0] = 1
					own("W2")[c.HaltMLP] = goOn
					own("b2")[1] = -goOn * 0.2
				}
				return m, nil
			}
			modeltest.HopsDiffer(t, build)
			modeltest.Run(t, build)
		})
	}
}

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
