package pai

import (
	"math/rand/v2"
	"slices"

	"memobench/datasets"
	"memobench/datasets/tfrecord"
)

// recordReader turns records into examples. One goroutine uses it at a time.
type recordReader struct {
	length int
	scale  string

	set   *shardSet
	file  *tfrecord.File // of shard at.shard, or nil
	at    place
	data  []byte // of the record
	entry entry

	// The words of a batch's item table; current says that memory holds those of
	// the record that was read.
	known   vectors
	current bool
	memory  []int32 // [rows x 2]
	query   []int32 // [3]

	vector []float32
	order  []int
	picked []int
	pcg    rand.PCG
	rng    *rand.Rand
}

func newRecordReader(s ReleasedSettings) *recordReader {
	r := &recordReader{length: s.Length, scale: s.Scale, known: vectors{}}
	r.rng = rand.New(&r.pcg)
	return r
}

// close closes the file and forgets the record.
func (r *recordReader) close() {
	if r.file != nil {
		r.file.Close()
	}
	r.file, r.set, r.current = nil, nil, false
}

// read reads a record, unless it was the last one read.
func (r *recordReader) read(set *shardSet, at place) error {
	if r.set == set && r.at == at {
		return nil
	}
	if r.set != set || r.at.shard != at.shard {
		r.close()
		f, err := tfrecord.Open(set.shards[at.shard].path)
		if err != nil {
			return err
		}
		r.file = f
	}
	r.set, r.current = nil, false // until all is well
	rec := set.shards[at.shard].records[at.record]
	data, err := r.file.Read(r.data, rec)
	if err != nil {
		return err
	}
	r.data = data
	if err := r.entry.parse(r.file.Name(), rec, data, r.length); err != nil {
		return err
	}
	r.set, r.at = set, at
	return nil
}

// words finds the words of the memory and of a trial in the batch's item table,
// which begins anew with an empty batch.
func (r *recordReader) words(b *datasets.Batch, trial int) error {
	if b.Size() == 0 {
		clear(r.known)
		r.current = false
	}
	if !r.current {
		var err error
		if r.memory, err = r.intern(r.memory[:0], b.Items, r.entry.memory, 0, r.entry.rows*rowWidth); err != nil {
			return err
		}
		r.current = true
	}
	var err error
	r.query, err = r.intern(r.query[:0], b.Items, r.entry.trialItems, trial*queryWidth, queryWidth)
	return err
}

// intern appends the words of n vectors of a feature.
func (r *recordReader) intern(dst []int32, table *datasets.Items, f tfrecord.Feature, first, n int) ([]int32, error) {
	size := n * r.entry.dim
	r.vector = slices.Grow(r.vector[:0], size)[:size]
	if err := r.entry.floats(r.vector, r.file.Name(), f, first, r.scale); err != nil {
		return dst, err
	}
	for v := r.vector; len(v) > 0; v = v[r.entry.dim:] {
		dst = append(dst, r.known.add(table, v[:r.entry.dim]))
	}
	return dst, nil
}

// linked returns which option of a query is linked to the cue by the rows of
// the memory: 0 left, 1 right; or false for both or none.
func linked(memory, query []int32) (side int32, ok bool) {
	chain := chainOf(memory, query[0])
	left, right := slices.Contains(chain, query[1]), slices.Contains(chain, query[2])
	if right {
		side = 1
	}
	return side, left != right
}

// errorf returns an error about the record.
func (r *recordReader) errorf(format string, args ...any) error {
	rec := r.set.shards[r.at.shard].records[r.at.record]
	return r.file.Errorf(rec.Offset, format, args...)
}
