package layers

import (
	"fmt"

	"memobench/datasets"
	"memobench/models/ops"
)

// together is what the networks of a divided batch's parts need to compute operations
// together.
type together struct {
	whole    *Input // the batch
	crew     ops.Crew
	members  []ops.Member   // one for each worker
	sizes    []int          // examples of each part
	compared map[string]int // workers whose networks of a form have been compared
}

func newTogether(shape datasets.Shape, workers int) *together {
	return &together{whole: NewInput(shape), members: make([]ops.Member, workers), compared: map[string]int{}}
}

// join decides on the form of all parts, by the whole batch. In a form that computes
// together it makes their networks ready to run: all are, or an error is returned, before
// one runs, for one that does not come to a barrier would be waited for. For the same
// reason a network that runs must not fail, as none does that has compiled.
func (d *division[T, N]) join(b *datasets.Batch) error {
	t, own := d.together, d.workers[0]
	if err := t.whole.Set(b); err != nil {
		return fmt.Errorf("%s: %w", own.design.Name, err)
	}
	d.form = own.design.Form(t.whole)
	if !own.design.Shares(d.form) {
		return nil
	}
	t.sizes = t.sizes[:0]
	for i := range d.parts {
		p, w := &d.parts[i], d.workers[i]
		t.sizes = append(t.sizes, p.batch.Size())
		if err := w.set(&p.batch); err != nil {
			return err
		}
		t.members[i] = ops.Member{Crew: &t.crew, Rank: i}
		w.in.Pairs.Part(&t.whole.Pairs, b.Offsets[d.cuts[i]], b.Offsets[d.cuts[i+1]], &t.members[i])
		var err error
		if p.network, err = w.networkOf(key{Training, d.form}); err != nil {
			return err
		}
		p.ready = true
	}
	t.crew.Gather(t.sizes)
	return d.compare()
}

// compare returns an error if the parts' networks run their operations in
// different orders: they would meet at different ones.
func (d *division[T, N]) compare() error {
	first := d.parts[0].network.common().program
	for i := max(1, d.together.compared[d.form]); i < len(d.parts); i++ {
		if !first.Alike(d.parts[i].network.common().program) {
			return fmt.Errorf("%s: the graphs of parts 0 and %d of a divided batch have different orders", d.workers[0].design.Name, i)
		}
		d.together.compared[d.form] = i + 1
	}
	return nil
}
