package datasets

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// NoWord marks a word slot that holds no word; its embedding is zero.
const NoWord int32 = -1

// Shape gives the sizes and properties of a task that a model must know before
// it sees data. All sizes are maxima over every split. The tags are names for errors.
type Shape struct {
	Vocabulary int `what:"classes or words"` // O: answers are 0 .. O-1, and so are word ids unless batches carry items
	MaxRows    int `what:"rows of a memory"` // I: memory rows of the longest example
	RowWidth   int `what:"words of a row"`   // S: word slots of a memory row
	QueryWidth int `what:"words of a query"` // S_q: word slots of a query
	Answers    int `what:"answers"`          // A: answers per example (1 for PAI and bAbI)

	// QuerySlot is the word of a query, 0 to S_q-1, that an answer replaces in the next
	// query, for models whose queries keep S_q words (see MultiAnswer). With one answer it
	// has no meaning.
	QuerySlot int `json:",omitempty" what:"query slot"`

	// ItemDim is the number of features of an item. If above 0, every batch has Items, which
	// word ids index; 0 means one-hot words of the vocabulary.
	ItemDim int `json:",omitempty" what:"features of an item"`

	// Temporal says that the rows of an example are in chronological order, oldest first,
	// so that a model may add a time encoding.
	Temporal bool `what:"rows in time"`
}

// Batch is a minibatch of B examples in packed (ragged) form: the memory rows of all examples
// are concatenated, and example b has rows Offsets[b] to Offsets[b+1]-1.
//
// Packing is exact: in the padded form of the paper an empty row has a zero key, so it adds
// nothing to another row's logit through W_h, and its own logit is masked.
//
// A Source may reuse a batch; a model must not keep a reference to it or write to it.
type Batch struct {
	RowWidth int     // S
	Rows     []int32 // [R x S] word ids or NoWord, R = Offsets[B]
	Offsets  []int   // [B+1] first row of each example; Offsets[0] = 0

	QueryWidth int     // S_q
	Queries    []int32 // [B x S_q] word ids or NoWord

	Answers int     // A
	Targets []int32 // [B x A] the right answers

	Kinds []int32 // [B] index into Source.Kinds: query type or task id

	// Choices holds the answers offered in the query, [B x NumChoices]; nil if the task
	// offers none. For PAI they are the two shown items; two-alternative forced choice
	// accuracy is reported next to accuracy over all O answers.
	Choices    []int32
	NumChoices int

	// Items is the table of distinct items that the word ids in Rows and Queries index; nil
	// for a symbolic task with one-hot words. Targets and Choices are answers, 0 .. O-1, in
	// both cases.
	Items *Items
}

// Size returns B, the number of examples.
func (b *Batch) Size() int { return len(b.Kinds) }

// NumRows returns R, the total number of memory rows.
func (b *Batch) NumRows() int {
	if len(b.Offsets) == 0 {
		return 0
	}
	return b.Offsets[len(b.Offsets)-1]
}

// Reset empties the batch, keeping its storage, and sets its widths.
func (b *Batch) Reset(rowWidth, queryWidth, answers, choices int) {
	b.RowWidth, b.QueryWidth, b.Answers, b.NumChoices = rowWidth, queryWidth, answers, choices
	b.Rows, b.Queries, b.Targets, b.Kinds, b.Choices = b.Rows[:0], b.Queries[:0], b.Targets[:0], b.Kinds[:0], b.Choices[:0]
	b.Offsets = append(b.Offsets[:0], 0)
	b.Items = nil
}

// ResetFor is Reset with the widths of a shape and, where it has items, an empty table of them.
func (b *Batch) ResetFor(s Shape, choices int) {
	items := b.Items
	b.Reset(s.RowWidth, s.QueryWidth, s.Answers, choices)
	if s.ItemDim == 0 {
		return
	}
	if items == nil {
		items = new(Items)
	}
	items.Dim, items.Data = s.ItemDim, items.Data[:0]
	clear(items.rows)
	clear(items.vectors)
	b.Items = items
}

// Append appends the examples of another batch of the same widths; a batch without examples takes
// them from the other one. If both have items, those that are new are added to the table of b.
func (b *Batch) Append(other *Batch) {
	if b.Size() == 0 {
		b.RowWidth, b.QueryWidth, b.Answers, b.NumChoices = other.RowWidth, other.QueryWidth, other.Answers, other.NumChoices
		b.Offsets = append(b.Offsets[:0], 0)
	}
	for first, i := b.NumRows(), 1; i < len(other.Offsets); i++ {
		b.Offsets = append(b.Offsets, first+other.Offsets[i])
	}
	rows, queries := len(b.Rows), len(b.Queries)
	b.Rows, b.Queries = append(b.Rows, other.Rows...), append(b.Queries, other.Queries...)
	b.Targets, b.Kinds, b.Choices = append(b.Targets, other.Targets...), append(b.Kinds, other.Kinds...), append(b.Choices, other.Choices...)
	if b.Items == nil || other.Items == nil {
		return
	}
	for _, words := range [][]int32{b.Rows[rows:], b.Queries[queries:]} {
		for i, word := range words {
			if word != NoWord {
				words[i] = b.Items.Add(other.Items.Row(word))
			}
		}
	}
}

