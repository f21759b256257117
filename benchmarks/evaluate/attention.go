package evaluate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"memobench/benchmarks/config"
	"memobench/benchmarks/suggest"
	"memobench/benchmarks/trace"
	"memobench/datasets"
	"memobench/models"
)

// AttentionOptions select the question of Attention.
type AttentionOptions struct {
	Split    datasets.Split
	DataPath string
	Kind     string // of the question; empty for the last of the task, the hardest
	Nth      int    // among all questions of the kind, from 0; those of files in their order
}

// Attention evaluates the weights at path (see Stored) on one question and returns the
// attention weights hop by hop, of heads with softmax. It fails for a model without such heads.
func Attention(ctx context.Context, path string, o AttentionOptions) (*trace.Trace, error) {
	t, err := openStored(path, o.DataPath, false, o.Split)
	if err != nil {
		return nil, err
	}
	attender, ok := t.model.(models.Attender)
	if !ok {
		return nil, fmt.Errorf("%s: a %s does not show its attention", t.path, t.meta.Cell.Model)
	}
	if attender.Heads() == 0 {
		return nil, fmt.Errorf("%s: no head of this %s has softmax, so its attention weights do not sum to 1", t.path, t.meta.Cell.Model)
	}
	kinds := t.src.Kinds()
	o.Kind = cmp.Or(o.Kind, kinds[len(kinds)-1])
	kind := slices.Index(kinds, o.Kind)
	if kind < 0 {
		return nil, &suggest.UnknownError{What: "kind of question in " + t.src.Spec().Task, Name: o.Kind, Known: kinds}
	}
	// Of finite data all questions: fewer would be a random sample.
	q := (&Options{Split: o.Split, All: true}).questions(&t.meta.Cell.Protocol)
	b, i, err := nth(ctx, t.src, q, kind, o.Nth)
	if errors.Is(err, datasets.ErrEndless) {
		q.PerKind = o.Nth + 1
		b, i, err = nth(ctx, t.src, q, kind, o.Nth)
	}
	if err != nil {
		return nil, err
	}
	p, err := predict(t.model.Predict, b, t.src.Shape())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", t.path, err)
	}
	return t.trace(b, i, p, attender, o.Split)
}

// nth returns question n of a kind, from 0: its batch and its index in it.
func nth(ctx context.Context, src datasets.Source, q Questions, kind, n int) (*datasets.Batch, int, error) {
	seen := 0
	for b, err := range Batches(ctx, src, q) {
		if err != nil {
			return nil, 0, err
		}
		for i, k := range b.Kinds {
			if int(k) != kind {
				continue
			}
			if seen == n {
				return b, i, nil
			}
			seen++
		}
	}
	return nil, 0, fmt.Errorf("question %d of kind %s: the %s split has %d, numbered from 0", n, src.Kinds()[kind], q.Split, seen)
}

// trace returns the trace of example i of the batch that was predicted last.
func (t *storedModel) trace(b *datasets.Batch, i int, p *models.Prediction, from models.Attender, split datasets.Split) (*trace.Trace, error) {
	c, spec := t.meta.Cell, t.src.Spec()
	out := &trace.Trace{Schema: trace.Version, Task: spec.Task, Label: c.Label, Title: c.Title, Preset: c.Preset, Seed: c.Seed, Step: t.meta.Step,
		Split: split.String(), Labels: slices.Compact(slices.Concat(spec.Caveats.Texts(), c.Labels)), Kind: t.src.Kinds()[b.Kinds[i]]}
	if out.Labels == nil {
		out.Labels = []string{}
	}
	word, answer := t.words(b)
	for r := b.Offsets[i]; r < b.Offsets[i+1]; r++ {
		out.Rows = append(out.Rows, phrase(b.Rows[r*b.RowWidth:(r+1)*b.RowWidth], word))
	}
	out.Query = phrase(b.Queries[i*b.QueryWidth:(i+1)*b.QueryWidth], word)
	if printer, ok := t.src.(datasets.Printer); ok && config.Vocabulary(t.src) == nil { // ids alone say little
		var text strings.Builder
		if err := printer.Print(&text, b, i); err != nil {
			return nil, err
		}
		out.Query, _, _ = strings.Cut(text.String(), "\n")
	}
	names := answerNames(t.src)
	if names == nil {
		names = []string{""}
	}
	vocabulary := t.src.Shape().Vocabulary
	for a := range b.Answers {
		at := i*b.Answers + a
		scores := p.Scores[at*vocabulary : (at+1)*vocabulary]
		given := int32(slices.Index(scores, slices.Max(scores)))
		out.Answers = append(out.Answers, trace.Answer{Name: names[a], Target: answer(b.Targets[at]), Given: answer(given),
			Hops: attention(from, b, i, a)})
	}
	return out, nil
}

// attention returns the attention weights of an answer to example i, [N x H x I], without
// hops after halting.
func attention(from models.Attender, b *datasets.Batch, i, answer int) [][][]float64 {
	all, heads := from.Attention(), from.Heads()
	perAnswer := len(all) / b.Answers
	var hops [][][]float64
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

// words returns the names of the words and answers of a batch: those of the task's
// vocabulary, else their numbers, with a "#" for items.
func (t *storedModel) words(b *datasets.Batch) (word, answer func(int32) string) {
	names := config.Vocabulary(t.src)
	answer = func(id int32) string {
		if int(id) < len(names) && names[id] != "" {
			return names[id]
		}
		return fmt.Sprint(id)
	}
	if b.Items != nil {
		return func(id int32) string { return fmt.Sprintf("#%d", id) }, answer
	}
	return answer, answer
}

// phrase joins the names of words with blanks.
func phrase(ids []int32, word func(int32) string) string {
	var parts []string
	for _, id := range ids {
		if id != datasets.NoWord {
			parts = append(parts, word(id))
		}
	}
	return strings.Join(parts, " ")
}
