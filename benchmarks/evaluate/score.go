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

	"memobench/benchmarks/config"
	"memobench/benchmarks/record"
	"memobench/benchmarks/suggest"
	"memobench/datasets"
	"memobench/datasets/strictjson"
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
// An answer is a word or its number, a list of A of them, or a text of A words. Scores,
// [O] or [A x O], have one value per possible answer; the highest counts. Every question
// has one line. Errors name the line.
func Score(ctx context.Context, cell *config.Cell, src datasets.Source, in io.Reader, name, out, blas string, model ExternalModel) (*record.Record, error) {
	a := &answers{shape: src.Shape(), words: config.Vocabulary(src), given: map[int][]float32{},
		ids: func(s datasets.Split) string { return QuestionIDs(cell.ProtocolHash(), src.Spec().Hash, s) }}
	if err := a.read(in); err != nil {
		return nil, fmt.Errorf("%s:%w", name, err)
	}
	v, err := a.count(ctx, src, QuestionsOf(&cell.Protocol, datasets.Test))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if err := makeEmptyDir(out); err != nil {
		return nil, err
	}
	return WriteRecord(out, model.record(cell, src, v, blas), v.Predictions)
}

// record returns the record of the counts, with the training that the user states.
func (o *ExternalModel) record(cell *config.Cell, src datasets.Source, v *Counts, blas string) *record.Record {
	now := time.Now().UTC().Format(time.RFC3339)
	var stated []string
	if o.Framework != "" {
		stated = append(stated, o.Framework)
	}
	if o.Steps > 0 {
		stated = append(stated, fmt.Sprintf("%d training steps", o.Steps))
	}
	if o.Parameters > 0 {
		stated = append(stated, fmt.Sprintf("%d parameters", o.Parameters))
	}
	origin := "answers of another program; how it was trained is not stated"
	if stated != nil {
		origin = "answers of another program, trained as its user states: " + strings.Join(stated, ", ")
	}
	caveats := slices.DeleteFunc(cell.Caveats(), func(c record.Caveat) bool { return c.Kind != datasets.Remark }) // not of training
	caveats = append(caveats, record.Caveat{Kind: datasets.ScoredAnswers, Text: origin})
	rec := &record.Record{
		Schema:      record.Version,
		Identity:    record.Identity{Preset: cell.Preset, Task: cell.Task, Label: o.Name, Title: o.Name, Model: scoredModel, Seed: o.Seed},
		Origin:      record.Scored,
		Status:      record.Complete,
		Caveats:     caveats,
		Protocol:    record.Protocol{Hash: cell.ProtocolHash(), Values: cell.Protocol.Values(cell.Task, cell.Settings)},
		Dataset:     record.DatasetOf(cell.Task, src.Spec()),
		Model:       record.Model{Config: map[string]any{"framework": o.Framework}, Parameters: o.Parameters},
		Training:    record.Training{Steps: o.Steps, Examples: o.Examples, SelectedStep: o.Steps},
		Evaluation:  v.Evaluation(datasets.Test),
		Environment: record.Host(blas),
		Times:       record.Times{Started: now, Finished: now, Sessions: 1, ParallelRuns: 1},
	}
	rec.Evaluation.Loss = nil // scores need not be logarithms of probabilities
	return rec
}

// scoredModel is the name of the model in records of scored answers.
const scoredModel = "scored"

// answers are the answers of a file by the number of the question.
type answers struct {
	shape datasets.Shape
	words []string
	given map[int][]float32 // scores, [A x O], or the numbers of words, [A]
	ids   func(datasets.Split) string
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
	err := lines.Err()
	if errors.Is(err, bufio.ErrTooLong) {
		err = fmt.Errorf("longer than %d MiB", maxAnswer>>20)
	}
	if err != nil {
		return fmt.Errorf("%d: %w", n+1, err)
	}
	return nil
}

func (a *answers) line(text []byte) error {
	fields := map[string]json.RawMessage{}
	err := strictjson.Object(text, func(key string, value json.RawMessage) error {
		if known := []string{"id", "answer", "scores"}; !slices.Contains(known, key) {
			return fmt.Errorf("unknown key %q, want some of %q", key, known)
		}
		fields[key] = value
		return nil
	})
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("not an answer: the line ends within a JSON object")
	}
	if err != nil {
		return fmt.Errorf("not an answer: %w", err)
	}
	var id string
	if fields["id"] != nil {
		err = json.Unmarshal(fields["id"], &id)
	}
	if err != nil {
		return fmt.Errorf("not an answer: id: %w", err)
	}
	answer, scores := fields["answer"], fields["scores"]
	if (answer == nil) == (scores == nil) {
		return fmt.Errorf("question %q: want either answer or scores", id)
	}
	n, err := a.number(id)
	if err == nil && a.given[n] != nil {
		err = errors.New("it is answered twice")
	}
	if err == nil && scores != nil {
		a.given[n], err = a.scores(scores)
	} else if err == nil {
		a.given[n], err = a.answer(answer)
	}
	if err != nil {
		return fmt.Errorf("question %q: %w", id, err)
	}
	return nil
}