// RepeatMemory appends the memory of the last example once more, for another question about it.
func (b *Batch) RepeatMemory() {
	from, to := b.Offsets[len(b.Offsets)-2], b.NumRows()
	b.Rows = append(b.Rows, b.Rows[from*b.RowWidth:to*b.RowWidth]...)
	b.Offsets = append(b.Offsets, to+to-from)
}

// Part sets dst to the examples lo to hi-1 of b. It shares storage with b except for the
// offsets.
func (b *Batch) Part(dst *Batch, lo, hi int) {
	offsets := dst.Offsets[:0]
	first := b.Offsets[lo]
	for _, at := range b.Offsets[lo : hi+1] {
		offsets = append(offsets, at-first)
	}
	*dst = *b
	dst.Offsets = offsets
	dst.Rows = b.Rows[first*b.RowWidth : b.Offsets[hi]*b.RowWidth]
	dst.Queries = b.Queries[lo*b.QueryWidth : hi*b.QueryWidth]
	dst.Targets = b.Targets[lo*b.Answers : hi*b.Answers]
	dst.Kinds = b.Kinds[lo:hi]
	if b.Choices != nil {
		dst.Choices = b.Choices[lo*b.NumChoices : hi*b.NumChoices]
	}
}

// Validate returns the first violation of the shape or the format by b, with the example.
// Models may assume a valid batch.
func (b *Batch) Validate(s Shape) error {
	n, dim := b.Size(), 0
	if b.Items != nil {
		dim = b.Items.Dim
	}
	switch {
	case n == 0:
		return fmt.Errorf("batch: no examples")
	case b.RowWidth != s.RowWidth || b.QueryWidth != s.QueryWidth || b.Answers != s.Answers:
		return fmt.Errorf("batch: widths (row %d, query %d, answers %d) differ from the task's (%d, %d, %d)",
			b.RowWidth, b.QueryWidth, b.Answers, s.RowWidth, s.QueryWidth, s.Answers)
	case len(b.Offsets) != n+1 || b.Offsets[0] != 0:
		return fmt.Errorf("batch: %d offsets for %d examples, first must be 0", len(b.Offsets), n)
	case len(b.Rows) != b.NumRows()*b.RowWidth:
		return fmt.Errorf("batch: %d row words, want %d rows x %d", len(b.Rows), b.NumRows(), b.RowWidth)
	case len(b.Queries) != n*b.QueryWidth:
		return fmt.Errorf("batch: %d query words, want %d x %d", len(b.Queries), n, b.QueryWidth)
	case len(b.Targets) != n*b.Answers:
		return fmt.Errorf("batch: %d targets, want %d x %d", len(b.Targets), n, b.Answers)
	case len(b.Choices) != n*b.NumChoices:
		return fmt.Errorf("batch: %d choices, want %d x %d", len(b.Choices), n, b.NumChoices)
	case dim != s.ItemDim || b.Items != nil && dim < 1:
		return fmt.Errorf("batch: items of %d features, the task's have %d", dim, s.ItemDim)
	case b.Items != nil && len(b.Items.Data)%dim != 0:
		return fmt.Errorf("batch: item table of %d values, want a multiple of %d", len(b.Items.Data), dim)
	}
	words := s.Vocabulary
	if b.Items != nil {
		words = b.Items.Len()
	}
	for i := range n {
		rows := b.Offsets[i+1] - b.Offsets[i]
		if rows < 1 || rows > s.MaxRows {
			return fmt.Errorf("batch: example %d has %d memory rows, want 1 to %d", i, rows, s.MaxRows)
		}
		if err := cmp.Or(
			inRange("memory word", i, b.Rows[b.Offsets[i]*b.RowWidth:b.Offsets[i+1]*b.RowWidth], NoWord, words),
			inRange("query word", i, b.Queries[i*b.QueryWidth:(i+1)*b.QueryWidth], NoWord, words),
			inRange("target", i, b.Targets[i*b.Answers:(i+1)*b.Answers], 0, s.Vocabulary),
			inRange("choice", i, b.Choices[i*b.NumChoices:(i+1)*b.NumChoices], 0, s.Vocabulary),
		); err != nil {
			return err
		}
	}
	return nil
}

