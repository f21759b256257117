package pai

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"memobench/datasets/must"
	"memobench/datasets/tfrecord/tfrecordtest"
)

// release writes files as those released with the paper, of small sizes. It
// shares no code with the reader.
type release struct {
	length, sequences, dim int
	left, right            int64  // values of correct_answer
	shards, records        [3]int // of each split, and records of each shard
}

func smallRelease(length int) release {
	return release{length: length, sequences: 4, dim: 5, left: 0, right: 1, shards: [3]int{4, 2, 2}, records: [3]int{5, 3, 4}}
}

// trialTypes are the queries of trial_type 1, 2, ..., as the release's own notes
// list them.
var trialTypes = map[int][]string{3: {"AB", "BC", "AC"}, 4: {"AB", "BC", "AC", "CD", "BD", "AD"}}

// trial is one query of a fixture.
type trial struct {
	items            [3][]float32
	answer           int64
	difficulty, kind int64
}

// record returns the memory, as pairs of neighbours in the order of the chains,
// and all queries.
func (r release) record(rng *rand.Rand) (memory [][]float32, trials []trial) {
	chains := make([][][]float32, r.sequences)
	for s := range chains {
		for range r.length {
			item := make([]float32, r.dim)
			for j := range item {
				item[j] = rng.Float32()
			}
			chains[s] = append(chains[s], item)
		}
		for i := range r.length - 1 {
			memory = append(memory, chains[s][i], chains[s][i+1])
		}
	}
	for k, letters := range trialTypes[r.length] {
		cue, match := int(letters[0]-'A'), int(letters[1]-'A')
		for s := range chains {
			other := (s + 1 + rng.IntN(r.sequences-1)) % r.sequences
			one := trial{kind: int64(k + 1), difficulty: int64(match - cue - 1)}
			left, right := chains[s][match], chains[other][match]
			if one.answer = r.left; rng.IntN(2) == 1 {
				left, right, one.answer = right, left, r.right
			}
			one.items = [3][]float32{chains[s][cue], left, right}
			trials = append(trials, one)
		}
	}
	return memory, trials
}

// features returns the features of a record by name.
func (r release) features(rng *rand.Rand) map[string][]byte {
	memory, trials := r.record(rng)
	var items []float32
	var answers, difficulty, types []int64
	for _, one := range trials {
		items = append(items, slices.Concat(one.items[:]...)...)
		answers, difficulty, types = append(answers, one.answer), append(difficulty, one.difficulty), append(types, one.kind)
	}
	return map[string][]byte{
		"trials":         tfrecordtest.Floats(items...),
		"memory":         tfrecordtest.Floats(slices.Concat(memory...)...),
		"correct_answer": tfrecordtest.Ints(answers...),
		"difficulty":     tfrecordtest.Ints(difficulty...),
		"trial_type":     tfrecordtest.Ints(types...),
	}
}

func example(features map[string][]byte) []byte {
	var list [][]byte
	for name, f := range features { // in any order
		list = append(list, tfrecordtest.Feature(name, f))
	}
	return tfrecordtest.Example(list...)
}

// shardPath is the path of a shard of a split.
func (r release) shardPath(dir string, split, shard int) string {
	folder := []string{"train", "valid", "test"}[split]
	return filepath.Join(dir, folder, fmt.Sprintf("trials-%05d-of-%05d", shard, r.shards[split]))
}

// write writes all shards below dir.
func (r release) write(t testing.TB, dir string) string {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, uint64(r.length)))
	for split := range 3 {
		for shard := range r.shards[split] {
			path := r.shardPath(dir, split, shard)
			must.Do(t, os.MkdirAll(filepath.Dir(path), 0o777))
			var records [][]byte
			for range r.records[split] {
				records = append(records, example(r.features(rng)))
			}
			tfrecordtest.Write(t, path, records...)
		}
	}
	return dir
}