// number returns the number of the question with that id.
func (a *answers) number(id string) (int, error) {
	split, rest, _ := strings.Cut(id, "-")
	of, err := datasets.ParseSplit(split)
	if err != nil {
		return 0, fmt.Errorf("want an id such as %s0", a.ids(datasets.Test))
	}
	text, ok := strings.CutPrefix(id, a.ids(of))
	n, err := strconv.Atoi(text)
	switch {
	case of != datasets.Test:
		return 0, fmt.Errorf("it is of the %s split; the test questions are scored", of)
	case !ok:
		fingerprint, _, _ := strings.Cut(rest, "-")
		return 0, fmt.Errorf("its fingerprint is %s, those of this protocol and these data begin with %s: the questions are others; --preset and --set say which are meant", fingerprint, a.ids(datasets.Test))
	case err != nil || n < 0 || strconv.Itoa(n) != text:
		return 0, fmt.Errorf("want a number at its end")
	}
	return n, nil
}

// answer reads an answer: a number, a word, or several.
func (a *answers) answer(text json.RawMessage) ([]float32, error) {
	var value any
	if err := json.Unmarshal(text, &value); err != nil {
		return nil, err
	}
	list, several := value.([]any)
	if words, ok := value.(string); ok && a.shape.Answers > 1 {
		for word := range strings.FieldsSeq(words) {
			list = append(list, word)
		}
	} else if !several {
		list = []any{value}
	}
	if len(list) != a.shape.Answers {
		return nil, fmt.Errorf("%d answers, want %d", len(list), a.shape.Answers)
	}
	ids := make([]float32, len(list))
	for i, v := range list {
		id, err := a.id(v)
		if err != nil {
			return nil, err
		}
		ids[i] = float32(id) // below 2^24: a vocabulary is smaller
	}
	return ids, nil
}

// id returns the number of an answer.
func (a *answers) id(answer any) (int, error) {
	last := a.shape.Vocabulary - 1
	switch v := answer.(type) {
	case float64:
		if v == math.Trunc(v) && v >= 0 && v <= float64(last) {
			return int(v), nil
		}
		return 0, fmt.Errorf("answer %v: want a whole number, 0 to %d", v, last)
	case string:
		word := strings.TrimSpace(v)
		for id, known := range a.words {
			if word != "" && strings.EqualFold(word, known) {
				return id, nil
			}
		}
		if a.words != nil {
			unknown := &suggest.UnknownError{What: "answer", Name: word, Known: a.words[1:]}
			return 0, errors.New(unknown.Error()) // of the file, not of the command line
		}
		if id, err := strconv.Atoi(word); err == nil && id >= 0 && id <= last {
			return id, nil
		}
		return 0, fmt.Errorf("answer %q: want 0 to %d", word, last)
	}
	if answer == nil {
		answer = "null"
	}
	return 0, fmt.Errorf("answer %v: want a number or a word", answer)
}

// scores reads a score for each possible answer, [O] or [A][O].
func (a *answers) scores(text json.RawMessage) ([]float32, error) {
	var flat []float32
	if bytes.Contains(text, []byte("null")) { // which would be read as 0
		return nil, errors.New("scores: null, want numbers")
	}
	if err := json.Unmarshal(text, &flat); err != nil {
		var rows [][]float32
		if err := json.Unmarshal(text, &rows); err != nil {
			return nil, fmt.Errorf("scores: %w", err)
		}
		for _, row := range rows {
			if len(row) != a.shape.Vocabulary {
				return nil, fmt.Errorf("%d scores of an answer, want %d", len(row), a.shape.Vocabulary)
			}
			flat = append(flat, row...)
		}
	}
	if want := a.shape.Answers * a.shape.Vocabulary; len(flat) != want {
		return nil, fmt.Errorf("%d scores, want %d", len(flat), want)
	}
	return flat, nil
}

// count counts the right answers in the same way as those of a model of this program.
func (a *answers) count(ctx context.Context, src datasets.Source, q Questions) (*Counts, error) {
	q.Keep = true
	t := newCounter(src, q, false)
	n, missing, first := 0, 0, 0
	for b, err := range Batches(ctx, src, q) {
		if err != nil {
			return nil, err
		}
		scores := slices.Repeat([]float32{float32(math.NaN())}, b.Size()*b.Answers*t.words)
		for i := range b.Size() {
			given, width := a.given[n], b.Answers*t.words
			if given == nil {
				if missing++; missing == 1 {
					first = n
				}
			} else if len(given) == width && len(given) > b.Answers {
				copy(scores[i*width:], given)
			} else {
				for k, id := range given {
					scores[i*width+k*t.words+int(id)] = 1
				}
			}
			n++
		}
		t.count(b, scores)
	}
	for number := range a.given {
		if number >= n {
			return nil, fmt.Errorf("question %s%d: there are %d questions, numbered from 0", a.ids(q.Split), number, n)
		}
	}
	if missing > 0 {
		return nil, fmt.Errorf("%d of %d questions have no answer, the first is %s%d", missing, n, a.ids(q.Split), first)
	}
	return &Counts{Kinds: t.kinds, Predictions: t.kept}, nil
}
