package benchmarks

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"
	"slices"

	"memobench/benchmarks/record"
	"memobench/datasets"
	"memobench/models/checkpoint"
)

// kept collects the answers to every question of a judgement.
type kept struct {
	record.Predictions
	questions hash.Hash
}

// newKept returns a collection without answers.
func newKept(src datasets.Source, split datasets.Split) *kept {
	return &kept{questions: sha256.New(), Predictions: record.Predictions{Head: record.PredictionsHead{
		Schema: record.PredictionsVersion, Dataset: src.Spec().Hash, Split: split.String(), Kinds: src.Kinds(), Names: answerNames(src),
	}}}
}

// add takes the answers to question i of b, [A], and what one says beside them.
func (k *kept) add(b *datasets.Batch, i int, answers []int32, one record.Prediction) {
	one.Kind = int(b.Kinds[i])
	one.Target = slices.Clone(b.Targets[i*b.Answers : (i+1)*b.Answers])
	one.Answer = slices.Clone(answers)
	k.Answers = append(k.Answers, one)
	k.ask(b, i)
}

// none takes that question i of b has no answer, as of a run that diverged.
func (k *kept) none(b *datasets.Batch, i int, tolerant bool) {
	var one record.Prediction
	if tolerant {
		one.Accepted = new(false)
	}
	if b.NumChoices > 0 && b.Answers == 1 {
		one.Choice = new(int32(none))
	}
	k.add(b, i, slices.Repeat([]int32{none}, b.Answers), one)
}

// ask adds the question to the hash. What items look like is not in it, but in
// the hash of the data.
func (k *kept) ask(b *datasets.Batch, i int) {
	part := func(list []int32, width int) []int32 { return list[i*width : (i+1)*width] }
	rows := b.Rows
	if len(b.Offsets) > 0 {
		rows = rows[b.Offsets[i]*b.RowWidth : b.Offsets[i+1]*b.RowWidth]
	}
	for _, list := range [][]int32{b.Kinds[i : i+1], rows, part(b.Queries, b.QueryWidth), part(b.Targets, b.Answers), part(b.Choices, b.NumChoices)} {
		// Lengths divide the lists. Writing to a hash cannot fail.
		binary.Write(k.questions, binary.LittleEndian, int64(len(list)))
		binary.Write(k.questions, binary.LittleEndian, list)
	}
}

// writeTo writes the answers of a judgement under a protocol of that hash.
func (k *kept) writeTo(path, protocol string) error {
	k.Head.Protocol = protocol
	k.Head.Questions = hex.EncodeToString(k.questions.Sum(nil))[:16]
	return checkpoint.WriteFile(path, func(w io.Writer) error { return k.Write(w) })
}

// keepBeside writes the answers, which must be kept, beside the record of the run
// whose weights gave them, and returns where. It fails unless they give the record's
// counts.
func (v *verdict) keepBeside(t *trained) (string, error) {
	rec, err := t.record()
	if err != nil {
		return "", fmt.Errorf("keeping the answers: %w", err)
	}
	dir := filepath.Dir(t.path)
	if err := v.kept.Fits(&rec.Evaluation); err != nil {
		return "", fmt.Errorf("keeping the answers: %s is of another evaluation: %w", filepath.Join(dir, record.FileName), err)
	}
	out := filepath.Join(dir, record.PredictionsName)
	return out, v.kept.writeTo(out, rec.Protocol.Hash)
}

// keepLater writes the answers of a run that ended without keeping them.
func (t *trainer) keepLater(ctx context.Context, rec *record.Record) error {
	path := t.dir.file(record.PredictionsName)
	if _, err := os.Stat(path); err == nil || !t.opts.KeepPredictions {
		return nil
	}
	if rec.Status != record.Diverged {
		_, err := EvalRun(ctx, t.dir.path, EvalOptions{Split: datasets.Test, DataPath: t.opts.DataPath, KeepPredictions: true})
		return err
	}
	q := t.cell.Protocol.test()
	q.keep = true
	v, err := allWrong(ctx, t.model, t.src, q)
	if err != nil {
		return err
	}
	return v.kept.writeTo(path, rec.Protocol.Hash)
}
