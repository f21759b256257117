package pai

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"io/fs"
	"path/filepath"
	"slices"

	"memobench/datasets"
)

// itemKey identifies the features of an item.
type itemKey [16]byte

// npyLoader reads all items once.
type npyLoader struct {
	images *npyImages
	sum    hash.Hash // of all items and their classes
	seen   map[itemKey]bool
	bytes  []byte
}

// loadEach reads the pair of files of each split.
func (l *npyLoader) loadEach(dir string) error {
	found := false
	for _, split := range splits {
		items := npyOf(dir, split)
		file, err := l.images.open(items, filepath.Join(dir, split.String()+classesAfter))
		if errors.Is(err, fs.ErrNotExist) {
			l.images.parts[split].absent = fmt.Errorf("no %v items: %w", split, err)
			continue
		}
		if err == nil {
			err = l.load(file, func(itemKey) datasets.Split { return split })
		}
		if err != nil {
			return err
		}
		found = true
	}
	if !found {
		return fmt.Errorf("%s: no embeddings there: %s", dir, howToNpy)
	}
	return nil
}

// load assigns each row of a file to a split, unless it is a duplicate of an earlier row.
func (l *npyLoader) load(f *npyFile, splitOf func(itemKey) datasets.Split) error {
	im := l.images
	fmt.Fprintf(l.sum, "%d items\n", len(f.classes))
	owner := make([]int8, len(f.classes)) // split, or -1
	item := make([]float32, im.dim)
	for row := range f.classes {
		if err := im.readRow(item, f, int64(row)); err != nil {
			return err
		}
		key := l.key(item)
		l.sum.Write(key[:])
		fmt.Fprintf(l.sum, " %d\n", f.classes[row])
		if owner[row] = -1; l.seen[key] {
			im.duplicates++
			continue
		}
		l.seen[key] = true
		owner[row] = int8(splitOf(key))
	}
	for _, split := range splits {
		if slices.Contains(owner, int8(split)) {
			im.parts[split] = newNpyPart(f, owner, split, im.numClasses)
		}
	}
	return nil
}

// key returns the key of an item.
func (l *npyLoader) key(item []float32) itemKey {
	l.bytes, _ = binary.Append(l.bytes[:0], binary.LittleEndian, item) // cannot fail
	sum := sha256.Sum256(l.bytes)
	return itemKey(sum[:16])
}

// newNpyPart sorts the rows of one split by class (counting sort).
func newNpyPart(f *npyFile, owner []int8, split datasets.Split, classes int) npyPart {
	p := npyPart{file: f, start: make([]int32, classes+1)}
	for row, c := range f.classes {
		if owner[row] == int8(split) {
			p.start[c+1]++
		}
	}
	for c := range classes {
		if p.start[c+1] > 0 {
			p.nonempty = append(p.nonempty, int32(c))
		}
		p.start[c+1] += p.start[c]
	}
	next := slices.Clone(p.start)
	p.rows = make([]int32, p.start[classes])
	for row, c := range f.classes {
		if owner[row] == int8(split) {
			p.rows[next[c]] = int32(row)
			next[c]++
		}
	}
	return p
}
