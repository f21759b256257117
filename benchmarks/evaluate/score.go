package evaluate

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"memobench/benchmarks/record"
	"memobench/benchmarks/study"
	"memobench/datasets"
	"memobench/datasets/export"
	"memobench/datasets/strictjson"
	"memobench/models"
)

// ExternalModel is what a user states about a model of another program. It is not checked.
type ExternalModel struct {
	Name       string // a label in tables
	Framework  string
	Parameters int
	Steps      int
	Examples   int64
	Seed       uint64
}

// Score counts the right ones among answers to the test questions of a cell's protocol
// and writes a record and the answers into the directory out. The input in, which is
// called name in errors, has one JSON object per line, in any order:
//
//	{"id": "test-5532b8cc-0", "answer": 53}
//	{"id": "test-5532b8cc-1", "answer": "garden"}
//	{"id": "test-5532b8cc-2", "scores": [0.1, 2.5, ...]}
//
// or is a sample as lm-evaluation-harness logs it (samples_*.jsonl): "doc" with the id, and
// "filtered_resps" with the answer.
//
// An answer is a word or its number, a list of A of them, or a text of A words. Scores,
// [O] or [A x O], have one value per possible answer; the highest counts. Every question
// has one line. Errors name the line. An answer that is not among the possible ones, such
// as "i do not know", counts as wrong, and a caveat of the record has the number of such
// answers; with strict it is an error.
func Score(ctx context.Context, cell *study.Cell, src datasets.Source, in io.Reader, name, out, blas string, model ExternalModel, strict bool) (*record.Record, error) {
	a := &answers{shape: src.Shape(), words: study.Vocabulary(src), strict: strict, given: map[int]answer{},
		prefix: QuestionIDs(cell.ProtocolHash(), src.Spec().Hash, datasets.Test)}
	if err := a.read(in); err != nil {
		return nil, fmt.Errorf("%s:%w", name, err)
	}
	v, err := a.count(ctx, src, QuestionsOf(&cell.Protocol, datasets.Test))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if err := export.CheckNew(out); err != nil {
		return nil, err
	}
	now := time.Now().UTC().Format(time.RFC3339)
	rec := &record.Record{
		Schema:      record.Version,
		Identity:    record.Identity{Study: cell.Study, Task: cell.Task, Name: model.Name, Title: model.Name, Model: "scored", Seed: model.Seed},
		Origin:      record.Scored,
		Status:      record.Complete,
		Protocol:    record.Protocol{Hash: cell.ProtocolHash(), Values: cell.Protocol.Values(cell.Task, cell.Settings)},
		Dataset:     record.DatasetOf(cell.Task, src.Spec()),
		Model:       record.Model{Config: map[string]any{"framework": model.Framework}, Parameters: model.Parameters},
		Training:    record.Training{Steps: model.Steps, Examples: model.Examples, SelectedStep: model.Steps},
		Evaluation:  v.Evaluation,
		Environment: record.Host(blas),
		Times:       record.Times{Started: now, Finished: now, Sessions: 1, ParallelRuns: 1},
	}
	rec.Evaluation.Loss = nil // scores need not be logarithms of probabilities
	rec.Caveats = datasets.Caveats{{Kind: datasets.ScoredAnswers, Text: "answers of another program, trained as its user states"}}
	if a.unexpected > 0 {
		rec.Caveats = append(rec.Caveats, datasets.Caveat{Kind: datasets.ScoredAnswers, Text: fmt.Sprintf(
			"%d of %d questions have answers that are not possible, such as %s; these count as wrong", a.unexpected, len(a.given), a.example)})
	}
	return writeNewRecord(out, rec, v.Predictions)
}

// answers are the answers of a file by the number of the question.
type answers struct {
	shape  datasets.Shape
	words  []string // nil for a task without words
	prefix string   // of the ids of the questions
	strict bool
	given  map[int]answer

	unexpected int    // questions with an answer that is not possible
	example    string // the first of these answers, as JSON
}

// answer is the answer to one question.
type answer struct {
	ids    []int     // [A]; noAnswer for what is not possible
	scores []float32 // [A x O]; nil where the file has no scores
}

// maxAnswer is the maximum size of a line in bytes.
const maxAnswer = 16 << 20

func (a *answers) read(in io.Reader) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, maxAnswer)
	n := 0
	for lines.Scan() {
		n++
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		if err := a.line(lines.Bytes()); err != nil {
			return fmt.Errorf("%d: %w", n, err)
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("%d: %w; a line has at most %d MiB", n+1, err, maxAnswer>>20)
	}
	return nil
}