// ValidateFor is Validate, and checks that kinds are below a number and that targets are among the
// choices, if there are any.
func (b *Batch) ValidateFor(s Shape, kinds int) error {
	if err := b.Validate(s); err != nil {
		return err
	}
	for i, k := range b.Kinds {
		if k < 0 || int(k) >= kinds {
			return fmt.Errorf("example %d: kind %d of %d", i, k, kinds)
		}
		choices := b.Choices[i*b.NumChoices : (i+1)*b.NumChoices]
		for _, target := range b.Targets[i*b.Answers : (i+1)*b.Answers] {
			if len(choices) > 0 && !slices.Contains(choices, target) {
				return fmt.Errorf("example %d: target %d is not among the choices %v", i, target, choices)
			}
		}
	}
	return nil
}

func inRange(what string, example int, ids []int32, lo int32, hi int) error {
	for _, id := range ids {
		if id < lo || int(id) >= hi {
			return fmt.Errorf("batch: example %d: %s %d out of range [%d, %d)", example, what, id, lo, hi)
		}
	}
	return nil
}

// EmptyRows configures the insertion of empty rows into training examples.
type EmptyRows struct {
	Probability float64 // of an empty row before each row and after the last one
	MaxOffset   int     // maximum of a uniform number of further empty rows after the last row
	MaxRows     int     // of an example, empty rows included
}

// InsertEmptyRows inserts empty rows into every example of b, up to MaxRows rows. The age of a
// row then varies between repetitions of a story, so that a model cannot memorize stories by
// the ages of their rows (random noise, Sukhbaatar et al. 2015, section 4.2, with probability
// 0.1; random offset of all ages, Palm et al. 2018).
func (b *Batch) InsertEmptyRows(rng *rand.Rand, e EmptyRows) {
	rows, offsets, w := slices.Clone(b.Rows), slices.Clone(b.Offsets), b.RowWidth
	empty := slices.Repeat([]int32{NoWord}, w)
	b.Rows = b.Rows[:0]
	for i := range b.Size() {
		free := e.MaxRows - (offsets[i+1] - offsets[i])
		add := func() {
			b.Rows = append(b.Rows, empty...)
			free--
		}
		insert := func() {
			if free > 0 && rng.Float64() < e.Probability {
				add()
			}
		}
		for r := offsets[i]; r < offsets[i+1]; r++ {
			insert()
			b.Rows = append(b.Rows, rows[r*w:(r+1)*w]...)
		}
		insert()
		if e.MaxOffset > 0 {
			for range min(rng.IntN(e.MaxOffset+1), free) {
				add()
			}
		}
		b.Offsets[i+1] = len(b.Rows) / w
	}
}

// Items is a dense table of the distinct items (images) of a batch. Ids are valid only within
// the batch.
type Items struct {
	Dim  int       // features of an item, Shape.ItemDim
	Data []float32 // [U x Dim], row-major

	rows    map[int64]int32  // by key, see Find
	vectors map[string]int32 // by the bits of the features, see Add
	bits    []byte           // scratch of Add
}

// Len returns U, the number of items.
func (t *Items) Len() int { return len(t.Data) / max(t.Dim, 1) }

// Row returns item i, [Dim].
func (t *Items) Row(i int32) []float32 {
	at := int(i) * t.Dim
	return t.Data[at : at+t.Dim : at+t.Dim]
}

// Find returns the row of the item with a key. If there is none it appends an item and returns
// also its features for writing, else nil.
func (t *Items) Find(key int64) (id int32, unwritten []float32) {
	id, known := t.rows[key]
	if known {
		return id, nil
	}
	if t.rows == nil {
		t.rows = map[int64]int32{}
	}
	id = int32(t.Len())
	t.rows[key] = id
	n := len(t.Data)
	t.Data = slices.Grow(t.Data, t.Dim)[:n+t.Dim]
	return id, t.Data[n:]
}

// Add returns the row of a vector, which it appends if it is new: if the table has no row with
// the same bits.
func (t *Items) Add(x []float32) int32 {
	t.bits = t.bits[:0]
	for _, v := range x {
		t.bits = binary.LittleEndian.AppendUint32(t.bits, math.Float32bits(v))
	}
	id, known := t.vectors[string(t.bits)]
	if !known {
		if t.vectors == nil {
			t.vectors = map[string]int32{}
		}
		id = int32(t.Len())
		t.vectors[string(t.bits)] = id
		t.Data = append(t.Data, x...)
	}
	return id
}
