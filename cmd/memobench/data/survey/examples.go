package survey

import (
	"math"

	"memobench/datasets"
	"memobench/datasets/shortestpath"
)

// Examples are the numbers of some examples of a task.
type Examples struct {
	Task        string            `json:"task"`
	Settings    map[string]string `json:"settings"`
	Fingerprint string            `json:"fingerprint"`
	Labels      []string          `json:"labels"`
	Path        string            `json:"path,omitempty"` // of the file that they are from
	Split       string            `json:"split"`
	Seed        uint64            `json:"seed"`
	Examples    int               `json:"examples"`

	Kinds   []Kind  `json:"kinds"`
	Rows    Range   `json:"rows"`            // of a memory
	Words   int     `json:"words"`           // distinct ones in rows; of a vocabulary, not items
	Items   *Items  `json:"items,omitempty"` // of examples with dense items
	Answers Answers `json:"answers"`
	Paths   *Paths  `json:"paths,omitempty"` // of shortest path

	src    datasets.Source
	words  map[int32]int
	labels map[int32]int // answers
	rows   int
}

// Kind is a query type and how many examples are of it.
type Kind struct {
	Kind     string `json:"kind"`
	Examples int    `json:"examples"`
}

// Range is the least, the mean and the most of some numbers.
type Range struct {
	Fewest int     `json:"fewest"`
	Mean   float64 `json:"mean"`
	Most   int     `json:"most"`
}

// Items are the numbers of dense items.
type Items struct {
	Features int     `json:"features"`
	PerBatch float64 `json:"per_batch"`      // distinct ones of 64 examples, mean
	Length   float64 `json:"squared_length"` // mean
	batches  int
	seen     int
	sum      float64
}

// Answers are the numbers of right answers, and what can be had without knowing
// anything or by knowing all that the memory says. Shares are 0 to 1.
type Answers struct {
	Of           int     `json:"of"`                // different answers that there may be
	Distinct     int     `json:"distinct"`          // that there are
	MostFrequent float64 `json:"most_frequent"`     // share of the most frequent one
	Shown        int     `json:"shown,omitempty"`   // answers offered in the query
	First        float64 `json:"first,omitempty"`   // share in which the first one offered is right
	Chance       float64 `json:"chance"`            // share by guessing among all
	Ceiling      float64 `json:"ceiling,omitempty"` // share that the memory determines; absent where that is not known
	first        int
	sure         float64
	known        bool
}

// Paths are the numbers of shortest paths.
type Paths struct {
	Lengths  map[int]int `json:"lengths"`  // edges of the shortest path, and examples
	Shortest map[int]int `json:"shortest"` // number of shortest paths, and examples
	Nodes    []float64   `json:"nodes"`    // ceiling of each node, 0 to 1
}

// newExamples begins a count of the source's examples.
func newExamples(src datasets.Source) *Examples {
	spec, shape := src.Spec(), src.Shape()
	e := &Examples{Task: spec.Task, Settings: spec.Settings, Fingerprint: spec.Hash, Labels: append([]string{}, spec.Labels...),
		src: src, words: map[int32]int{}, labels: map[int32]int{}}
	for _, k := range src.Kinds() {
		e.Kinds = append(e.Kinds, Kind{Kind: k})
	}
	e.Rows.Fewest = math.MaxInt
	e.Answers.Of = shape.Vocabulary
	e.Answers.Chance = 1 / float64(shape.Vocabulary)
	if _, ok := src.(pathed); ok {
		e.Paths = &Paths{Lengths: map[int]int{}, Shortest: map[int]int{}, Nodes: make([]float64, shape.Answers)}
	}
	return e
}

// Sources of which more is known.
type (
	pathed interface {
		Paths(b *datasets.Batch, i int) (shortestpath.Paths, error)
	}
	verified interface {
		Verify(b *datasets.Batch, i int) error
	}
)

// add counts the first n examples of a batch.
func (e *Examples) add(b *datasets.Batch, n int) error {
	e.Answers.Shown = b.NumChoices
	for i, k := range b.Kinds[:n] {
		e.Examples++
		e.Kinds[k].Examples++
		rows := b.Offsets[i+1] - b.Offsets[i]
		e.Rows.Fewest, e.Rows.Most, e.rows = min(e.Rows.Fewest, rows), max(e.Rows.Most, rows), e.rows+rows
		for _, t := range b.Targets[i*b.Answers : (i+1)*b.Answers] {
			e.labels[t]++
		}
		if b.NumChoices > 0 && b.Choices[i*b.NumChoices] == b.Targets[i*b.Answers] {
			e.Answers.first++
		}
		if err := e.ceiling(b, i); err != nil {
			return err
		}
	}
	if b.Items == nil {
		for _, w := range b.Rows[:b.Offsets[n]*b.RowWidth] {
			if w != datasets.NoWord {
				e.words[w]++
			}
		}
	} else if b.Items.Dim > 1 { // files of examples are read without features
		e.items(b.Items)
	}
	return nil
}

// ceiling adds what is known of how sure the answer is.
func (e *Examples) ceiling(b *datasets.Batch, i int) error {
	switch src := e.src.(type) {
	case pathed:
		p, err := src.Paths(b, i)
		if err != nil {
			return err
		}
		e.Paths.Lengths[p.Length]++
		e.Paths.Shortest[int(p.Shortest)]++
		e.Answers.known = true
		e.Answers.sure += p.Whole
		for a := range min(len(p.Nodes), len(e.Paths.Nodes)) {
			e.Paths.Nodes[a] += p.Nodes[a]
		}
	case verified:
		if b.NumChoices > 0 {
			e.Answers.known = true
			if src.Verify(b, i) == nil {
				e.Answers.sure++
			}
		}
	}
	return nil
}

func (e *Examples) items(t *datasets.Items) {
	if e.Items == nil {
		e.Items = &Items{Features: t.Dim}
	}
	e.Items.batches++
	e.Items.seen += t.Len()
	for _, x := range t.Data {
		e.Items.sum += float64(x) * float64(x)
	}
}

// finish turns sums into means.
func (e *Examples) finish() *Examples {
	if e.Examples == 0 {
		e.Rows.Fewest = 0
		return e
	}
	n := float64(e.Examples)
	e.Rows.Mean = float64(e.rows) / n
	e.Words = len(e.words)
	e.Answers.Distinct = len(e.labels)
	most, all := 0, 0
	for _, count := range e.labels {
		most, all = max(most, count), all+count
	}
	e.Answers.MostFrequent = float64(most) / float64(all)
	if e.Answers.Shown > 0 {
		e.Answers.First = float64(e.Answers.first) / n
	}
	if e.Answers.known {
		e.Answers.Ceiling = e.Answers.sure / n
	}
	if e.Paths != nil {
		for a := range e.Paths.Nodes {
			e.Paths.Nodes[a] /= n
		}
	}
	if e.Items != nil {
		e.Items.PerBatch = float64(e.Items.seen) / float64(e.Items.batches)
		e.Items.Length = e.Items.sum / float64(e.Items.seen)
	}
	return e
}
