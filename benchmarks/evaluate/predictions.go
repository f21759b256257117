package evaluate

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"path/filepath"
	"slices"

	"memobench/benchmarks/record"
	"memobench/datasets"
	"memobench/models/checkpoint"
)

// predictions collects the answers to every question of an evaluation.
type predictions struct {
	record.Predictions
	questions hash.Hash
}

func newPredictions(src datasets.Source, split datasets.Split) *predictions {
	return &predictions{questions: sha256.New(), Predictions: record.Predictions{Head: record.PredictionsHead{
		Schema: record.PredictionsVersion, Dataset: src.Spec().Hash, Split: split.String(), Kinds: src.Kinds(), Names: answerNames(src),
	}}}
}

// add adds a copy of the answers to question i of b.
func (k *predictions) add(b *datasets.Batch, i int, p record.Prediction) {
	p.Target, p.Answer = slices.Clone(p.Target), slices.Clone(p.Answer)
	k.Answers = append(k.Answers, p)
	k.hash(b, i)
}

// hash adds the question to the hash. The vectors of items are in the hash of the data.
func (k *predictions) hash(b *datasets.Batch, i int) {
	part := func(list []int32, width int) []int32 { return list[i*width : (i+1)*width] }
	rows := b.Rows
	if len(b.Offsets) > 0 {
		rows = rows[b.Offsets[i]*b.RowWidth : b.Offsets[i+1]*b.RowWidth]
	}
	for _, list := range [][]int32{b.Kinds[i : i+1], rows, part(b.Queries, b.QueryWidth), part(b.Targets, b.Answers), part(b.Choices, b.NumChoices)} {
		// Lengths separate the lists. Writing to a hash cannot fail.
		binary.Write(k.questions, binary.LittleEndian, int64(len(list)))
		binary.Write(k.questions, binary.LittleEndian, list)
	}
}

// WriteTo writes the answers; protocol is the hash of the evaluation's protocol.
func (k *predictions) WriteTo(path, protocol string) error {
	k.Head.Protocol = protocol
	k.Head.Questions = hex.EncodeToString(k.questions.Sum(nil))[:16]
	return checkpoint.WriteFile(path, func(w io.Writer) error { return k.Write(w) })
}

// writePredictions writes the answers, which must be kept, next to the record of the
// weights' run and returns the path. It fails if their counts differ from the record's.
func (v *Counts) writePredictions(t *storedModel) (string, error) {
	rec, err := t.record()
	if err != nil {
		return "", fmt.Errorf("keeping the answers: %w", err)
	}
	dir := filepath.Dir(t.path)
	if err := v.Predictions.Fits(&rec.Evaluation); err != nil {
		return "", fmt.Errorf("keeping the answers: %s is of another evaluation: %w", filepath.Join(dir, record.FileName), err)
	}
	out := filepath.Join(dir, record.PredictionsName)
	return out, v.Predictions.WriteTo(out, rec.Protocol.Hash)
}

// QuestionIDs returns the prefix of the ids of a split's questions, from the hashes of the
// protocol and the data. The question's number follows, from 0, in order.
func QuestionIDs(protocol, data string, split datasets.Split) string {
	return fmt.Sprintf("%s-%s-", split, record.HashOf([]string{protocol, data})[:8])
}
