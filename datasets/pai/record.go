package pai

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"memobench/datasets"
	"memobench/datasets/tfrecord"
)

// The features of a released record.
const (
	featTrials = "trials"         // [trials x 3 x dim]: cue, left, right
	featAnswer = "correct_answer" // [trials]
	featType   = "trial_type"     // [trials], from 1
	featMemory = "memory"         // [rows x 2 x dim]
)

// recordSizes holds the sizes of a record.
type recordSizes struct{ sequences, trials, rows, dim int }

// entry is one record: a memory and the queries about it.
type entry struct {
	recordSizes
	trialItems, memory tfrecord.Feature
	types, answers     []int64
}

// parse checks the features of a record and their sizes. length is the length of its
// sequences; 0 means that of its trial types.
func (e *entry) parse(file string, rec tfrecord.Record, data []byte, length int) error {
	features, err := tfrecord.ParseExample(file, rec.Offset, data)
	if err != nil {
		return err
	}
	fail := func(at int64, format string, args ...any) error {
		return &tfrecord.Error{File: file, Offset: at, Problem: fmt.Sprintf(format, args...)}
	}
	for _, name := range []string{featTrials, featMemory, featType, featAnswer} {
		f, ok := features[name]
		if !ok {
			return fail(rec.Offset, "record without the feature %s", name)
		}
		n, want := len(f.Floats), "float32"
		if name == featType || name == featAnswer {
			n, want = len(f.Ints), "int64"
		}
		if n == 0 {
			return fail(f.Offset, "feature %s: no values of type %s", name, want)
		}
	}
	types, answers := features[featType], features[featAnswer]
	e.trialItems, e.memory, e.types, e.answers = features[featTrials], features[featMemory], types.Ints, answers.Ints
	if length == 0 {
		length = lengthOf(e.types)
	}
	kinds := len(releasedTypes(length))
	e.trials = len(e.types)
	e.sequences = e.trials / kinds
	e.rows = e.sequences * (length - 1)
	if e.trials%kinds != 0 {
		return fail(types.Offset,
			"feature %s: %d values, want a multiple of %d: sequences of %d have so many kinds of queries", featType,
			e.trials, kinds, length)
	}
	if len(e.answers) != e.trials {
		return fail(answers.Offset, "feature %s: %d values, %s has %d", featAnswer, len(e.answers), featType, e.trials)
	}
	if e.dim = len(e.memory.Floats) / (e.rows * rowWidth); len(e.memory.Floats) != e.rows*rowWidth*e.dim {
		return fail(e.memory.Offset, "feature %s: %d values, want %d x %d x features", featMemory, len(e.memory.Floats),
			e.rows, rowWidth)
	}
	if len(e.trialItems.Floats) != e.trials*queryWidth*e.dim {
		return fail(e.trialItems.Offset, "feature %s: %d values, want %d x %d x %d", featTrials,
			len(e.trialItems.Floats), e.trials, queryWidth, e.dim)
	}
	for _, t := range e.types {
		if t < 1 || t > int64(kinds) {
			return fail(types.Offset, "feature %s: %d, want 1 to %d", featType, t, kinds)
		}
	}
	return nil
}

// lengthOf returns the length of the sequences of a record with the given trial types.
func lengthOf(types []int64) int {
	if slices.Max(types) > int64(len(releasedTypes(minLength))) {
		return releasedMaxLength
	}
	return minLength
}

// floats fills dst with vectors of a feature from vector first on, checks that they are finite
// and scales them.
func (e *entry) floats(dst []float32, file string, f tfrecord.Feature, first int, scale string) error {
	copy(dst, f.Floats[first*e.dim:])
	if j := firstNotFinite(dst); j >= 0 {
		return &tfrecord.Error{File: file, Offset: f.Offset,
			Problem: fmt.Sprintf("value %d of the feature is %v", first*e.dim+j, dst[j])}
	}
	if scale == scaleUnit {
		for ; len(dst) > 0; dst = dst[e.dim:] {
			scaleToUnit(dst[:e.dim]) // a zero vector stays one
		}
	}
	return nil
}

// recordReader converts records to examples. One goroutine uses it at a time.
type recordReader struct {
	length int
	scale  string

	set   *shardSet
	file  *tfrecord.File // of shard at.shard, or nil
	at    recordIndex
	data  []byte // of the record
	entry entry

	// The words of the batch's item table. current says that memory holds those of the
	// current record.
	known   datasets.VectorIndex
	current bool
	memory  []int32 // [rows x 2]
	query   []int32 // [3]

	vector []float32
	order  []int
	picked []int
	pcg    rand.PCG
	rng    *rand.Rand
}

func newRecordReader(s releasedSettings) *recordReader {
	r := &recordReader{length: s.Length, scale: s.Scale, known: datasets.VectorIndex{}}
	r.rng = rand.New(&r.pcg)
	return r
}

// close closes the file.
func (r *recordReader) close() {
	if r.file != nil {
		r.file.Close()
	}
	r.file, r.set, r.current = nil, nil, false
}

// read reads a record unless it is the current one.
func (r *recordReader) read(set *shardSet, at recordIndex) error {
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
	r.set, r.current = nil, false // in case of an error
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

// words sets memory and query to the words of the record and of a trial. For an empty batch it
// first resets the words.
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
		dst = append(dst, r.known.Add(table, v[:r.entry.dim]))
	}
	return dst, nil
}

// errorf returns an error about the record.
func (r *recordReader) errorf(format string, args ...any) error {
	rec := r.set.shards[r.at.shard].records[r.at.record]
	return r.file.Errorf(rec.Offset, format, args...)
}
