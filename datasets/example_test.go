package datasets_test

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"testing"

	"memobench/datasets"
	"memobench/datasets/datasettest"
)

// parity is a whole task: a memory of single words, 0 and 1, and the question whether
// there is an even or an odd number of ones. Its only setting is the number of rows.
type parity struct {
	Rows int `yaml:"rows" doc:"rows of a memory"`
}

func (p *parity) settings() map[string]string { return map[string]string{"rows": fmt.Sprint(p.Rows)} }

func (p *parity) Spec() datasets.Spec {
	return datasets.Spec{Task: "parity", Settings: p.settings(), Hash: datasets.Fingerprint("parity 1", p.settings())}
}

func (p *parity) Shape() datasets.Shape {
	return datasets.Shape{Vocabulary: 2, MaxRows: p.Rows, RowWidth: 1, QueryWidth: 1, Answers: 1}
}

func (p *parity) Kinds() []string { return []string{"even", "odd"} }

// put appends an example of a kind: the last word makes it even or odd.
func (p *parity) put(b *datasets.Batch, rng *rand.Rand, kind int32) {
	ones := int32(0)
	for range p.Rows - 1 {
		word := rng.Int32N(2)
		ones += word
		b.Rows = append(b.Rows, word)
	}
	b.Rows = append(b.Rows, (ones+kind)%2)
	b.Offsets = append(b.Offsets, len(b.Rows))
	b.Queries = append(b.Queries, datasets.NoWord)
	b.Targets, b.Kinds = append(b.Targets, kind), append(b.Kinds, kind)
}

func (p *parity) Batch(dst *datasets.Batch, split datasets.Split, seed uint64, step, size int) error {
	if err := datasets.CheckBatchArgs(split, step, size); err != nil {
		return err
	}
	rng := rand.New(rand.NewPCG(datasets.StreamSeed("parity", split, seed, uint64(step))))
	dst.Reset(1, 1, 1, 0)
	for range size {
		p.put(dst, rng, rng.Int32N(2))
	}
	return nil
}

func (p *parity) Examine(split datasets.Split, seed uint64, perKind, size int) iter.Seq2[*datasets.Batch, error] {
	reset := func(b *datasets.Batch) { b.Reset(1, 1, 1, 0) }
	return datasets.ExamineGenerated("parity", split, 2, perKind, size, reset, func() datasets.Put {
		return func(b *datasets.Batch, kind, i int) error {
			p.put(b, rand.New(rand.NewPCG(datasets.StreamSeed(fmt.Sprint("parity ", kind), split, seed, uint64(i)))), int32(kind))
			return nil
		}
	})
}

// A task is a Source and one call of Register, from init. Everything else follows:
// the commands know its name and settings, and reports its title, kinds and chance.
func Example() {
	datasets.Register(datasets.Entry{
		Name: "parity", Title: "Parity", About: "whether the number of ones is even or odd",
		Defaults: func() any { return &parity{Rows: 4} },
		New:      datasets.Opener(func(p parity, _ datasets.Options) (*parity, error) { return &p, nil }),
		Present: func(string, map[string]string) datasets.Presentation {
			return datasets.Presentation{Title: "Parity of ones", Row: "parity"}
		},
	})
	entry, _ := datasets.Lookup("parity")
	src, err := entry.New(entry.Defaults(), datasets.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	var b datasets.Batch
	if err := src.Batch(&b, datasets.Train, 0, 0, 3); err != nil {
		fmt.Println(err)
	}
	fmt.Println(b.Rows[:4], src.Kinds()[b.Kinds[0]], b.Validate(src.Shape()))
	// Output: [0 0 1 1] even <nil>
}

// The contract that every Source keeps is tested by one call.
func TestTheExampleKeepsTheContract(t *testing.T) {
	datasettest.Run(t, datasettest.Suite{New: func() (datasets.Source, error) { return &parity{Rows: 16}, nil }})
}
