package layers

import (
	"fmt"
	"math"
	"strings"

	"memobench/datasets"
	"memobench/models/engine"
)

// WordSpec declares the embedding of words in d dimensions, for Table: a line a
// word [O x d], or with dense items one line per feature [D x d]. Values start as
// N(0, std) in either case: items are meant to have length 1, as one-hot words
// have.
func WordSpec(name string, shape datasets.Shape, d int, std float64) engine.Spec {
	lines := shape.Vocabulary
	if shape.ItemDim > 0 {
		lines = shape.ItemDim
	}
	return engine.Spec{Name: name, Shape: []int{lines, d}, Init: engine.Normal(std)}
}

// MatrixSpec declares a matrix whose values start as N(0, 1/in).
func MatrixSpec(name string, out, in int) engine.Spec {
	return engine.Spec{Name: name, Shape: []int{out, in}, Init: engine.Normal(1 / math.Sqrt(float64(in)))}
}

// VectorSpec declares a vector whose n values start as v.
func VectorSpec(name string, n int, v float64) engine.Spec {
	return engine.Spec{Name: name, Shape: []int{n}, Init: engine.Constant(v)}
}

// answerName returns the name of a parameter of an answer, counted from 0: the first
// answer's is the plain one, "Wa", that of the second "Wa.2".
func answerName(name string, answer int) string {
	if answer == 0 {
		return name
	}
	return fmt.Sprintf("%s.%d", name, answer+1)
}

// EachAnswer declares parameters that answers do not share, once for each.
func EachAnswer(answers int, specs []engine.Spec) []engine.Spec {
	var all []engine.Spec
	for a := range answers {
		for _, s := range specs {
			s.Name = answerName(s.Name, a)
			all = append(all, s)
		}
	}
	return all
}

// WidenQueries replaces the parameters of wide's name of the answers after the first by
// it: where queries are Appended, their matrices are wider.
func WidenQueries(list []engine.Spec, wide engine.Spec) []engine.Spec {
	prefix := wide.Name + "."
	for i, s := range list {
		if strings.HasPrefix(s.Name, prefix) {
			wide.Name = s.Name
			list[i] = wide
		}
	}
	return list
}
