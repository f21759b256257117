package file

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"memobench/datasets"
	"memobench/datasets/binfile"
	"memobench/datasets/export"
	"memobench/datasets/npz"
	"memobench/datasets/strictjson"
)

// Limits on the size of a header and of any other file, in bytes.
const (
	maxHeader = 64 << 20
	maxFile   = 8 << 30
)

// part holds the examples of one split.
type part struct {
	examples datasets.Batch // all; words index examples.Items, the whole table
	ofKind   [][]int        // examples by kind, in the order of the file
}

// reader reads the files of a directory.
type reader struct {
	dir, only string // only is the one file of examples to read; empty for all
	header    *export.Header
	shape     datasets.Shape
	choices   int // of every example; -1 before the first
	digests   []string
}

// newReader reads the header of a directory, or of that of a file in it.
func newReader(path string) (*reader, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("the data path %s: %w", path, errors.Unwrap(err)) // without the name of the system call
	}
	r := &reader{dir: path, choices: -1}
	if !info.IsDir() {
		r.dir, r.only = filepath.Split(path)
		r.dir, r.only = filepath.Clean(r.dir), strings.TrimSuffix(r.only, export.HeaderName)
	}
	name := filepath.Join(r.dir, export.HeaderName)
	content, err := binfile.ReadText(name, maxHeader)
	if err != nil {
		return nil, fmt.Errorf("no header of the data: %w", err)
	}
	if r.header, err = export.ParseHeader([]byte(content)); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	r.shape = datasets.Shape(r.header.Shape)
	return r, nil
}

// file returns the file of a split with the first of some contents that it has; nil if there is none.
func (r *reader) file(split datasets.Split, contents ...string) *export.File {
	for _, content := range contents {
		for i := range r.header.Files {
			f := &r.header.Files[i]
			if f.Split == split.String() && f.Content == content && (r.only == "" || r.only == f.Name || content == export.Items) {
				return f
			}
		}
	}
	return nil
}

// unread lists the files of examples or items in the directory that the header does not list.
func (r *reader) unread() (names []string, err error) {
	entries, err := os.ReadDir(filepath.Clean(r.dir))
	for _, e := range entries {
		listed := slices.ContainsFunc(r.header.Files, func(f export.File) bool { return f.Name == e.Name() })
		if ext := filepath.Ext(e.Name()); !listed && slices.Contains([]string{".jsonl", ".npz", ".npy"}, ext) {
			names = append(names, e.Name())
		}
	}
	return names, err
}

// read reads a file and compares it with the header.
func (r *reader) read(f *export.File) (path string, data []byte, err error) {
	path = filepath.Join(r.dir, f.Name)
	if data, err = binfile.ReadFile(path, maxFile); err != nil {
		return path, nil, err
	}
	digest := fmt.Sprintf("%x", sha256.Sum256(data))
	if f.SHA256 != "" && f.SHA256 != digest {
		return path, nil, fmt.Errorf("%s: SHA-256 %s, %s says %s: the file was changed", path, digest, export.HeaderName, f.SHA256)
	}
	r.digests = append(r.digests, f.Split+" "+f.Content+" "+digest)
	return path, data, nil
}

// load reads the examples of a split.
func (r *reader) load(split datasets.Split, f *export.File) (*part, error) {
	p := &part{ofKind: make([][]int, len(r.header.Kinds))}
	b := &p.examples
	b.Reset(r.shape.RowWidth, r.shape.QueryWidth, r.shape.Answers, 0)
	if r.shape.ItemDim > 0 {
		if err := r.loadItems(split, p); err != nil {
			return nil, err
		}
	}
	path, data, err := r.read(f)
	if err != nil {
		return nil, err
	}
	if err := r.examples(b, path, f, data); err != nil {
		return nil, err
	}
	if n := b.Size(); n == 0 || f.Count != 0 && n != f.Count {
		return nil, fmt.Errorf("%s: %d examples, %s says %d", path, n, export.HeaderName, f.Count)
	}
	for i, k := range b.Kinds {
		p.ofKind[k] = append(p.ofKind[k], i)
	}
	return p, nil
}

// loadItems reads the table of a split's items, [items x features].
func (r *reader) loadItems(split datasets.Split, p *part) error {
	f := r.file(split, export.Items)
	if f == nil {
		return fmt.Errorf("%s: no file with the items of the %v split", filepath.Join(r.dir, export.HeaderName), split)
	}
	path, data, err := r.read(f)
	if err != nil {
		return err
	}
	table, err := npz.Parse(data)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	dim := r.shape.ItemDim
	if table.Floats == nil || len(table.Shape) != 2 || table.Shape[1] != dim {
		return fmt.Errorf("%s: shape %v, want float32 [items x %d]", path, table.Shape, dim)
	}
	p.examples.Items = &datasets.Items{Dim: dim, Data: table.Floats}
	for i, x := range table.Floats {
		if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
			return fmt.Errorf("%s: feature %d of item %d is %v", path, i%dim, i/dim, x)
		}
	}
	return nil
}

