package evaluate

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"memobench/benchmarks/evaluate/trace"
	"memobench/datasets"
	"memobench/models"
)

// Asker answers typed questions with stored weights.
type Asker struct {
	datasets.QuestionParser
	stored *stored
}

// OpenAsker rebuilds the model whose weights are at path, as Stored does. It fails for a
// task that takes no typed questions.
func OpenAsker(path, dataPath string, allowCommand bool) (*Asker, error) {
	w, err := openStored(path, dataPath, allowCommand)
	if err != nil {
		return nil, err
	}
	parser, ok := w.src.(datasets.QuestionParser)
	if !ok {
		return nil, fmt.Errorf("%s: task %s takes no typed questions", w.path, w.Cell.Task)
	}
	return &Asker{parser, w}, nil
}

// Title names the model, the task and the step of the weights.
func (a *Asker) Title() string {
	return fmt.Sprintf("%s on %s, weights of step %d", a.stored.Cell.Title, a.stored.src.Spec().Task, a.stored.Step)
}

// Reply is what a model answers to one question.
type Reply struct {
	Memory  []string      `json:"memory"`
	Query   string        `json:"query"`
	Answers []ReplyAnswer `json:"answers"` // one for each answer that the task asks for
}

// ReplyAnswer is one answer.
type ReplyAnswer struct {
	Name string   `json:"name,omitempty"` // such as node 1, where there are several
	Best []Choice `json:"best"`           // the most probable answers; the first is the model's

	// Hops is the attention to each row of the memory, [N x I], averaged over heads with
	// softmax; absent for a model without such heads.
	Hops [][]float64 `json:"hops,omitempty"`
}

// Choice is an answer with its probability.
type Choice struct {
	Answer      string  `json:"answer"`
	Probability float64 `json:"probability"`
}

// numChoices is the number of most probable answers in a reply.
const numChoices = 3

// Ask answers one question (see datasets.QuestionParser).
func (a *Asker) Ask(memory []string, query string) (*Reply, error) {
	var b datasets.Batch
	names, err := a.ParseQuestion(&b, memory, query)
	if err != nil {
		return nil, err
	}
	p, err := predict(a.stored.model.Predict, &b, a.stored.src.Shape())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", a.stored.path, err)
	}
	r := &Reply{Memory: memory, Query: query}
	vocabulary := a.stored.src.Shape().Vocabulary
	for i := range b.Answers {
		answer := ReplyAnswer{Name: answerName(a.stored.src, i), Best: mostProbable(p.Scores[i*vocabulary:(i+1)*vocabulary], names)}
		if from, ok := a.stored.model.(models.Attender); ok {
			attended := trace.Answer{Hops: attention(from, &b, 0, i)}
			for n := range attended.Hops {
				answer.Hops = append(answer.Hops, attended.Mean(n))
			}
		}
		r.Answers = append(r.Answers, answer)
	}
	return r, nil
}

// mostProbable returns the most probable answers of scores, [O].
func mostProbable(scores []float32, names func(int32) string) []Choice {
	order := make([]int32, len(scores))
	most := float64(slices.Max(scores))
	total := 0.0
	for i, s := range scores {
		order[i] = int32(i)
		total += math.Exp(float64(s) - most)
	}
	slices.SortStableFunc(order, func(x, y int32) int { return cmp.Compare(scores[y], scores[x]) })
	var list []Choice
	for _, id := range order[:min(numChoices, len(order))] {
		list = append(list, Choice{names(id), math.Exp(float64(scores[id])-most) / total})
	}
	return list
}
