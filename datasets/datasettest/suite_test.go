package datasettest

import (
	"io"
	"iter"
	"strings"
	"sync/atomic"
	"testing"

	"memobench/datasets"
)

// toy is a valid source of one-row examples: word = 3*item + split, so that the splits share no
// word.
type toy struct{}

func (toy) Spec() datasets.Spec { return datasets.Spec{Task: "toy", Hash: "1"} }

func (toy) Shape() datasets.Shape {
	return datasets.Shape{Vocabulary: 3000, MaxRows: 1, RowWidth: 1, QueryWidth: 1, Answers: 1}
}

func (toy) Kinds() []string { return []string{"even", "odd"} }

func (toy) put(b *datasets.Batch, split datasets.Split, item uint64, kind int) {
	word := int32(item%1000)*3 + int32(split)
	b.Rows, b.Queries, b.Targets = append(b.Rows, word), append(b.Queries, word), append(b.Targets, word)
	b.Kinds, b.Choices = append(b.Kinds, int32(kind)), append(b.Choices, word)
	b.Offsets = append(b.Offsets, len(b.Rows))
}

func (s toy) Batch(dst *datasets.Batch, split datasets.Split, seed uint64, step, size int) error {
	if err := datasets.CheckBatchArgs(split, step, size); err != nil {
		return err
	}
	dst.Reset(1, 1, 1, 1)
	for i := range size {
		h, _ := datasets.StreamSeed("toy", split, seed, uint64(step)<<20|uint64(i))
		s.put(dst, split, h, i%2)
	}
	return nil
}

func (s toy) Examine(split datasets.Split, seed uint64, perKind, size int) iter.Seq2[*datasets.Batch, error] {
	return func(yield func(*datasets.Batch, error) bool) {
		err := datasets.CheckBatchArgs(split, 0, size)
		if perKind <= 0 {
			err = datasets.ErrEndless
		}
		if err != nil {
			yield(nil, err)
			return
		}
		var b datasets.Batch
		b.Reset(1, 1, 1, 1)
		for i := range 2 * perKind {
			h, _ := datasets.StreamSeed("toy examine", split, seed, uint64(i))
			s.put(&b, split, h, i/perKind)
			if b.Size() == size || i == 2*perKind-1 {
				if !yield(&b, nil) {
					return
				}
				b.Reset(1, 1, 1, 1)
			}
		}
	}
}

// broken is a toy with one fault.
type broken struct {
	toy
	spec    func(datasets.Spec) datasets.Spec
	batch   func(b *datasets.Batch, split datasets.Split, seed uint64, step, size int) error
	examine func(split datasets.Split, seed uint64, perKind, size int) iter.Seq2[*datasets.Batch, error]
}

func (s broken) Spec() datasets.Spec {
	if s.spec != nil {
		return s.spec(s.toy.Spec())
	}
	return s.toy.Spec()
}

func (s broken) Batch(b *datasets.Batch, split datasets.Split, seed uint64, step, size int) error {
	if s.batch != nil {
		return s.batch(b, split, seed, step, size)
	}
	return s.toy.Batch(b, split, seed, step, size)
}

func (s broken) Examine(split datasets.Split, seed uint64, perKind, size int) iter.Seq2[*datasets.Batch, error] {
	if s.examine != nil {
		return s.examine(split, seed, perKind, size)
	}
	return s.toy.Examine(split, seed, perKind, size)
}

func suiteOf(s datasets.Source) Suite {
	return Suite{
		New: func() (datasets.Source, error) { return s, nil },
		Items: func(b *datasets.Batch) []string {
			var keys []string
			for _, w := range b.Rows {
				keys = append(keys, string(rune(w)))
			}
			return keys
		},
	}.withDefaults()
}

func TestRightSourcePasses(t *testing.T) { Run(t, suiteOf(toy{})) }

