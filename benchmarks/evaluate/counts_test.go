package evaluate

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memobench/benchmarks/record"
	"memobench/datasets"
	"memobench/datasets/must"
	"memobench/datasets/shortestpath"
	"memobench/models"
)

func TestCounts(t *testing.T) {
	nan := float32(math.NaN())
	// Four questions, five words: right, wrong but right among the choices, wrong, and NaN.
	b := &datasets.Batch{
		Answers: 1, NumChoices: 2,
		Targets: []int32{3, 1, 0, 2},
		Kinds:   []int32{0, 1, 1, 0},
		Choices: []int32{3, 4, 1, 2, 0, 1, 2, 3},
	}
	scores := []float32{
		0, 1, 2, 9, 3,
		9, 5, 4, 0, 0,
		1, 2, 0, 0, 0,
		nan, nan, nan, nan, nan,
	}
	one := &counter{kinds: []record.Kind{{Name: "low"}, {Name: "high"}}, words: []int32{0, 1, 2, 3, 4}}
	one.count(b, &models.Prediction{Scores: scores, Hops: []int{1, 2, 3, 4}})
	want := []record.Kind{
		{Name: "low", Total: 2, Correct: 1, ChoiceCorrect: new(1), Hops: new(5)},
		{Name: "high", Total: 2, Correct: 0, ChoiceCorrect: new(1), Hops: new(5)},
	}
	if d := cmp.Diff(want, one.kinds); d != "" {
		t.Error(d)
	}
}

// Ties go to the lowest id, among all words and among the choices, so that a right answer
// is never wrong among the choices.
func TestTies(t *testing.T) {
	scores := []float32{0, 7, 7, 7}
	for want, among := range map[int32][]int32{1: {0, 1, 2, 3}, 2: {3, 2, 0}} {
		if got := argmax(scores, among); got != want {
			t.Errorf("argmax among %v is %d, want %d", among, got, want)
		}
	}
	if got := argmax([]float32{float32(math.NaN()), -1}, []int32{0, 1}); got != 1 {
		t.Errorf("argmax beside NaN %d, want 1", got)
	}
}

// oracle is a model that answers at random, often right, and keeps its answers.
type oracle struct {
	models.Model
	rng   *rand.Rand
	words int
	own   []int32 // to all questions so far, [Q x A]; -1 for NaN
	given []int32 // with teacher forcing
	hops  []int
}

func (o *oracle) Predict(b *datasets.Batch) (*models.Prediction, error) {
	p := &models.Prediction{Scores: o.scores(b, &o.own), Loss: o.rng.Float64()}
	for range b.Targets {
		p.Hops = append(p.Hops, 1+o.rng.IntN(5))
	}
	o.hops = append(o.hops, p.Hops...)
	return p, nil
}

func (o *oracle) FeedsBack() bool { return true }

func (o *oracle) PredictTeacherForced(b *datasets.Batch) (*models.Prediction, error) {
	return &models.Prediction{Scores: o.scores(b, &o.given), Loss: math.NaN()}, nil
}

// scores makes the target highest for half of the answers, a word of the example's memory
// for most others, and some NaN.
func (o *oracle) scores(b *datasets.Batch, answers *[]int32) []float32 {
	scores := slices.Repeat([]float32{float32(math.NaN())}, len(b.Targets)*o.words)
	for at, answer := range b.Targets {
		i := at / b.Answers
		memory := b.Rows[b.Offsets[i]*b.RowWidth : b.Offsets[i+1]*b.RowWidth]
		switch chance := o.rng.IntN(20); {
		case chance >= 10:
			answer = memory[o.rng.IntN(len(memory))]
		case chance == 0:
			answer = -1
		}
		*answers = append(*answers, answer)
		for id := range int32(o.words) {
			if answer >= 0 {
				scores[at*o.words+int(id)] = float32(o.rng.IntN(3))
			}
			if id == answer {
				scores[at*o.words+int(id)] = 3
			}
		}
	}
	return scores
}