// examples reads a file of examples. Errors name file and line, or file and array.
func (r *reader) examples(b *datasets.Batch, path string, f *export.File, data []byte) error {
	if f.Content == export.Examples {
		return r.lines(b, path, f, data)
	}
	if err := r.arrays(b, f, data); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// lines reads JSON lines. Errors name file and line.
func (r *reader) lines(b *datasets.Batch, path string, f *export.File, data []byte) error {
	content, err := binfile.Text(data)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	n := 0
	for line := range strings.Lines(content) {
		e := new(export.Example)
		err := strictjson.Decode([]byte(strings.TrimSpace(line)), e)
		if id := f.IDs + strconv.Itoa(n); err == nil && f.IDs != "" && e.ID != id {
			err = fmt.Errorf("id %q, want %q", e.ID, id)
		}
		if err == nil {
			err = r.add(b, e)
		}
		n++
		if err != nil {
			return fmt.Errorf("%s:%d: %w", path, n, err)
		}
	}
	return nil
}

// add appends an example, if it is right.
func (r *reader) add(b *datasets.Batch, e *export.Example) error {
	kind := slices.Index(r.header.Kinds, e.Kind)
	if kind < 0 {
		return fmt.Errorf("kind %q: want one of %q", e.Kind, r.header.Kinds)
	}
	for i, row := range e.Rows {
		if len(row) != b.RowWidth {
			return fmt.Errorf("row %d has %d words, want %d", i+1, len(row), b.RowWidth)
		}
		b.Rows = append(b.Rows, row...)
	}
	if len(e.Query) != b.QueryWidth || len(e.Targets) != b.Answers {
		return fmt.Errorf("%d words of the query and %d answers, want %d and %d", len(e.Query), len(e.Targets), b.QueryWidth, b.Answers)
	}
	if err := r.setChoices(b, len(e.Choices)); err != nil {
		return err
	}
	b.Offsets = append(b.Offsets, b.NumRows()+len(e.Rows))
	b.Queries, b.Targets, b.Choices = append(b.Queries, e.Query...), append(b.Targets, e.Targets...), append(b.Choices, e.Choices...)
	b.Kinds = append(b.Kinds, int32(kind))
	var one datasets.Batch
	b.Part(&one, b.Size()-1, b.Size())
	return one.ValidateFor(r.shape, len(r.header.Kinds))
}

// setChoices sets the number of choices, which is that of every example of every split.
func (r *reader) setChoices(b *datasets.Batch, n int) error {
	if r.choices < 0 {
		r.choices = n
	}
	if n != r.choices {
		return fmt.Errorf("%d choices, the examples before have %d", n, r.choices)
	}
	b.NumChoices = n
	return nil
}

// arrays reads an .npz file.
func (r *reader) arrays(b *datasets.Batch, f *export.File, data []byte) error {
	arrays, err := npz.ParseArchive(data, maxFile)
	if err != nil {
		return err
	}
	var offsets, ids []int32
	choices := 0
	if a := arrays["choices"]; a != nil && len(a.Shape) == 2 {
		choices = a.Shape[1]
	}
	for _, a := range []struct {
		name  string
		width int // 0 for one axis
		to    *[]int32
	}{{"ids", 0, &ids}, {"offsets", 0, &offsets}, {"kinds", 0, &b.Kinds}, {"rows", b.RowWidth, &b.Rows}, {"queries", b.QueryWidth, &b.Queries},
		{"targets", b.Answers, &b.Targets}, {"choices", choices, &b.Choices}} {
		array := arrays[a.name]
		if array == nil && (a.name == "ids" || a.name == "choices") {
			continue
		}
		if array == nil || array.Ints == nil || len(array.Shape) == 0 || len(array.Shape) > 2 || len(array.Shape) == 2 && array.Shape[1] != a.width {
			return fmt.Errorf("array %s: want integers in rows of %d", a.name, a.width)
		}
		*a.to = make([]int32, len(array.Ints))
		for i, x := range array.Ints {
			if (*a.to)[i] = int32(x); int64(int32(x)) != x {
				return fmt.Errorf("array %s: element %d is %d, want less than 2^31", a.name, i, x)
			}
		}
	}
	if err := r.setChoices(b, choices); err != nil {
		return err
	}
	if len(offsets) == 0 || !slices.IsSorted(offsets) || int(offsets[len(offsets)-1])*b.RowWidth != len(b.Rows) {
		return fmt.Errorf("array offsets: want %d ascending numbers that end with the number of rows", b.Size()+1)
	}
	b.Offsets = b.Offsets[:0]
	for _, at := range offsets {
		b.Offsets = append(b.Offsets, int(at))
	}
	var have []byte
	for _, c := range ids {
		have = append(have, byte(c))
	}
	if f.IDs != "" && string(have) != f.IDs {
		return fmt.Errorf("array ids: %.100q, want %q", have, f.IDs)
	}
	return b.ValidateFor(r.shape, len(r.header.Kinds))
}

// Check reads all files of a directory in the export format, or one of them, to the end and writes what
// it found.
func Check(w io.Writer, path string) error {
	r, err := newReader(path)
	if err != nil {
		return err
	}
	h := r.header
	fmt.Fprintf(w, "%s: %s, kinds %s\n", r.dir, h.Task, strings.Join(h.Kinds, ", "))
	found := r.only == ""
	for i := range h.Files {
		f := &h.Files[i]
		if r.only != "" && r.only != f.Name {
			continue
		}
		found = true
		split, _ := datasets.ParseSplit(f.Split) // the header was checked
		if f.Content != export.Examples && f.Content != export.Arrays {
			if _, _, err := r.read(f); err != nil {
				return err
			}
			continue
		}
		p, err := r.load(split, f)
		if err != nil {
			return err
		}
		var kinds []string
		for k, list := range p.ofKind {
			kinds = append(kinds, fmt.Sprintf("%d %s", len(list), h.Kinds[k]))
		}
		fmt.Fprintf(w, "%s: %d %v examples (%s), no errors\n", filepath.Join(r.dir, f.Name), p.examples.Size(), split, strings.Join(kinds, ", "))
	}
	if !found {
		return fmt.Errorf("%s: %s does not list it", path, export.HeaderName)
	}
	return nil
}