// Every check must detect a source with its fault.
func TestChecksCatchFaults(t *testing.T) {
	var calls atomic.Int64
	faults := map[string]broken{
		"describes itself": {spec: func(s datasets.Spec) datasets.Spec { s.Hash = ""; return s }},
		"batches are valid": {batch: func(b *datasets.Batch, split datasets.Split, seed uint64, step, size int) error {
			err := toy{}.Batch(b, split, seed, step, size)
			b.Targets[0] = 3000
			return err
		}},
		"same arguments give the same batch": {batch: func(b *datasets.Batch, split datasets.Split, seed uint64, step, size int) error {
			return toy{}.Batch(b, split, uint64(calls.Add(1)), step, size)
		}},
		"other seeds, steps and splits give other batches": {batch: func(b *datasets.Batch, split datasets.Split, seed uint64, step, size int) error {
			return toy{}.Batch(b, split, seed+uint64(step), 0, size)
		}},
		"bad arguments are refused": {batch: func(b *datasets.Batch, split datasets.Split, seed uint64, step, size int) error {
			return toy{}.Batch(b, split, seed, max(step, 0), size)
		}},
		"splits share no item": {batch: func(b *datasets.Batch, split datasets.Split, seed uint64, step, size int) error {
			return toy{}.Batch(b, datasets.Train, seed, step, size)
		}},
		"kinds have their shares of training batches": {batch: func(b *datasets.Batch, split datasets.Split, seed uint64, step, size int) error {
			err := toy{}.Batch(b, split, seed, step, size)
			for i := range b.Kinds {
				b.Kinds[i] = int32(min(i%5, 1))
			}
			return err
		}},
		"examine is stable": {examine: func(split datasets.Split, seed uint64, perKind, size int) iter.Seq2[*datasets.Batch, error] {
			return toy{}.Examine(split, seed+uint64(size), perKind, size)
		}},
		"examine is balanced and in order": {examine: func(split datasets.Split, seed uint64, perKind, size int) iter.Seq2[*datasets.Batch, error] {
			return toy{}.Examine(split, seed, perKind+1, size)
		}},
	}
	for _, c := range checks {
		fault, ok := faults[c.Name]
		if !ok {
			if c.Name != "examine stops early" && c.Name != "optional promises are kept" { // tested below
				t.Errorf("no fault for the check %q", c.Name)
			}
			continue
		}
		if err := suiteOf(fault).run(c.Run); err == nil {
			t.Errorf("%q passes a source with that fault", c.Name)
		}
	}
}

func TestIteratorThatGoesOnIsCaught(t *testing.T) {
	s := suiteOf(broken{examine: func(split datasets.Split, seed uint64, perKind, size int) iter.Seq2[*datasets.Batch, error] {
		return func(yield func(*datasets.Batch, error) bool) {
			for b, err := range (toy{}).Examine(split, seed, perKind, size) {
				yield(b, err)
			}
		}
	}})
	defer func() {
		if recover() == nil {
			t.Error("an iterator that continues after its loop was left is not caught")
		}
	}()
	_ = s.run(examineStops)
}

// offers is a toy with all optional interfaces, each with an optional fault.
type offers struct {
	toy
	names     []string
	slot      int
	ambiguous bool
	accept    func(target, answer int32) (whole, part bool)
	text      string
}

func (o offers) AnswerNames() []string { return o.names }
func (o offers) Ambiguous() bool       { return o.ambiguous }

func (o offers) Shape() datasets.Shape {
	s := o.toy.Shape()
	s.QuerySlot = o.slot
	return s
}

func (o offers) Accepts(b *datasets.Batch, i int, answers []int32, each []bool) (whole bool) {
	whole, each[0] = o.accept(b.Targets[i], answers[0])
	return whole
}

func (o offers) Print(w io.Writer, b *datasets.Batch, i int) error {
	_, err := io.WriteString(w, o.text)
	return err
}

func TestBrokenOptionalPromisesAreCaught(t *testing.T) {
	right := func() offers {
		return offers{
			names:  []string{"node 1"},
			accept: func(target, answer int32) (bool, bool) { return target == answer, target == answer },
			text:   "text",
		}
	}
	if err := suiteOf(right()).run(optionalPromisesAreKept); err != nil {
		t.Fatalf("a right source: %v", err)
	}
	for want, fault := range map[string]func(o *offers){
		"answers are named":         func(o *offers) { o.names = nil },
		"go to word 99":             func(o *offers) { o.slot = 99 },
		"are not accepted":          func(o *offers) { o.accept = func(_, _ int32) (bool, bool) { return false, true } },
		"but its parts are":         func(o *offers) { o.accept = func(a, b int32) (bool, bool) { return true, a == b } },
		"as well as the only right": func(o *offers) { o.accept = func(_, _ int32) (bool, bool) { return true, true } },
		"printed an example as":     func(o *offers) { o.text = "" },
	} {
		o := right()
		fault(&o)
		if err := suiteOf(o).run(optionalPromisesAreKept); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want ...%s...", err, want)
		}
	}
	o := right()
	o.ambiguous, o.accept = true, func(_, _ int32) (bool, bool) { return true, true }
	if err := suiteOf(o).run(optionalPromisesAreKept); err != nil {
		t.Errorf("an ambiguous source that takes several answers: %v", err)
	}
}
