package pai

import (
	"fmt"
	"slices"

	"memobench/datasets/tfrecord"
)

// The features of a released record.
const (
	featTrials     = "trials"         // [trials x 3 x dim]: cue, left, right
	featAnswer     = "correct_answer" // [trials]
	featDifficulty = "difficulty"     // [trials]; not read
	featType       = "trial_type"     // [trials], from 1
	featMemory     = "memory"         // [rows x 2 x dim]
)

// form is the sizes of a record.
type form struct{ sequences, trials, rows, dim int }

// entry is one record: a memory and the queries about it.
type entry struct {
	form
	trialItems, memory tfrecord.Feature
	types              []int64
	answers            []int64
}

// parse checks the features of a record of sequences of the given length and
// that their sizes agree. data must stay as they are while e is used.
func (e *entry) parse(file string, rec tfrecord.Record, data []byte, length int) error {
	ex, err := tfrecord.ParseExample(file, rec.Offset, data)
	if err != nil {
		return err
	}
	fail := func(at int64, format string, args ...any) error {
		return &tfrecord.Error{File: file, Offset: at, Problem: fmt.Sprintf(format, args...)}
	}
	var types, answers tfrecord.Feature
	for _, f := range []struct {
		name string
		kind tfrecord.Kind
		to   *tfrecord.Feature
	}{
		{featTrials, tfrecord.Floats, &e.trialItems}, {featMemory, tfrecord.Floats, &e.memory},
		{featType, tfrecord.Ints, &types}, {featAnswer, tfrecord.Ints, &answers},
	} {
		got, ok := ex.Feature(f.name)
		if !ok {
			return fail(rec.Offset, "record without the feature %s", f.name)
		}
		if got.Kind() != f.kind || got.Len() == 0 {
			return fail(got.Offset(), "feature %s: %d values of type %v, want some of type %v", f.name, got.Len(), got.Kind(), f.kind)
		}
		*f.to = got
	}

	kinds := len(releasedTypes(length))
	e.trials = types.Len()
	e.sequences = e.trials / kinds
	e.rows = e.sequences * (length - 1)
	if e.trials%kinds != 0 {
		return fail(types.Offset(), "feature %s: %d values, want a multiple of %d: sequences of %d have so many kinds of queries", featType, e.trials, kinds, length)
	}
	if answers.Len() != e.trials {
		return fail(answers.Offset(), "feature %s: %d values, %s has %d", featAnswer, answers.Len(), featType, e.trials)
	}
	if e.dim = e.memory.Len() / (e.rows * rowWidth); e.memory.Len() != e.rows*rowWidth*e.dim {
		return fail(e.memory.Offset(), "feature %s: %d values, want %d x %d x features", featMemory, e.memory.Len(), e.rows, rowWidth)
	}
	if e.trialItems.Len() != e.trials*queryWidth*e.dim {
		return fail(e.trialItems.Offset(), "feature %s: %d values, want %d x %d x %d", featTrials, e.trialItems.Len(), e.trials, queryWidth, e.dim)
	}
	e.types, e.answers = ints(e.types, types), ints(e.answers, answers)
	for _, t := range e.types {
		if t < 1 || t > int64(kinds) {
			return fail(types.Offset(), "feature %s: %d, want 1 to %d", featType, t, kinds)
		}
	}
	return nil
}

// lengthOf returns the length of the sequences of a record with trials of the
// given types, of which there is one or more.
func lengthOf(types []int64) int {
	if slices.Max(types) > int64(len(releasedTypes(minLength))) {
		return releasedMaxLength
	}
	return minLength
}

// ints returns all values of f, in buf where they fit.
func ints(buf []int64, f tfrecord.Feature) []int64 {
	if cap(buf) < f.Len() {
		buf = make([]int64, f.Len())
	}
	buf = buf[:f.Len()]
	f.Ints(buf, 0)
	return buf
}

// floats fills dst with n vectors of a feature from vector first on, checks and
// scales them.
func (e *entry) floats(dst []float32, file string, f tfrecord.Feature, first int, scale string) error {
	f.Floats(dst, first*e.dim)
	if j := firstNotFinite(dst); j >= 0 {
		return &tfrecord.Error{File: file, Offset: f.Offset(), Problem: fmt.Sprintf("value %d of the feature is %v", first*e.dim+j, dst[j])}
	}
	if scale == ScaleUnit {
		for ; len(dst) > 0; dst = dst[e.dim:] {
			scaleToUnit(dst[:e.dim]) // a zero vector stays one
		}
	}
	return nil
}
