package evaluate

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memobench/benchmarks/record"
	"memobench/benchmarks/toy"
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
	one := newCounter(&toy.Source{Settings: toy.Settings{Words: 5}}, Questions{}, true)
	one.count(b, scores)
	want := []record.Kind{
		{Name: "low", Total: 2, Correct: 1, ChoiceCorrect: new(1)},
		{Name: "high", Total: 2, Correct: 0, ChoiceCorrect: new(1)},
	}
	if d := cmp.Diff(want, one.kinds); d != "" {
		t.Error(d)
	}
}

// Ties go to the lowest id, among all words and among the choices, so that a right answer
// is never wrong among the choices.
func TestTies(t *testing.T) {
	scores := []float32{0, 7, 7, 7}
	if got := argmax(scores); got != 1 {
		t.Errorf("argmax %d, want 1", got)
	}
	if got := best(scores, []int32{3, 2, 0}); got != 2 {
		t.Errorf("best choice %d, want 2", got)
	}
	if got := argmax([]float32{float32(math.NaN()), -1}); got != 1 {
		t.Errorf("argmax beside NaN %d, want 1", got)
	}
}

// oracle is a model whose generator decides which answers are right, nearly right and
// wrong, and that keeps its answers.
type oracle struct {
	models.Model
	rng   *rand.Rand
	words int
	own   []float32 // scores of all questions so far, [Q x A x O]
	given []float32 // when asked with the right answers
	hops  []int
}

func (o *oracle) Predict(b *datasets.Batch) (*models.Prediction, error) {
	p := &models.Prediction{Scores: o.scores(b), Loss: o.rng.Float64()}
	o.own = append(o.own, p.Scores...)
	for range len(b.Targets) {
		p.Hops = append(p.Hops, 1+o.rng.IntN(5))
	}
	o.hops = append(o.hops, p.Hops...)
	return p, nil
}

// forcedOracle is an oracle that supports teacher forcing.
type forcedOracle struct{ *oracle }

func (o forcedOracle) FeedsBack() bool { return true }

func (o forcedOracle) PredictTeacherForced(b *datasets.Batch) (*models.Prediction, error) {
	p := &models.Prediction{Scores: o.scores(b), Loss: math.NaN()}
	o.given = append(o.given, p.Scores...)
	return p, nil
}

// scores makes the target highest for half of the answers, a word of the example's memory
// for most others, and some NaN.
func (o *oracle) scores(b *datasets.Batch) []float32 {
	scores := make([]float32, len(b.Targets)*o.words)
	for at, target := range b.Targets {
		row := scores[at*o.words : (at+1)*o.words]
		for i := range row {
			row[i] = float32(o.rng.IntN(3)) // many are equal
		}
		i := at / b.Answers
		memory := b.Rows[b.Offsets[i]*b.RowWidth : b.Offsets[i+1]*b.RowWidth]
		switch o.rng.IntN(20) {
		case 0, 1, 2, 3, 4, 5, 6, 7, 8, 9:
			row[target] = 3
		case 10, 11, 12, 13, 14, 15, 16:
			row[memory[o.rng.IntN(len(memory))]] = 3
		case 17:
			for i := range row {
				row[i] = float32(math.NaN())
			}
		}
	}
	return scores
}

// The counts follow from the predictions: the answers from the scores, and accepted
// answers from a search for all paths.
func TestEvaluatingCountsWhatWasPredicted(t *testing.T) {
	for _, c := range []struct {
		nodes, degree, length int
		targets               string
		guided                bool
	}{
		{8, 2, 2, shortestpath.TargetsUnique, true},
		{8, 3, 2, shortestpath.TargetsRandom, true},
		{9, 2, 3, shortestpath.TargetsUnique, true},
		{9, 2, 3, shortestpath.TargetsRandom, true},
		{9, 2, 3, shortestpath.TargetsRandom, false},
		{12, 2, 4, shortestpath.TargetsRandom, true},
	} {
		t.Run(fmt.Sprintf("%d-%d-%d %s guided %v", c.nodes, c.degree, c.length, c.targets, c.guided), func(t *testing.T) {
			s := shortestpath.Defaults(c.nodes, c.degree, c.length)
			s.Targets, s.Vocabulary = c.targets, 15
			src := must.Get(shortestpath.New(*s, datasets.Options{}))(t)
			o := &oracle{rng: rand.New(rand.NewPCG(1, uint64(c.nodes))), words: s.Vocabulary}
			var m models.Model = o
			if c.guided {
				m = forcedOracle{o}
			}
			q := Questions{Split: datasets.Test, Seed: 3, PerKind: 500, Batch: 64}
			v := must.Get(Model(context.Background(), m, src, q))(t)
			if d := cmp.Diff(recount(t, o, src, q, c.guided), v.Kinds); d != "" {
				t.Errorf("kinds (-recounted +counted):\n%s", d)
			}
			holdHops(t, v, o.hops, c.length-1)
			if k := v.Kinds[0]; k.Correct == 0 || c.targets == shortestpath.TargetsRandom && !othersAccepted(k) {
				t.Errorf("%+v: the predictions tell nothing", k)
			}
			rec := record.Record{Schema: record.Version, Origin: record.Trained, Status: record.Complete, Evaluation: v.Evaluation(q.Split)}
			rec.Identity = record.Identity{Task: "sp", Label: "oracle", Model: "oracle"}
			rec.Protocol.Hash, rec.Dataset.Hash = "p", "d"
			if _, err := rec.Marshal(); err != nil {
				t.Error(err)
			}
		})
	}
}

