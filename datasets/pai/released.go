package pai

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"path/filepath"
	"slices"
	"strconv"
	"sync"

	"memobench/datasets"
)

// Released serves the files released with the paper; it implements
// datasets.Source and datasets.Printer. It is finite: Examine takes perKind 0.
type Released struct {
	settings ReleasedSettings
	form     form
	coding   coding
	shape    datasets.Shape
	kinds    []kind
	types    []int32 // kind of trial_type t at t-1
	spec     datasets.Spec
	sets     [3]*shardSet
	absent   [3]error
	readers  sync.Pool // of *recordReader
}

// OpenReleased finds the records of all shards and returns the task. It reads
// no more of them than their lengths, and the first one. A split that
// opts.Splits needs and of which there are no shards is an error; another one
// fails when it is asked for.
func OpenReleased(s ReleasedSettings, opts datasets.Options) (*Released, error) {
	src, err := openReleased(s, opts)
	if err != nil {
		return nil, fmt.Errorf("pai: %w", err)
	}
	return src, nil
}

func openReleased(s ReleasedSettings, opts datasets.Options) (*Released, error) {
	if err := s.validate(); err != nil {
		return nil, err
	}
	dir, err := dataPath(opts, EnvReleased, howToReleased)
	if err == nil {
		dir, err = findReleased(dir, s.Length)
	}
	if err != nil {
		return nil, err
	}
	src := &Released{settings: s, kinds: kinds(s.Length)}
	src.readers.New = func() any { return newRecordReader(s) }
	for _, k := range releasedTypes(s.Length) {
		src.types = append(src.types, int32(slices.Index(src.kinds, k)))
	}
	var digests []string
	for split, folder := range folders {
		set, err := findShards(filepath.Join(dir, folder))
		if err == nil {
			if err = set.index(); err != nil {
				return nil, err
			}
			src.sets[split] = set
			digests = append(digests, folder, set.digest)
			continue
		}
		if !errors.Is(err, fs.ErrNotExist) || opts.Needs(datasets.Split(split)) {
			return nil, err
		}
		src.absent[split] = err
	}
	if err := src.readForm(); err != nil {
		return nil, err
	}
	src.shape = layout{length: s.Length, sequences: src.form.sequences}.shape(choices, src.form.dim)
	if err := checkTrained(src.shape, opts); err != nil {
		return nil, err
	}
	src.describe(digests)
	return src, nil
}

// readForm takes the sizes and the coding of answers from the first record.
func (src *Released) readForm() error {
	r := newRecordReader(src.settings)
	defer r.close()
	for _, set := range src.sets {
		if set == nil {
			continue
		}
		if err := r.read(set, set.at(0)); err != nil {
			return err
		}
		src.form = r.entry.form
		given, err := src.settings.coding()
		if err != nil {
			return err
		}
		if given != nil {
			src.coding = *given
			return nil
		}
		src.coding, err = r.findCoding()
		return err
	}
	return fmt.Errorf("no shards in any of the folders train, valid and test; %s", howToReleased)
}

// findCoding reads off the record which value of correct_answer means left:
// that of the trials whose left option is in the chain of the cue. The release
// does not say.
func (r *recordReader) findCoding() (coding, error) {
	values := [2]map[int64]int{{}, {}} // by side
	for trial, answer := range r.entry.answers {
		b := &datasets.Batch{Items: &datasets.Items{Dim: r.entry.dim}}
		if err := r.words(b, trial); err != nil {
			return coding{}, err
		}
		if side, ok := linked(r.memory, r.query); ok {
			values[side][answer]++
		}
	}
	var found [2]int64
	for side, counts := range values {
		for v := range counts {
			found[side] = v
		}
	}
	if len(values[0]) != 1 || len(values[1]) != 1 || found[0] == found[1] {
		return coding{}, r.errorf("%s has the values %v where the left option is in the chain of the cue, %v where the right one is; name them with --set answers=LEFT,RIGHT",
			featAnswer, values[0], values[1])
	}
	return coding{found[0], found[1]}, nil
}

