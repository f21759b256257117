package pai

import "memobench/datasets"

// Pool is the generated items of one split: those that its examples are drawn
// from.
type Pool struct {
	items *prototypes
	split datasets.Split
}

// Pool returns the generated items of a split, or false where items are class
// symbols or stand in files.
func (src *Source) Pool(split datasets.Split) (*Pool, bool) {
	items, ok := src.images.(*prototypes)
	if !ok || split < datasets.Train || split > datasets.Test {
		return nil, false
	}
	return &Pool{items, split}, true
}

// Len returns the number of items.
func (p *Pool) Len() int { return p.items.pools[p.split] }

// Class returns the class of item n.
func (p *Pool) Class(n int) int32 { return int32(n % len(p.items.all)) }

// Read fills dst, [F], with the features of item n.
func (p *Pool) Read(dst []float32, n int) error { return p.items.read(dst, p.split, int64(n)) }

// NumberedBatch is Batch, and returns for each item of dst.Items, [U], its
// number in the Pool of the split; nil for class symbols.
func (src *Source) NumberedBatch(dst *datasets.Batch, split datasets.Split, seed uint64, step, size int) ([]int, error) {
	d := src.drawers.Get().(*drawer)
	defer src.drawers.Put(d)
	if err := src.batch(d, dst, split, seed, step, size); err != nil || dst.Items == nil {
		return nil, err
	}
	numbers := make([]int, dst.Items.Len())
	for number, id := range d.known {
		numbers[id] = int(number)
	}
	return numbers, nil
}
