package layers

import (
	"fmt"
	"math"
	"slices"

	"memobench/datasets"
	"memobench/models/engine"
)

// WordSpec declares a word embedding for Table: [O x d], one row per word, or with dense
// items [D x d], one row per feature. Values are initialized from N(0, std^2) in both cases:
// items should have length 1, as one-hot words have.
func WordSpec(name string, shape datasets.Shape, d int, std float64) engine.Spec {
	rows := shape.Vocabulary
	if shape.ItemDim > 0 {
		rows = shape.ItemDim
	}
	return engine.Spec{Name: name, Shape: []int{rows, d}, Init: engine.Normal(std)}
}

// MatrixSpec declares a matrix [out x in] initialized from N(0, 1/in).
func MatrixSpec(name string, out, in int) engine.Spec {
	return engine.Spec{Name: name, Shape: []int{out, in}, Init: engine.Normal(1 / math.Sqrt(float64(in)))}
}

// VectorSpec declares a vector of n values, initially v.
func VectorSpec(name string, n int, v float64) engine.Spec {
	return engine.Spec{Name: name, Shape: []int{n}, Init: engine.Constant(v)}
}

// answerName returns the name of an answer's copy of a parameter: "Wa" for answer 0, "Wa.2"
// for answer 1.
func answerName(name string, answer int) string {
	if answer == 0 {
		return name
	}
	return fmt.Sprintf("%s.%d", name, answer+1)
}

// EachAnswer declares parameters once per answer. wide has those of the answers after the first that
// differ in shape: Appended queries have an additional word.
func EachAnswer(answers int, specs []engine.Spec, wide ...engine.Spec) []engine.Spec {
	var all []engine.Spec
	for a := range answers {
		for _, s := range specs {
			if i := slices.IndexFunc(wide, func(w engine.Spec) bool { return w.Name == s.Name }); a > 0 && i >= 0 {
				s = wide[i]
			}
			s.Name = answerName(s.Name, a)
			all = append(all, s)
		}
	}
	return all
}
