package evaluate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"memobench/benchmarks/evaluate/trace"
	"memobench/benchmarks/study"
	"memobench/datasets"
	"memobench/models"
)

// Attention evaluates the weights at path (see Stored) on one question and returns the
// attention weights hop by hop, of heads with softmax. The question is the nth, from 0, of a kind,
// empty for the last of the task, the hardest. It fails for a model without such heads.
func Attention(ctx context.Context, path string, o Options, kindName string, nth int) (*trace.Trace, error) {
	w, err := openStored(path, &o, o.Split)
	if err != nil {
		return nil, err
	}
	attender, ok := w.model.(models.Attender)
	if !ok {
		return nil, fmt.Errorf("%s: a %s does not show its attention", w.path, w.Cell.Model)
	}
	if attender.Heads() == 0 {
		return nil, fmt.Errorf("%s: no head of this %s has softmax, so its attention weights do not sum to 1", w.path, w.Cell.Model)
	}
	kinds := w.src.Kinds()
	kind := slices.Index(kinds, cmp.Or(kindName, kinds[len(kinds)-1]))
	if kind < 0 {
		return nil, &datasets.UnknownError{What: "kind of question", Name: kindName, Known: kinds}
	}
	// Of finite data all questions: fewer would be a random sample.
	q := (&Options{Split: o.Split, All: true}).questions(&w.Cell.Protocol)
	b, i, err := question(ctx, w.src, q, kind, nth)
	if errors.Is(err, datasets.ErrEndless) {
		q.PerKind = nth + 1
		b, i, err = question(ctx, w.src, q, kind, nth)
	}
	if err != nil {
		return nil, err
	}
	return w.trace(b, i, o.Split)
}

// question returns question n of a kind, from 0: its batch and its index in it.
func question(ctx context.Context, src datasets.Source, q Questions, kind, n int) (*datasets.Batch, int, error) {
	seen := 0
	for b, err := range Batches(ctx, src, q) {
		if err != nil {
			return nil, 0, err
		}
		for i, k := range b.Kinds {
			if int(k) == kind {
				if seen++; seen > n {
					return b, i, nil
				}
			}
		}
	}
	return nil, 0, fmt.Errorf("question %d of kind %s: the %s split has %d, numbered from 0", n, src.Kinds()[kind], q.Split, seen)
}

// trace predicts the answers to example i of the batch and returns their trace.
func (s *stored) trace(b *datasets.Batch, i int, split datasets.Split) (*trace.Trace, error) {
	p, err := predict(s.model.Predict, b, s.src.Shape())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.path, err)
	}
	c, spec, vocabulary := &s.Cell, s.src.Spec(), study.Vocabulary(s.src)
	out := &trace.Trace{Schema: trace.Version, Task: spec.Task, Label: c.Name, Title: c.Title, Preset: c.Study, Seed: c.Seed, Step: s.Step,
		Split: split.String(), Kind: s.src.Kinds()[b.Kinds[i]],
		Labels: spec.Caveats.Texts()}
	if s.rec == nil || s.rec.Files[WeightsName] == "" {
		out.Labels = append(out.Labels, unverified)
	}
	item := "" // before the number of an item
	if b.Items != nil {
		item = "#"
	}
	for r := b.Offsets[i]; r < b.Offsets[i+1]; r++ {
		out.Rows = append(out.Rows, phrase(b.Rows[r*b.RowWidth:(r+1)*b.RowWidth], vocabulary, item))
	}
	out.Query = phrase(b.Queries[i*b.QueryWidth:(i+1)*b.QueryWidth], vocabulary, item)
	if printer, ok := s.src.(datasets.Printer); ok && vocabulary == nil { // numbers alone say little
		var text strings.Builder
		if err := printer.Print(&text, b, i); err != nil {
			return nil, err
		}
		out.Query, _, _ = strings.Cut(text.String(), "\n")
	}
	size := s.src.Shape().Vocabulary
	for a := range b.Answers {
		at := i*b.Answers + a
		scores := p.Scores[at*size : (at+1)*size]
		given := int32(slices.Index(scores, slices.Max(scores)))
		out.Answers = append(out.Answers, trace.Answer{Name: answerName(s.src, a), Target: phrase(b.Targets[at:at+1], vocabulary, ""),
			Given: phrase([]int32{given}, vocabulary, ""), Hops: attention(s.model.(models.Attender), b, i, a)})
	}
	return out, nil
}

// attention returns those weights of an answer to example i, [N x H x I], until halting.
func attention(from models.Attender, b *datasets.Batch, i, answer int) (hops [][][]float64) {
	all, heads := from.Attention(), from.Heads()
	perAnswer := len(all) / b.Answers
	for _, w := range all[answer*perAnswer : (answer+1)*perAnswer] {
		hop := make([][]float64, heads)
		sum := 0.0
		for h := range heads {
			for r := b.Offsets[i]; r < b.Offsets[i+1]; r++ {
				x := float64(w[r*heads+h])
				hop[h] = append(hop[h], x)
				sum += x
			}
		}
		if sum > 0 { // zero where the example had halted
			hops = append(hops, hop)
		}
	}
	return hops
}

// phrase joins words with blanks: names in the vocabulary, else the prefix and the number.
func phrase(ids []int32, vocabulary []string, prefix string) string {
	var parts []string
	for _, id := range ids {
		switch {
		case id == datasets.NoWord:
		case prefix == "" && int(id) < len(vocabulary) && vocabulary[id] != "":
			parts = append(parts, vocabulary[id])
		default:
			parts = append(parts, fmt.Sprint(prefix, id))
		}
	}
	return strings.Join(parts, " ")
}
