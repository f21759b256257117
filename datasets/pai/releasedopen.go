package pai

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"

	"memobench/datasets"
)

// newReleased indexes the records of all shards and returns the task. It reads only their
// lengths and the first record. Missing shards are an error if opts.Splits needs the split,
// else when the split is used.
func newReleased(s releasedSettings, opts datasets.Options) (*released, error) {
	err := s.validate()
	dir := ""
	if err == nil {
		dir, err = dataPath(opts, envReleased, howToReleased)
	}
	if err == nil {
		dir, err = findReleased(dir, s.Length)
	}
	var src *released
	if err == nil {
		src, err = openReleased(dir, s, opts)
	}
	if err == nil {
		err = datasets.CheckTrained(src.shape, opts)
	}
	if err != nil {
		return nil, fmt.Errorf("pai: %w", err)
	}
	return src, nil
}

// openReleased opens the folders in dir. A length of 0 means that of the first record.
func openReleased(dir string, s releasedSettings, opts datasets.Options) (*released, error) {
	src := &released{settings: s}
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
	s = src.settings
	src.readers.New = func() any { return newRecordReader(s) }
	src.kinds = kinds(s.Length)
	for _, k := range releasedTypes(s.Length) {
		src.types = append(src.types, int32(slices.Index(src.kinds, k)))
	}
	src.shape = layout{length: s.Length, sequences: src.sizes.sequences}.shape(choices, src.sizes.dim)
	src.describe(digests)
	return src, nil
}

// readForm reads the sizes and the coding of answers from the first record.
func (src *released) readForm() error {
	r := newRecordReader(src.settings)
	defer r.close()
	for _, set := range src.sets {
		if set == nil {
			continue
		}
		if err := r.read(set, set.at(0)); err != nil {
			return err
		}
		src.sizes = r.entry.recordSizes
		if src.settings.Length == 0 {
			src.settings.Length = lengthOf(r.entry.types)
		}
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

// findCoding infers which value of correct_answer means left, which the release does not
// state: that of the trials whose left option is in the chain of the cue.
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
func (src *released) describe(digests []string) {
	s := src.settings
	settings := map[string]string{
		"length": strconv.Itoa(s.Length), "sequences": strconv.Itoa(src.sizes.sequences), "features": strconv.Itoa(src.sizes.dim),
		"items": s.Items, "rows": s.Rows, "scale": s.Scale, "answers": src.coding.String(),
	}
	caveats := datasets.Caveats{{Kind: datasets.OtherProtocol, Brief: "released",
		Text: "released data: the answer is one of the two items shown, chance 50 %"}}
	for split, set := range src.sets {
		if set != nil && len(set.shards) < set.of {
			caveats = append(caveats, datasets.Caveat{Kind: datasets.SubstituteData,
				Text: fmt.Sprintf("released data: %d of %d %v shards", len(set.shards), set.of, datasets.Split(split))})
		}
	}
	src.spec = datasets.Spec{
		Task:     fmt.Sprintf("pai%d%s", s.Length, releasedSuffix),
		Settings: settings,
		Hash:     datasets.Fingerprint(releasedVersion, settings, digests...),
		Caveats:  caveats,
	}
}
