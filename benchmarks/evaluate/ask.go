package evaluate

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

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
func OpenAsker(path string, o Options) (*Asker, error) {
	w, err := openStored(path, &o)
	if err != nil {
		return nil, err
	}
	parser, ok := w.src.(datasets.QuestionParser)
	if !ok {
		models.Close(w.model)
		return nil, fmt.Errorf("%s: task %s takes no typed questions", w.path, w.Cell.Task)
	}
	return &Asker{parser, w}, nil
}

// Close releases the model.
func (a *Asker) Close() { models.Close(a.stored.model) }

// Converse reads lines of the input called name and prints the answers to the questions among
// them: of each the most probable ones and the rows that were attended to most at each hop, or a
// line of JSON. A line with a question mark is a question about the rows in the lines before it;
// an empty line forgets them. If interactive, it prints a prompt and continues after a wrong line.
func (a *Asker) Converse(in io.Reader, name string, out io.Writer, asJSON, interactive bool) error {
	if interactive {
		fmt.Fprintf(out, "%s on %s, weights of step %d. A line for each row, then a question; an empty line begins anew, Ctrl-D ends.\nFor example: %s\n> ",
			a.stored.Cell.Title, a.stored.src.Spec().Task, a.stored.Step, a.QuestionForm())
	}
	var memory []string
	lines := bufio.NewScanner(in)
	asked := false
	for number := 1; lines.Scan(); number++ {
		line := strings.Trim(lines.Text(), "\ufeff \t\r") // with the byte order mark of other programs
		var err error
		switch {
		case line == "":
			memory = nil
		case !strings.Contains(line, "?"):
			longer := append(slices.Clip(memory), line)
			if _, err = a.ParseQuestion(new(datasets.Batch), longer, ""); err == nil {
				memory = longer
			}
		case strings.Count(strings.TrimRight(line, "? "), "?")+strings.Count(line[len(line)-1:], "?") > 1:
			err = errors.New("several question marks, want one question per line")
		default:
			asked = true
			err = a.answer(memory, line, out, asJSON)
		}
		if err != nil && !interactive {
			return fmt.Errorf("%s:%d: %w", name, number, err)
		}
		if err != nil {
			fmt.Fprintf(out, "%v; this line is left out, an empty line begins anew\n", err)
		}
		if interactive {
			fmt.Fprint(out, "> ")
		}
	}
	if interactive {
		fmt.Fprintln(out)
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("ask: reading questions from %s: %w", name, err)
	}
	if !asked && !interactive {
		return fmt.Errorf("%s: no question, that is, no line with a question mark", name)
	}
	return nil
}

// answer prints the reply to a question.
func (a *Asker) answer(memory []string, question string, out io.Writer, asJSON bool) error {
	r, err := a.ask(memory, question)
	if err != nil {
		return err
	}
	if asJSON {
		return json.NewEncoder(out).Encode(r)
	}
	var b strings.Builder
	for _, a := range r.Answers {
		if a.Name != "" {
			b.WriteString(a.Name + ": ")
		}
		fmt.Fprintf(&b, "%s (%s)", a.Best[0].Answer, percent(a.Best[0].Probability))
		for i, other := range a.Best[1:] {
			fmt.Fprintf(&b, "%s%s (%s)", []string{"; then ", ", "}[min(i, 1)], other.Answer, percent(other.Probability))
		}
		b.WriteString("\n")
		for hop, weights := range a.Hops {
			fmt.Fprintf(&b, "  hop %d: %s\n", hop+1, strongest(weights, r.Memory))
		}
	}
	_, err = io.WriteString(out, b.String())
	return err
}

// At most maxAttended rows of a hop are printed: those with at least minAttention, and the
// first.
const (
	maxAttended  = 3
	minAttention = 0.05
)

func strongest(weights []float64, memory []string) string {
	var list []string
	for n, i := range descending(weights) {
		if n == maxAttended || n > 0 && weights[i] < minAttention {
			break
		}
		list = append(list, fmt.Sprintf("%s %q", percent(weights[i]), memory[i]))
	}
	return strings.Join(list, ", ")
}

func percent(p float64) string { return fmt.Sprintf("%.1f %%", 100*p) }

// reply is what a model answers to one question.
type reply struct {
	Memory  []string      `json:"memory"`
	Query   string        `json:"query"`
	Answers []answerReply `json:"answers"` // one for each answer that the task asks for
}

// answerReply is one answer.
type answerReply struct {
	Name string   `json:"name,omitempty"` // such as node 1, where there are several
	Best []choice `json:"best"`           // the most probable answers; the first is the model's

	// Hops is the attention to each row of the memory, [N x I], averaged over heads with
	// softmax; absent for a model without such heads.
	Hops [][]float64 `json:"hops,omitempty"`
}

// choice is an answer with its probability.
type choice struct {
	Answer      string  `json:"answer"`
	Probability float64 `json:"probability"`
}

// numChoices is the number of most probable answers in a reply.
const numChoices = 3

// ask answers one question (see datasets.QuestionParser).
func (a *Asker) ask(memory []string, query string) (*reply, error) {
	var b datasets.Batch
	names, err := a.ParseQuestion(&b, memory, query)
	if err != nil {
		return nil, err
	}
	p, err := predict(a.stored.model.Predict, &b, a.stored.src.Shape())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", a.stored.path, err)
	}
	r := &reply{Memory: memory, Query: query}
	vocabulary := a.stored.src.Shape().Vocabulary
	for i := range b.Answers {
		answer := answerReply{Name: answerName(a.stored.src, i), Best: mostProbable(p.Scores[i*vocabulary:(i+1)*vocabulary], names)}
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
func mostProbable(scores []float32, names func(int32) string) (list []choice) {
	most, total := float64(slices.Max(scores)), 0.0
	for _, s := range scores {
		total += math.Exp(float64(s) - most)
	}
	for _, id := range descending(scores)[:min(numChoices, len(scores))] {
		list = append(list, choice{names(int32(id)), math.Exp(float64(scores[id])-most) / total})
	}
	return list
}

// descending returns the indices of the values, that of the highest first.
func descending[V cmp.Ordered](values []V) (order []int) {
	for i := range values {
		order = append(order, i)
	}
	slices.SortStableFunc(order, func(x, y int) int { return cmp.Compare(values[y], values[x]) })
	return order
}
