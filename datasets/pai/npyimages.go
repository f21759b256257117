package pai

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"

	"memobench/datasets"
	"memobench/datasets/npy"
)

// npyImages implements images with the rows of .npy files.
type npyImages struct {
	scale      string
	dim        int
	numClasses int // highest class id plus one
	duplicates int // rows left out
	digest     string
	files      []*npyFile
	parts      [3]npyPart
}

// npyFile is an array of embeddings with the classes of its rows.
type npyFile struct {
	items   *npy.Array // [N x dim]
	classes []int32    // [N]
}

// npyPart holds the items of one split.
type npyPart struct {
	file     *npyFile
	rows     []int32 // of the file, sorted by class
	start    []int32 // [classes+1] offset of each class in rows
	nonempty []int32 // classes with rows
	absent   error   // why the split is unavailable, or nil
}

// splits in the order in which their items are read. Of equal items the first one is kept, so
// the test split does not depend on the other splits.
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
		// In a single file the content of a row decides its split.
		if err := loader.load(whole, func(k itemKey) datasets.Split { return datasets.SplitByHash(binary.BigEndian.Uint64(k[:])) }); err != nil {
			return nil, err
		}
	} else if err := loader.loadEach(dir); err != nil {
		return nil, err
	}
	for _, split := range splits {
		p := &im.parts[split]
		if n := len(p.nonempty); p.absent == nil && n < memory.numItems() {
			p.absent = fmt.Errorf("%s: %v items of %d classes: too few for a memory, which takes %d sequences x %d", dir, split, n, memory.sequences, memory.length)
			if most := n / memory.length; most >= minSequences {
				p.absent = fmt.Errorf("%w; --set sequences=%d", p.absent, most)
			}
		}
	}
	im.digest = hex.EncodeToString(loader.sum.Sum(nil))
	return im, nil
}

func npyOf(dir string, split datasets.Split) string {
	return filepath.Join(dir, split.String()+".npy")
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// open reads the headers of a pair of files and the classes.
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
	if err != nil { // %v: items without classes are not ErrNotExist
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

func (im *npyImages) close() {
	for _, f := range im.files {
		f.items.Close()
	}
}

// describe states the numbers of items and classes of each split.
func (im *npyImages) describe() []string {
	var parts []string
	for _, split := range []datasets.Split{datasets.Train, datasets.Validation, datasets.Test} {
		if p := &im.parts[split]; p.absent == nil {
			parts = append(parts, fmt.Sprintf("%v: %d items of %d classes", split, len(p.rows), len(p.nonempty)))
		}
	}
	return parts
}

func (im *npyImages) classes(split datasets.Split) ([]int32, error) {
	p := &im.parts[split]
	return p.nonempty, p.absent
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

// readRow reads a row, checks that it is finite and scales it.
func (im *npyImages) readRow(dst []float32, f *npyFile, row int64) error {
	first := row * int64(im.dim)
	if err := f.items.Float32(dst, first); err != nil {
		return err
	}
	if j := firstNotFinite(dst); j >= 0 {
		return &npy.Error{File: f.items.Name(), Offset: f.items.Offset(first + int64(j)), Problem: fmt.Sprintf("feature %d of item %d is %v", j, row, dst[j])}
	}
	if im.scale == scaleUnit && !scaleToUnit(dst) {
		return &npy.Error{File: f.items.Name(), Offset: f.items.Offset(first), Problem: fmt.Sprintf("item %d is zero and has no direction; --set scale=%s takes it as it is", row, scaleRaw)}
	}
	return nil
}