// describe sets the Spec.
func (src *Released) describe(digests []string) {
	s := src.settings
	settings := map[string]string{
		"length": strconv.Itoa(s.Length), "sequences": strconv.Itoa(src.form.sequences), "features": strconv.Itoa(src.form.dim),
		"items": s.Items, "rows": s.Rows, "scale": s.Scale, "answers": src.coding.String(),
	}
	labels := []string{"released data: the answer is one of the two items shown, chance 50 %"}
	for split, set := range src.sets {
		if set != nil && len(set.shards) < set.of {
			labels = append(labels, fmt.Sprintf("released data: %d of %d %v shards", len(set.shards), set.of, datasets.Split(split)))
		}
	}
	src.spec = datasets.Spec{
		Task:     fmt.Sprintf("pai%d%s", s.Length, releasedSuffix),
		Settings: settings,
		Hash:     datasets.Fingerprint(releasedVersion, settings, digests...),
		Labels:   labels,
	}
}

// Spec implements datasets.Source.
func (src *Released) Spec() datasets.Spec { return src.spec }

// Shape implements datasets.Source. O is 2: left and right.
func (src *Released) Shape() datasets.Shape { return src.shape }

// Kinds implements datasets.Source: "A-B", "B-C", ... in the paper's order.
func (src *Released) Kinds() []string { return names(src.kinds) }

// Print implements datasets.Printer.
func (src *Released) Print(w io.Writer, b *datasets.Batch, i int) error {
	return printExample(w, b, i, src.shape, src.Kinds())
}

// available returns the shards of a split.
func (src *Released) available(split datasets.Split) (*shardSet, error) {
	return src.sets[split], src.absent[split]
}

// Batch implements datasets.Source: one query of each record, record after
// record of a walk through the shards in a random order that depends on the
// seed. Examples are direct and indirect in turn; of the queries of a half all
// kinds are equally likely. Example i of a step is example step x size + i of
// the walk, whatever size is.
func (src *Released) Batch(dst *datasets.Batch, split datasets.Split, seed uint64, step, size int) error {
	err := datasets.CheckBatchArgs(split, step, size)
	if err == nil {
		err = src.batch(dst, split, seed, step, size)
	}
	if err != nil {
		return fmt.Errorf("pai: %w", err)
	}
	return nil
}

func (src *Released) batch(dst *datasets.Batch, split datasets.Split, seed uint64, step, size int) error {
	set, err := src.available(split)
	if err != nil {
		return err
	}
	r := src.readers.Get().(*recordReader)
	defer func() {
		r.close()
		src.readers.Put(r)
	}()
	w := walk{set: set, split: split, seed: seed}
	src.reset(dst)
	direct := src.settings.Length - 1
	for i := range size {
		n := uint64(step)*uint64(size) + uint64(i)
		if err := r.read(set, w.at(n)); err != nil {
			return err
		}
		r.pcg.Seed(datasets.StreamSeed("pai released batch", split, seed, n))
		k := r.rng.IntN(direct)
		if n%2 == 1 {
			k = direct + r.rng.IntN(len(src.kinds)-direct)
		}
		trials := src.ofKind(r, int32(k))
		if len(trials) == 0 {
			return r.errorf("record without queries of kind %v", src.kinds[k])
		}
		if err := src.put(dst, r, trials[r.rng.IntN(len(trials))]); err != nil {
			return err
		}
	}
	return nil
}

func (src *Released) reset(b *datasets.Batch) { resetBatch(b, 0, src.form.dim) }

// ofKind returns the trials of a kind in the record that was read.
func (src *Released) ofKind(r *recordReader, k int32) []int {
	r.picked = r.picked[:0]
	for trial, t := range r.entry.types {
		if src.types[t-1] == k {
			r.picked = append(r.picked, trial)
		}
	}
	return r.picked
}

