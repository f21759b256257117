package pai

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"memobench/datasets"
	"memobench/datasets/tfrecord"
)

// FuzzRecord checks that no record makes the reader panic: what it accepts can
// be shown as a batch that is well formed.
func FuzzRecord(f *testing.F) {
	for _, length := range []int{3, 4} {
		r := smallRelease(length)
		r.sequences, r.dim = 2, 1
		f.Add(example(r.features(rand.New(rand.NewPCG(1, 1)))), length == 4)
	}
	f.Fuzz(func(t *testing.T, data []byte, four bool) {
		s := *releasedDefaults(3)
		if four {
			s.Length = 4
		}
		src := &released{settings: s, kinds: kinds(s.Length), coding: coding{0, 1}}
		for _, k := range releasedTypes(s.Length) {
			src.types = append(src.types, int32(slices.Index(src.kinds, k)))
		}
		r := newRecordReader(s)
		file := tfrecord.New("file", strings.NewReader(""), 0)
		r.file, r.set = file, &shardSet{shards: []shard{{records: make([]tfrecord.Record, 1)}}}
		if err := r.entry.parse("file", tfrecord.Record{}, data, s.Length); err != nil {
			if !strings.HasPrefix(err.Error(), "file: offset ") {
				t.Fatal(err)
			}
			return
		}
		src.form = r.entry.form
		src.shape = layout{length: s.Length, sequences: src.form.sequences}.shape(choices, src.form.dim)
		var b datasets.Batch
		src.reset(&b)
		for trial := range min(r.entry.trials, 8) {
			if err := src.put(&b, r, trial); err != nil {
				return
			}
		}
		if err := b.Validate(src.shape); err != nil {
			t.Fatal(err)
		}
	})
}
