package layers

import (
	"fmt"

	"memobench/datasets"
	"memobench/models/ops"
)

// together is what the parts of a divided batch have in common while their networks do
// a part of the work together.
type together struct {
	whole   *Input // the batch
	crew    ops.Crew
	members []ops.Member // one for each worker
	sizes   []int        // examples of each part
	alike   map[key]int  // of networks, how many workers' are known to be alike
}

func newTogether(shape datasets.Shape, workers int) *together {
	return &together{whole: NewInput(shape), members: make([]ops.Member, workers), alike: map[key]int{}}
}

// join makes the networks of all parts ready to run together, if their form for the
// whole batch shares anything. All are, or an error is returned, before one runs: one
// that does not come would be waited for.
func (d *division[T, N]) join(b *datasets.Batch) error {
	t, own := d.together, d.workers[0]
	if err := t.whole.Set(b); err != nil {
		return fmt.Errorf("%s: %w", own.design.Name, err)
	}
	k := key{Training, own.design.Form(t.whole)}
	if !own.design.Shares(k.form) {
		return nil
	}
	t.sizes = t.sizes[:0]
	for i := range d.parts {
		p, w := &d.parts[i], d.workers[i]
		t.sizes = append(t.sizes, p.batch.Size())
		if err := w.set(&p.batch); err != nil {
			return err
		}
		t.members[i] = ops.Member{Crew: &t.crew, Index: i}
		w.in.Pairs.Part(&t.whole.Pairs, b.Offsets[d.cuts[i]], b.Offsets[d.cuts[i+1]], &t.members[i])
		var err error
		if p.network, err = w.networkOf(k); err != nil {
			return err
		}
		p.ready = true
	}
	t.crew.Gather(t.sizes)
	for i := t.alike[k]; i < len(d.parts); i++ {
		if first, other := d.parts[0].network.common().program, d.parts[i].network.common().program; !first.Alike(other) {
			return fmt.Errorf("%s: the graphs of a divided batch's parts 0 and %d differ in the order of their operations", own.design.Name, i)
		}
		t.alike[k] = i + 1
	}
	return nil
}