// put appends a trial of the record that was read.
func (src *Released) put(dst *datasets.Batch, r *recordReader, trial int) error {
	if r.entry.form != src.form {
		return r.errorf("record of %+v, want %+v as the first one", r.entry.form, src.form)
	}
	side, ok := src.coding.side(r.entry.answers[trial])
	if !ok {
		return r.errorf("%s of trial %d is %d, want %v", featAnswer, trial, r.entry.answers[trial], src.coding)
	}
	if err := r.words(dst, trial); err != nil {
		return err
	}
	dst.Queries = append(dst.Queries, r.query...)
	dst.Targets = append(dst.Targets, side)
	dst.Kinds = append(dst.Kinds, src.types[r.entry.types[trial]-1])
	if cap(r.order) < src.form.rows {
		r.order = make([]int, src.form.rows)
	}
	r.order = r.order[:src.form.rows]
	for i := range r.order {
		r.order[i] = i
	}
	if src.settings.Rows == RowsShuffled {
		r.rng.Shuffle(len(r.order), func(i, j int) { r.order[i], r.order[j] = r.order[j], r.order[i] })
	}
	for _, row := range r.order {
		first, second := r.memory[rowWidth*row], r.memory[rowWidth*row+1]
		if src.settings.Items == ItemsRandom && r.rng.IntN(2) == 1 {
			first, second = second, first
		}
		dst.Rows = append(dst.Rows, first, second)
	}
	dst.Offsets = append(dst.Offsets, len(dst.Rows)/rowWidth)
	return nil
}

// Examine implements datasets.Source: all queries of the first kind, in the
// order of the files, then those of the second, and so on. A positive perKind
// takes as many queries of each record as it needs, as equally as it can, or
// all of them where there are fewer.
func (src *Released) Examine(split datasets.Split, seed uint64, perKind, size int) iter.Seq2[*datasets.Batch, error] {
	return func(yield func(*datasets.Batch, error) bool) {
		err := datasets.CheckExamineArgs(split, perKind, size)
		var set *shardSet
		if err == nil {
			set, err = src.available(split)
		}
		if err != nil {
			yield(nil, fmt.Errorf("pai: %w", err))
			return
		}
		r := newRecordReader(src.settings) // not from the pool: the loop's body may run for long
		defer r.close()
		var b datasets.Batch
		src.reset(&b)
		for k := range src.kinds {
			quota := newQuota(split, seed, k, perKind, set.records())
			for i := range set.records() {
				trials, err := src.examined(r, set, i, int32(k), quota, split, seed)
				for _, trial := range trials {
					// The order of a query's rows is the same whatever is asked for.
					r.pcg.Seed(datasets.StreamSeed("pai released rows", split, 0, datasets.Mix(uint64(i))^uint64(trial)))
					if err = src.put(&b, r, trial); err != nil {
						break
					}
					if b.Size() == size {
						if !yield(&b, nil) {
							return
						}
						src.reset(&b)
					}
				}
				if err != nil {
					yield(nil, fmt.Errorf("pai: %w", err))
					return
				}
			}
		}
		if b.Size() > 0 {
			yield(&b, nil)
		}
	}
}

// examined returns the trials of kind k of record i that are asked for.
func (src *Released) examined(r *recordReader, set *shardSet, i int, k int32, q quota, split datasets.Split, seed uint64) ([]int, error) {
	want := q.of(i)
	if want == 0 {
		return nil, nil
	}
	if err := r.read(set, set.at(i)); err != nil {
		return nil, err
	}
	trials := src.ofKind(r, k)
	if want < len(trials) {
		r.pcg.Seed(datasets.StreamSeed("pai released examine", split, seed, uint64(k)<<48|uint64(i)))
		r.rng.Shuffle(len(trials), func(i, j int) { trials[i], trials[j] = trials[j], trials[i] })
		trials = trials[:want]
		slices.Sort(trials)
	}
	return trials, nil
}
