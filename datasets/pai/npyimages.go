package pai

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"

	"memobench/datasets"
	"memobench/datasets/npy"
)

// npyImages are the rows of .npy files.
type npyImages struct {
	scale      string
	dim        int
	numClasses int // highest class id and one
	copies     int // rows left out
	digest     string
	files      []*npyFile
	parts      [3]npyPart
}

// npyFile is an array of embeddings with the classes of its rows.
type npyFile struct {
	items   *npy.Array // [N x dim]
	classes []int32    // [N]
}

// npyPart is what one split has.
type npyPart struct {
	file   *npyFile
	rows   []int32 // of the file, class after class
	start  []int32 // [classes+1] where the rows of each class begin in rows
	some   []int32 // classes with rows
	absent error   // why the split cannot be served, or nil
}

// splits in the order in which their items are taken: of two equal items, the
// later is left out, so that the test split is the same whatever else is there.
var splits = []datasets.Split{datasets.Test, datasets.Validation, datasets.Train}

const (
	npyWhole     = "embeddings.npy"
	npyClasses   = "classes.npy"
	classesAfter = "_classes.npy"
	maxNpyRows   = math.MaxInt32
)

// openNpyImages reads one pair of files for all splits, or one for each, for
// memories of the given layout.
func openNpyImages(dir, scale string, memory layout) (_ *npyImages, err error) {
	im := &npyImages{scale: scale}
	defer func() {
		if err != nil {
			im.close()
		}
	}()
	loader := &npyLoader{images: im, sum: sha256.New(), seen: map[itemKey]bool{}}
	whole, err := im.open(filepath.Join(dir, npyWhole), filepath.Join(dir, npyClasses))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if err == nil {
		for _, split := range splits {
			if also := npyOf(dir, split); exists(also) {
				return nil, fmt.Errorf("%s and %s are both there: keep one file for all splits, or one for each", whole.items.Name(), also)
			}
		}
		// Of a single file the split of a row is by what is in it.
		if err := loader.load(whole, func(k itemKey) datasets.Split { return datasets.SplitByHash(k.hash()) }); err != nil {
			return nil, err
		}
	} else if err := loader.loadEach(dir); err != nil {
		return nil, err
	}
	for _, split := range splits {
		p := &im.parts[split]
		if n := len(p.some); p.absent == nil && n < memory.numItems() {
			p.absent = fmt.Errorf("%s: %v items of %d classes: too few for a memory, which takes %d sequences x %d", dir, split, n, memory.sequences, memory.length)
			if most := n / memory.length; most >= minSequences {
				p.absent = fmt.Errorf("%w; --set sequences=%d", p.absent, most)
			}
		}
	}
	im.digest = hex.EncodeToString(loader.sum.Sum(nil))
	return im, nil
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

func npyOf(dir string, split datasets.Split) string {
	return filepath.Join(dir, split.String()+".npy")
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// open reads the headers of a pair of files and all classes.
func (im *npyImages) open(itemsPath, classesPath string) (*npyFile, error) {
	items, err := npy.Open(itemsPath)
	if err != nil {
		return nil, err
	}
	f := &npyFile{items: items}
	im.files = append(im.files, f)
	shape := items.Shape()
	if len(shape) != 2 || shape[0] < 1 || shape[0] > maxNpyRows || shape[1] < 1 || shape[1] > maxFeatures {
		return nil, fmt.Errorf("%s: shape %v, want [items x features], 1 to %d x 1 to %d", itemsPath, shape, maxNpyRows, maxFeatures)
	}
	if im.dim != 0 && im.dim != shape[1] {
		return nil, fmt.Errorf("%s: %d features, %s has %d", itemsPath, shape[1], im.files[0].items.Name(), im.dim)
	}
	im.dim = shape[1]

	classes, err := npy.Open(classesPath)
	if err != nil { // not as if there were no items
		return nil, fmt.Errorf("classes of %s: %v", itemsPath, err)
	}
	defer classes.Close()
	if s := classes.Shape(); len(s) != 1 || s[0] != shape[0] {
		return nil, fmt.Errorf("%s: shape %v, want one class for each of the %d items of %s", classesPath, s, shape[0], itemsPath)
	}
	f.classes = make([]int32, shape[0])
	var block [1024]int64
	for at := 0; at < len(f.classes); {
		ids := block[:min(len(block), len(f.classes)-at)]
		if err := classes.Int64(ids, int64(at)); err != nil {
			return nil, err
		}
		for _, id := range ids {
			if id < 0 || id >= maxClasses {
				return nil, &npy.Error{File: classesPath, Offset: classes.Offset(int64(at)), Problem: fmt.Sprintf("class %d, want 0 to %d", id, maxClasses-1)}
			}
			im.numClasses = max(im.numClasses, int(id)+1)
			f.classes[at] = int32(id)
			at++
		}
	}
	return f, nil
}

// itemKey stands for the features of an item.
type itemKey [16]byte

// hash returns 64 bits of the key.
func (k itemKey) hash() uint64 {
	h := uint64(0)
	for _, b := range k[:8] {
		h = h<<8 | uint64(b)
	}
	return h
}

// npyLoader passes once over all items.
type npyLoader struct {
	images *npyImages
	sum    hash.Hash // of all items and their classes
	seen   map[itemKey]bool
	bytes  []byte
}

// load gives each row of a file that is no copy of an earlier one to a split.
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
			im.copies++
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
	l.bytes = l.bytes[:0]
	for _, x := range item {
		b := math.Float32bits(x)
		l.bytes = append(l.bytes, byte(b), byte(b>>8), byte(b>>16), byte(b>>24))
	}
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
			p.some = append(p.some, int32(c))
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

func (im *npyImages) close() {
	for _, f := range im.files {
		f.items.Close()
	}
}

// describe says what each split has.
func (im *npyImages) describe() []string {
	var parts []string
	for _, split := range []datasets.Split{datasets.Train, datasets.Validation, datasets.Test} {
		if p := &im.parts[split]; p.absent == nil {
			parts = append(parts, fmt.Sprintf("%v: %d items of %d classes", split, len(p.rows), len(p.some)))
		}
	}
	return parts
}

func (im *npyImages) classes(split datasets.Split) ([]int32, error) {
	p := &im.parts[split]
	return p.some, p.absent
}

func (im *npyImages) count(split datasets.Split, class int32) int {
	p := &im.parts[split]
	return int(p.start[class+1] - p.start[class])
}

func (im *npyImages) number(split datasets.Split, class int32, i int) int64 {
	p := &im.parts[split]
	return int64(p.rows[int(p.start[class])+i])
}

func (im *npyImages) read(dst []float32, split datasets.Split, number int64) error {
	return im.readRow(dst, im.parts[split].file, number)
}

// readRow reads one row, checks and scales it.
func (im *npyImages) readRow(dst []float32, f *npyFile, row int64) error {
	first := row * int64(im.dim)
	if err := f.items.Float32(dst, first); err != nil {
		return err
	}
	if j := firstNotFinite(dst); j >= 0 {
		return &npy.Error{File: f.items.Name(), Offset: f.items.Offset(first + int64(j)), Problem: fmt.Sprintf("feature %d of item %d is %v", j, row, dst[j])}
	}
	if im.scale == ScaleUnit && !scaleToUnit(dst) {
		return &npy.Error{File: f.items.Name(), Offset: f.items.Offset(first), Problem: fmt.Sprintf("item %d is zero and has no direction; --set scale=%s takes it as it is", row, ScaleRaw)}
	}
	return nil
}
