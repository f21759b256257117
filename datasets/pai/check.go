package pai

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"memobench/datasets"
)

// ReleasedDirs lists the directories with released shards among path/length3, path/length4 and
// path. Such a directory has the folders train, valid or test.
func ReleasedDirs(path string) ([]string, error) {
	var dirs []string
	for _, dir := range []string{filepath.Join(path, "length3"), filepath.Join(path, "length4"), path} {
		found := false
		for _, folder := range folders {
			_, err := findShards(filepath.Join(dir, folder))
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return nil, fmt.Errorf("pai: %w", err)
			}
			found = found || err == nil
		}
		if found {
			dirs = append(dirs, dir)
		}
	}
	return dirs, nil
}

// CheckReleased reads the released shards of a directory as the task does. It calls report for
// each record that cannot be read and for each answer that contradicts the chains. Errors
// name file and offset. It calls read before each record; an error of read ends the check. It
// returns the numbers of shards and of records that it read.
func CheckReleased(dir string, read func() error, report func(error)) (shards, records int) {
	settings := *releasedDefaults(0)
	settings.Scale = scaleRaw
	src, err := openReleased(dir, settings, datasets.Options{Splits: []datasets.Split{}})
	if err != nil {
		report(err)
		return 0, 0
	}
	r := newRecordReader(src.settings)
	defer r.close()
	for _, set := range src.sets {
		if set == nil {
			continue
		}
		shards += len(set.shards)
		for i := range set.records() {
			if err := read(); err != nil {
				return shards, records
			}
			records++
			if err := src.checkRecord(r, set, i); err != nil {
				report(err)
			}
		}
	}
	return shards, records
}

// checkRecord reads all trials of a record and checks those whose answer the chains determine.
func (src *released) checkRecord(r *recordReader, set *shardSet, i int) error {
	if err := r.read(set, set.at(i)); err != nil {
		return err
	}
	var b datasets.Batch
	src.reset(&b)
	for trial := range r.entry.answers {
		if err := src.put(&b, r, trial); err != nil {
			return err
		}
		if side, ok := linked(r.memory, r.query); ok && side != b.Targets[trial] {
			return r.errorf("trial %d: %s is %d where the chain of the cue has the %s option",
				trial, featAnswer, r.entry.answers[trial], [...]string{"left", "right"}[side])
		}
	}
	return nil
}