func (a *answers) line(data []byte) error {
	var fields struct {
		ID             string `json:"id"`
		Answer, Scores json.RawMessage
	}
	var sample struct {
		Doc      struct{ ID string }
		Filtered []json.RawMessage `json:"filtered_resps"`
	}
	if json.Unmarshal(data, &sample) == nil && len(sample.Filtered) == 1 {
		fields.ID, fields.Answer = sample.Doc.ID, sample.Filtered[0]
	} else if err := strictjson.Decode(data, &fields); err != nil {
		return fmt.Errorf("not an answer: %w", err)
	}
	number, ok := strings.CutPrefix(fields.ID, a.prefix)
	n, err := strconv.Atoi(number)
	_, twice := a.given[n]
	switch {
	case !ok:
		err = fmt.Errorf("the ids of the test questions begin with %s: it is of another split, of other data or of another protocol; --study and --set say which is meant", a.prefix)
	case err != nil || n < 0 || strconv.Itoa(n) != number:
		err = errors.New("want a number at its end")
	case twice:
		err = errors.New("it is answered twice")
	case (fields.Answer == nil) == (fields.Scores == nil):
		err = errors.New("want either answer or scores")
	case fields.Scores != nil:
		a.given[n], err = a.parseScores(fields.Scores)
	default:
		a.given[n], err = a.parseAnswer(fields.Answer)
	}
	if err != nil {
		return fmt.Errorf("question %q: %w", fields.ID, err)
	}
	return nil
}

// parseAnswer reads an answer: a number, a word, or several.
func (a *answers) parseAnswer(text json.RawMessage) (answer, error) {
	var value any
	if err := json.Unmarshal(text, &value); err != nil {
		return answer{}, err
	}
	list, several := value.([]any)
	if words, ok := value.(string); ok && a.shape.Answers > 1 {
		for word := range strings.FieldsFuncSeq(words, func(r rune) bool { return r == ',' || unicode.IsSpace(r) }) {
			list = append(list, word)
		}
	} else if !several {
		list = []any{value}
	}
	ids := slices.Repeat([]int{noAnswer}, a.shape.Answers)
	if len(list) == len(ids) {
		for i, v := range list {
			ids[i] = a.id(v)
		}
	}
	if !slices.Contains(ids, noAnswer) {
		return answer{ids: ids}, nil
	}
	if a.strict {
		return answer{}, fmt.Errorf("%s is not a possible answer; want a word of the task or its number, 0 to %d, and as many as the question asks for", text, a.shape.Vocabulary-1)
	}
	if a.unexpected++; a.unexpected == 1 {
		a.example = string(text[:min(len(text), 80)])
	}
	return answer{ids: ids}, nil
}

// id returns the number of a word; noAnswer for one that is not possible.
func (a *answers) id(value any) int {
	text := strings.TrimSpace(fmt.Sprint(value))
	if _, word := value.(string); word && a.words != nil && text != "" {
		text = strings.ReplaceAll(text, ", ", ",") // several objects are one word
		return slices.IndexFunc(a.words, func(known string) bool { return strings.EqualFold(text, known) })
	}
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || n != math.Trunc(n) || n < 0 || n >= float64(a.shape.Vocabulary) {
		return noAnswer
	}
	return int(n)
}

// parseScores reads a score for each possible answer, [O] or [A][O].
func (a *answers) parseScores(text json.RawMessage) (answer, error) {
	var flat []float32
	if bytes.Contains(text, []byte("null")) { // which would be read as 0
		return answer{}, errors.New("scores: null, want numbers")
	}
	if err := json.Unmarshal(text, &flat); err != nil {
		var rows [][]float32
		if err := json.Unmarshal(text, &rows); err != nil {
			return answer{}, fmt.Errorf("scores: %w", err)
		}
		flat = slices.Concat(rows...)
	}
	if want := a.shape.Answers * a.shape.Vocabulary; len(flat) != want {
		return answer{}, fmt.Errorf("%d scores, want %d", len(flat), want)
	}
	return answer{scores: flat}, nil
}

// count counts the right answers in the same way as those of a model of this program.
func (a *answers) count(ctx context.Context, src datasets.Source, q Questions) (*Counts, error) {
	q.Keep = true
	n, missing := 0, []int(nil)
	v, err := countAnswers(ctx, src, q, func(b *datasets.Batch) (*models.Prediction, error) {
		words := a.shape.Vocabulary
		scores := slices.Repeat([]float32{float32(math.NaN())}, len(b.Targets)*words)
		for i := range b.Size() {
			given, ok := a.given[n]
			if !ok {
				missing = append(missing, n)
			}
			copy(scores[i*b.Answers*words:], given.scores)
			for k, id := range given.ids {
				if id != noAnswer {
					scores[(i*b.Answers+k)*words+id] = 1
				}
			}
			n++
		}
		return &models.Prediction{Scores: scores}, nil
	}, nil)
	if err != nil {
		return nil, err
	}
	for number := range a.given {
		if number >= n {
			return nil, fmt.Errorf("question %s%d: there are %d questions, numbered from 0", a.prefix, number, n)
		}
	}
	if missing != nil {
		return nil, fmt.Errorf("%d of %d questions have no answer, the first is %s%d", len(missing), n, a.prefix, missing[0])
	}
	return v, nil
}
