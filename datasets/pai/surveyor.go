package pai

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"path/filepath"
	"slices"

	"memobench/datasets/tfrecord"
)

// surveyor collects a Survey.
type surveyor struct {
	out    Survey
	owners map[uint64]int // splits, as bits, by the hash of an item
	vector []float32
	before func(shard string) error
}

func (s *surveyor) survey(perShard int) error {
	for split, folder := range folders {
		set, err := findShards(filepath.Join(s.out.Dir, folder))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil {
			err = set.index()
		}
		if err != nil {
			return err
		}
		one := splitSurveyor{surveyor: s, bit: 1 << split, features: map[string]*FeatureSurvey{}, trials: map[[2]int64]int{}}
		one.out = SplitSurvey{Folder: folder, Shards: len(set.shards), Of: set.of, Records: set.records(), Bytes: set.size, Answers: map[string]map[int64]int{}}
		for i := range set.shards {
			if err := one.shard(&set.shards[i], perShard); err != nil {
				return err
			}
		}
		s.out.Splits = append(s.out.Splits, one.finish())
	}
	for _, splits := range s.owners {
		if splits&(splits-1) != 0 {
			s.out.Shared++
		}
	}
	return nil
}

// splitSurveyor collects a SplitSurvey.
type splitSurveyor struct {
	*surveyor
	out      SplitSurvey
	bit      int
	features map[string]*FeatureSurvey
	trials   map[[2]int64]int // by type and difficulty
	entry    entry
	ints     []int64
}

func (s *splitSurveyor) shard(sh *shard, perShard int) error {
	if err := s.before(sh.path); err != nil {
		return err
	}
	f, err := tfrecord.Open(sh.path)
	if err != nil {
		return err
	}
	defer f.Close()
	var data []byte
	for i, rec := range sh.records {
		if perShard > 0 && i >= perShard {
			break
		}
		if data, err = f.Read(data, rec); err != nil {
			return err
		}
		ex, err := tfrecord.ParseExample(f.Name(), rec.Offset, data)
		if err != nil {
			return err
		}
		s.out.Read++
		s.count(ex)
		if err := s.record(f.Name(), rec, ex, data); err != nil && s.out.Problems == nil {
			s.out.Problems = []string{err.Error()}
		}
	}
	return nil
}

// count adds the features of a record, whatever they are.
func (s *splitSurveyor) count(ex tfrecord.Example) {
	seen := map[string]bool{}
	for name := range ex.Features() {
		if seen[name] {
			continue
		}
		seen[name] = true
		f, _ := ex.Feature(name)
		got := s.features[name]
		if got == nil {
			got = &FeatureSurvey{Name: name, Type: f.Kind().String(), Fewest: f.Len(), Lowest: math.Inf(1), Highest: math.Inf(-1)}
			s.features[name] = got
		}
		if f.Kind().String() != got.Type {
			got.Type = "mixed"
		}
		got.Records++
		got.Fewest, got.Most = min(got.Fewest, f.Len()), max(got.Most, f.Len())
		s.vector = slices.Grow(s.vector[:0], f.Len())[:f.Len()]
		for _, x := range s.vector[:f.Floats(s.vector, 0)] {
			got.add(float64(x))
		}
		if f.Kind() == tfrecord.Ints {
			s.ints = ints(s.ints, f)
			for _, x := range s.ints {
				got.add(float64(x))
			}
		}
	}
}

func (f *FeatureSurvey) add(x float64) {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		f.NotFinite++
		return
	}
	f.Lowest, f.Highest = min(f.Lowest, x), max(f.Highest, x)
}

// record adds what a record says as a part of the task.
func (s *splitSurveyor) record(file string, rec tfrecord.Record, ex tfrecord.Example, data []byte) error {
	types, _ := ex.Feature(featType)
	s.ints = ints(s.ints, types)
	if len(s.ints) == 0 {
		return fmt.Errorf("%s: offset %d: record without the feature %s", file, rec.Offset, featType)
	}
	length := lengthOf(s.ints)
	if s.surveyor.out.Length == 0 {
		s.surveyor.out.Length = length
	}
	e := &s.entry
	if err := e.parse(file, rec, data, length); err != nil {
		return err
	}
	if s.surveyor.out.Length != length {
		return fmt.Errorf("%s: offset %d: sequences of %d, of %d in earlier records", file, rec.Offset, length, s.surveyor.out.Length)
	}
	difficulty, _ := ex.Feature(featDifficulty)
	s.ints = ints(s.ints, difficulty)
	if len(s.ints) != e.trials {
		return fmt.Errorf("%s: offset %d: feature %s: %d values, want %d", file, rec.Offset, featDifficulty, len(s.ints), e.trials)
	}
	for trial, t := range e.types {
		s.trials[[2]int64{t, s.ints[trial]}]++
	}
	for name, shape := range map[string][]int{
		featTrials: {e.trials, queryWidth, e.dim}, featMemory: {e.rows, rowWidth, e.dim},
		featType: {e.trials}, featAnswer: {e.trials}, featDifficulty: {e.trials},
	} {
		s.features[name].Shape = shape
	}
	return s.chains(file)
}

// chains counts the items of a record and compares answers with its chains.
func (s *splitSurveyor) chains(file string) error {
	e := &s.entry
	words := map[uint64]int32{}
	read := func(f tfrecord.Feature, first, n int) ([]int32, error) {
		s.vector = slices.Grow(s.vector[:0], n*e.dim)[:n*e.dim]
		if err := e.floats(s.vector, file, f, first, ScaleRaw); err != nil {
			return nil, err
		}
		var ids []int32
		for v := s.vector; len(v) > 0; v = v[e.dim:] {
			h := hashVector(v[:e.dim])
			id, known := words[h]
			if !known {
				id = int32(len(words))
				words[h] = id
			}
			if s.owners[h]&s.bit == 0 {
				s.owners[h] |= s.bit
				s.out.Items++
			}
			ids = append(ids, id)
		}
		return ids, nil
	}
	memory, err := read(e.memory, 0, e.rows*rowWidth)
	if err != nil {
		return err
	}
	for trial, answer := range e.answers {
		query, err := read(e.trialItems, trial*queryWidth, queryWidth)
		if err != nil {
			return err
		}
		option := "neither"
		if side, ok := linked(memory, query); ok {
			option = [...]string{"left", "right"}[side]
		}
		if s.out.Answers[option] == nil {
			s.out.Answers[option] = map[int64]int{}
		}
		s.out.Answers[option][answer]++
	}
	return nil
}

// finish puts what was counted in order.
func (s *splitSurveyor) finish() SplitSurvey {
	for _, name := range slices.Sorted(maps.Keys(s.features)) {
		f := *s.features[name]
		if f.Lowest > f.Highest { // no numbers
			f.Lowest, f.Highest = 0, 0
		}
		s.out.Features = append(s.out.Features, f)
	}
	keys := slices.SortedFunc(maps.Keys(s.trials), func(a, b [2]int64) int { return slices.Compare(a[:], b[:]) })
	for _, key := range keys {
		kind := releasedTypes(s.surveyor.out.Length)[key[0]-1]
		s.out.Trials = append(s.out.Trials, TrialSurvey{Type: key[0], Kind: kind.String(), Difficulty: key[1], Trials: s.trials[key]})
	}
	return s.out
}