// The counts follow from the predictions, and accepted answers from a search for all paths.
func TestEvaluatingCountsWhatWasPredicted(t *testing.T) {
	for _, c := range []struct {
		nodes, degree, length int
		targets               string
	}{
		{8, 3, 2, "random"},
		{9, 2, 3, "unique"},
		{9, 2, 3, "random"},
		{12, 2, 4, "random"},
	} {
		t.Run(fmt.Sprintf("%d-%d-%d %s", c.nodes, c.degree, c.length, c.targets), func(t *testing.T) {
			s := shortestpath.Defaults(c.nodes, c.degree, c.length)
			s.Targets, s.Vocabulary = c.targets, 15
			src := must.Get(shortestpath.New(*s, datasets.Options{}))(t)
			o := &oracle{rng: rand.New(rand.NewPCG(1, uint64(c.nodes))), words: s.Vocabulary}
			q := Questions{Split: datasets.Test, Seed: 3, PerKind: 500, Batch: 64}
			v := must.Get(Model(context.Background(), o, src, q))(t)
			want := recount(t, o, src, q)
			if d := cmp.Diff([]record.Kind{want}, v.Kinds); d != "" {
				t.Errorf("kinds (-recounted +counted):\n%s", d)
			}
			if mean := float64(*want.Hops) / float64(len(o.hops)); math.Abs(*v.Hops-mean) > 1e-9 || len(v.AnswerHops) == 1 {
				t.Errorf("%v hops, by answer %v, want %v", *v.Hops, v.AnswerHops, mean)
			}
			others := func(a record.Answer) bool { return *a.Accepted > a.Correct }
			if want.Correct == 0 || want.Accepted != nil && len(want.Answers) > 0 && !slices.ContainsFunc(want.Answers, others) {
				t.Errorf("%+v: the predictions tell nothing", want)
			}
		})
	}
}

// recount counts the oracle's predictions question by question.
func recount(t *testing.T, o *oracle, src *shortestpath.Source, q Questions) record.Kind {
	t.Helper()
	n := src.Shape().Answers
	accepted := func() *int {
		if src.Ambiguous() {
			return new(int)
		}
		return nil
	}
	k := record.Kind{Name: "path", Hops: new(int), Accepted: accepted()}
	for _, h := range o.hops {
		*k.Hops += h
	}
	for a := range n {
		k.Answers = append(k.Answers, record.Answer{Name: fmt.Sprintf("node %d", a+1), Accepted: accepted()})
		if a > 0 {
			k.Answers[a].CorrectGiven = new(int)
		}
	}
	for b, err := range src.Examine(q.Split, q.Seed, q.PerKind, 7) { // in other batches
		must.Do(t, err)
		for i := range b.Size() {
			at := k.Total * n
			own, targets, paths := o.own[at:at+n], b.Targets[i*n:(i+1)*n], allPaths(b, i)
			if slices.Equal(own, targets) {
				k.Correct++
			}
			if k.Accepted != nil && slices.ContainsFunc(paths, func(p []int32) bool { return slices.Equal(p, own) }) {
				*k.Accepted++
			}
			for a := range n {
				answer := &k.Answers[a]
				if own[a] == targets[a] {
					answer.Correct++
				}
				onPath := slices.ContainsFunc(paths, func(p []int32) bool { return p[a] == own[a] })
				if answer.Accepted != nil && (own[a] == targets[a] || onPath && !slices.Contains(own, -1)) {
					*answer.Accepted++
				}
				if a > 0 && o.given[at+a] == targets[a] {
					*answer.CorrectGiven++
				}
			}
			k.Total++
		}
	}
	if n == 1 {
		k.Answers = nil
	}
	return k
}

// allPaths lists, without their ends, the walks from source to destination with the number
// of edges of the target, which is the shortest distance.
func allPaths(b *datasets.Batch, i int) (paths [][]int32) {
	edges := map[int32][]int32{}
	for r := b.Offsets[i]; r < b.Offsets[i+1]; r++ {
		edges[b.Rows[2*r]] = append(edges[b.Rows[2*r]], b.Rows[2*r+1])
	}
	var walk func(path []int32)
	walk = func(path []int32) {
		for _, next := range edges[path[len(path)-1]] {
			if len(path) <= b.Answers {
				walk(append(slices.Clone(path), next))
			} else if next == b.Queries[2*i+1] {
				paths = append(paths, path[1:])
			}
		}
	}
	walk([]int32{b.Queries[2*i]})
	return paths
}

// A run that diverged has the same counts as others, all zero.
func TestDivergedRunsHaveTheSameCounts(t *testing.T) {
	s := shortestpath.Defaults(9, 2, 3)
	s.Targets = "random"
	src := must.Get(shortestpath.New(*s, datasets.Options{}))(t)
	q := Questions{Split: datasets.Test, PerKind: 20, Batch: 8}
	v := must.Get(AllWrong(context.Background(), new(oracle), src, q))(t)
	want := []record.Kind{{Name: "path", Total: 20, Accepted: new(0), Answers: []record.Answer{
		{Name: "node 1", Accepted: new(0)}, {Name: "node 2", CorrectGiven: new(0), Accepted: new(0)},
	}}}
	if d := cmp.Diff(want, v.Kinds); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}

func TestEvaluateEndsWithTheContext(t *testing.T) {
	src := must.Get(shortestpath.New(*shortestpath.Defaults(9, 2, 3), datasets.Options{}))(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Model(ctx, &oracle{}, src, Questions{Split: datasets.Test, PerKind: 20, Batch: 8}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}