// othersAccepted reports whether an answer was accepted that is not the target.
func othersAccepted(k record.Kind) bool {
	return *k.Accepted > k.Correct || slices.ContainsFunc(k.Answers, func(a record.Answer) bool { return *a.Accepted > a.Correct })
}

func holdHops(t *testing.T, v *Counts, hops []int, answers int) {
	t.Helper()
	all, by := 0.0, make([]float64, answers)
	for i, h := range hops {
		all += float64(h) / float64(len(hops))
		by[i%answers] += float64(h) * float64(answers) / float64(len(hops))
	}
	if answers == 1 {
		by = nil
	}
	near := func(a, b float64) bool { return math.Abs(a-b) < 1e-9 }
	if v.Hops == nil || !near(*v.Hops, all) || !slices.EqualFunc(v.AnswerHops, by, near) {
		t.Errorf("hops %v, by answer %v; want %v, %v", v.Hops, v.AnswerHops, all, by)
	}
}

// recount counts the oracle's predictions question by question.
func recount(t *testing.T, o *oracle, src *shortestpath.Source, q Questions, guided bool) []record.Kind {
	t.Helper()
	n := src.Shape().Answers
	total, whole, wholeAccepted := 0, 0, 0
	right, accepted, given := make([]int, n), make([]int, n), make([]int, n)
	for b, err := range src.Examine(q.Split, q.Seed, q.PerKind, 7) { // in other batches
		if err != nil {
			t.Fatal(err)
		}
		for i := range b.Size() {
			own := highest(o.own, total, n, o.words)
			targets := b.Targets[i*n : (i+1)*n]
			paths := allPaths(b, i)
			if slices.Equal(own, targets) {
				whole++
			}
			if slices.ContainsFunc(paths, func(p []int32) bool { return slices.Equal(p, own) }) {
				wholeAccepted++
			}
			for a := range n {
				if own[a] == targets[a] {
					right[a]++
				}
				onPath := slices.ContainsFunc(paths, func(p []int32) bool { return p[a] == own[a] })
				if own[a] == targets[a] || onPath && !slices.Contains(own, -1) {
					accepted[a]++
				}
				if guided && n > 1 && highest(o.given, total, n, o.words)[a] == targets[a] {
					given[a]++
				}
			}
			total++
		}
	}
	random := src.Spec().Settings["targets"] == shortestpath.TargetsRandom
	hops := 0
	for _, h := range o.hops {
		hops += h
	}
	k := record.Kind{Name: "path", Total: total, Correct: whole, Hops: &hops}
	if random {
		k.Accepted = &wholeAccepted
	}
	for a := range n {
		if n == 1 {
			break
		}
		one := record.Answer{Name: fmt.Sprintf("node %d", a+1), Correct: right[a]}
		if guided && a > 0 {
			one.CorrectGiven = &given[a]
		}
		if random {
			one.Accepted = &accepted[a]
		}
		k.Answers = append(k.Answers, one)
	}
	return []record.Kind{k}
}

// Hops are counted for the kind of the question that they were taken for.
func TestHopsAreCountedByKind(t *testing.T) {
	counts := &counter{kinds: make([]record.Kind, 3)}
	b := &datasets.Batch{Answers: 2, Kinds: []int32{2, 0, 2}}
	counts.countHops(b, []int{1, 2, 3, 4, 5, 6})
	counts.countHops(b, nil)
	for kind, want := range []*int{new(7), nil, new(14)} {
		if d := cmp.Diff(want, counts.kinds[kind].Hops); d != "" {
			t.Errorf("kind %d:\n%s", kind, d)
		}
	}
}

// highest returns the n answers to a question: the first word with the highest score; -1
// if all are NaN.
func highest(scores []float32, question, n, words int) []int32 {
	var answers []int32
	for a := range n {
		row := scores[(question*n+a)*words:][:words]
		answer := int32(-1)
		for w := int32(words) - 1; w >= 0; w-- {
			if row[w] == row[w] && (answer < 0 || row[w] >= row[answer]) {
				answer = w
			}
		}
		answers = append(answers, answer)
	}
	return answers
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
	s.Targets = shortestpath.TargetsRandom
	src := must.Get(shortestpath.New(*s, datasets.Options{}))(t)
	q := Questions{Split: datasets.Test, PerKind: 20, Batch: 8}
	v := must.Get(AllWrong(context.Background(), forcedOracle{}, src, q))(t)
	want := []record.Kind{{Name: "path", Total: 20, Accepted: new(0), Answers: []record.Answer{
		{Name: "node 1", Accepted: new(0)}, {Name: "node 2", CorrectGiven: new(0), Accepted: new(0)},
	}}}
	if d := cmp.Diff(want, v.Kinds); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}

func TestEvaluateEndsWithTheContext(t *testing.T) {
	src := &toy.Source{Settings: toy.Settings{Words: 10}}
	m := &oracle{words: 10}
	q := Questions{Split: datasets.Test, PerKind: 20, Batch: 8}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Model(ctx, m, src, q); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	q.PerKind = 0
	if _, err := Model(context.Background(), m, src, q); err == nil || !strings.Contains(err.Error(), "test split: no questions") {
		t.Errorf("no questions: %v", err)
	}
}
