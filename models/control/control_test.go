package control

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"memobench/datasets"
	"memobench/datasets/must"
	"memobench/datasets/shortestpath"
	"memobench/models"
	"memobench/models/modeltest"
	"memobench/models/ops"
)

func control(t *testing.T, knows string, shape datasets.Shape) *model {
	t.Helper()
	return must.Get(newControl(&config{Knows: knows}, shape, models.Training{}, 0))(t)
}

func TestContract(t *testing.T) {
	for _, knows := range []string{nothing, knowsQuestion, knowsRow, knowsSource, knowsDestination} {
		t.Run(knows, func(t *testing.T) {
			modeltest.Run(t, func(shape datasets.Shape, seed uint64) (models.Model, error) {
				return newControl(&config{Knows: knows}, shape, models.Training{}, seed)
			}, true)
		})
	}
}

// right trains a control on batches of 64 and returns the accuracy of each answer on n test
// questions.
func right(t *testing.T, knows string, src datasets.Source, steps, n int) []float64 {
	t.Helper()
	m, b := control(t, knows, src.Shape()), new(datasets.Batch)
	for step := range steps {
		must.Do(t, src.Batch(b, datasets.Train, 1, step, 64))
		must.Get(m.Train(b))(t)
	}
	share := make([]float64, src.Shape().Answers)
	for b, err := range src.Examine(datasets.Test, 1, n, 64) {
		if err != nil {
			t.Fatal(err)
		}
		p := must.Get(m.Predict(b))(t)
		o := src.Shape().Vocabulary
		for at, target := range b.Targets {
			if ops.Argmax(p.Scores[at*o:(at+1)*o]) == int(target) {
				share[at%b.Answers] += 1 / float64(n)
			}
		}
	}
	return share
}

// TestCeilingsOfOneEnd: given the graph and one end of a unique path, the optimal accuracy is
// known from enumeration over generated graphs.
func TestCeilingsOfOneEnd(t *testing.T) {
	const questions = 3000 // a standard error of at most 0.8 points
	for _, c := range []struct {
		sizes   [3]int
		knows   string
		percent []float64 // by node; 0 where none is known
	}{
		{[3]int{10, 2, 2}, knowsSource, []float64{76.8}}, {[3]int{10, 2, 2}, knowsDestination, []float64{85.4}},
		{[3]int{20, 3, 3}, knowsSource, []float64{82.9, 0}}, {[3]int{20, 3, 3}, knowsDestination, []float64{81.9, 88.7}},
		{[3]int{20, 5, 3}, knowsSource, []float64{86.9, 0}}, {[3]int{20, 5, 3}, knowsDestination, []float64{85.4, 90.8}},
	} {
		s := *shortestpath.Defaults(c.sizes[0], c.sizes[1], c.sizes[2])
		s.Vocabulary = s.Nodes // the rest is never an answer
		src := must.Get(shortestpath.New(s, datasets.Options{}))(t)
		for a, got := range right(t, c.knows, src, 2, questions) {
			want := c.percent[a] / 100
			if want > 0 && math.Abs(got-want) > 0.025 {
				t.Errorf("%v, %s: node %d is right in %.1f %%, want %.1f", c.sizes, c.knows, a+1, 100*got, 100*want)
			}
			t.Logf("%v, %s: node %d: %.1f %%", c.sizes, c.knows, a+1, 100*got)
		}
	}
}

// batchOf makes a batch of examples with one answer of the same sizes.
func batchOf(rows [][][]int32, queries [][]int32, targets []int32) *datasets.Batch {
	b := new(datasets.Batch)
	b.Reset(len(rows[0][0]), len(queries[0]), 1, 0)
	for i, memory := range rows {
		for _, r := range memory {
			b.Rows = append(b.Rows, r...)
		}
		b.Offsets = append(b.Offsets, len(b.Rows)/b.RowWidth)
		b.Queries, b.Targets, b.Kinds = append(b.Queries, queries[i]...), append(b.Targets, targets[i]), append(b.Kinds, 0)
	}
	return b
}

// TestWhatEachKnows: each control solves the tasks for which its information suffices. The answer
// is constant, follows from the query, is next to the query's word in a row, or is that word.
func TestWhatEachKnows(t *testing.T) {
	shape := datasets.Shape{Vocabulary: 12, MaxRows: 4, RowWidth: 2, QueryWidth: 1, Answers: 1}
	same := func(int32, int32) int32 { return 3 }
	query := func(q, _ int32) int32 { return (q + 5) % 12 }
	row := func(_, beside int32) int32 { return beside }
	for _, c := range []struct {
		task   string
		answer func(query, beside int32) int32
		solve  map[string]bool
	}{
		{"same", same, map[string]bool{nothing: true, knowsQuestion: true, knowsRow: true}},
		{"query", query, map[string]bool{knowsQuestion: true}},
		{"row", row, map[string]bool{knowsRow: true}},
		{"copy", func(q, _ int32) int32 { return q }, map[string]bool{knowsQuestion: true, knowsRow: true}},
	} {
		batch := func(seed int) *datasets.Batch {
			var rows [][][]int32
			var queries [][]int32
			var targets []int32
			for i := range 60 {
				q := int32((i*7 + seed) % 12)
				beside := (q + 1 + int32(i*i+seed)%11) % 12
				other := (q + 2) % 12
				rows = append(rows, [][]int32{{other, (q + 3) % 12}, {q, beside}, {(q + 4) % 12, other}})
				queries, targets = append(queries, []int32{q}), append(targets, c.answer(q, beside))
			}
			return batchOf(rows, queries, targets)
		}
		for _, knows := range []string{nothing, knowsQuestion, knowsRow} {
			m := control(t, knows, shape)
			for step := range 40 {
				must.Get(m.Train(batch(step)))(t)
			}
			b, hits := batch(1000), 0
			p := must.Get(m.Predict(b))(t)
			for i, target := range b.Targets {
				if ops.Argmax(p.Scores[i*12:(i+1)*12]) == int(target) {
					hits++
				}
			}
			if solved := hits == b.Size(); solved != c.solve[knows] {
				t.Errorf("task %s, control that knows %s: %d of %d right", c.task, knows, hits, b.Size())
			}
		}
	}
}

func TestRefusals(t *testing.T) {
	shape := datasets.Shape{Vocabulary: 9, MaxRows: 2, RowWidth: 2, QueryWidth: 2, Answers: 1}
	for want, c := range map[string]struct {
		knows  string
		change func(*datasets.Shape)
	}{
		`knows: "all", want nothing`: {"all", func(*datasets.Shape) {}},
		"items are dense":            {knowsQuestion, func(s *datasets.Shape) { s.ItemDim = 3 }},
		"queries of 3":               {knowsSource, func(s *datasets.Shape) { s.QueryWidth = 3 }},
		"rows of 1 words":            {knowsDestination, func(s *datasets.Shape) { s.RowWidth = 1 }},
	} {
		s := shape
		c.change(&s)
		if _, err := newControl(&config{Knows: c.knows}, s, models.Training{}, 0); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want an error with %q, got %v", want, err)
		}
	}
	for name, variant := range map[string]string{"majority": nothing, "nearest-row": knowsRow, "source-only": knowsSource, "destination-only": knowsDestination} {
		if v, ok := models.LookupVariant(name); !ok || v.Model != "control" || v.Settings["knows"] != variant {
			t.Errorf("variant %s: %s", name, fmt.Sprint(v))
		}
	}
}
