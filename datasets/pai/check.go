package pai

import (
	"memobench/datasets"
	"memobench/datasets/tfrecord"
)

// ShardChecker checks released shards that belong together: those of one
// length. The zero value is ready.
type ShardChecker struct {
	form  form // of the first record
	batch datasets.Batch
	sides map[int64]int32 // what the values of correct_answer mean: 0 left, 1 right
}

// Check reads a shard to its end and returns the number of its records. It calls
// report for each record that breaks the format, is of another form than the
// first one, or has an answer that its chains do not bear out; errors name file
// and offset. After a wrong length the rest of a file cannot be read.
func (c *ShardChecker) Check(path string, report func(error)) (records int) {
	f, err := tfrecord.Open(path)
	if err != nil {
		report(err)
		return 0
	}
	defer f.Close()
	set := &shardSet{shards: []shard{{path: path}}}
	for rec, err := range f.Records() {
		if err != nil {
			report(err)
			break
		}
		records++
		if rec.Length < minRecord {
			report(f.Errorf(rec.Offset, "a record of %d bytes holds no trials", rec.Length))
			continue
		}
		set.shards[0].records = append(set.shards[0].records, rec)
	}
	r := newRecordReader(releasedSettings{Scale: scaleRaw})
	defer r.close()
	for i := range set.shards[0].records {
		if err := c.record(r, set, i); err != nil {
			report(err)
		}
	}
	return records
}

// record checks a record of the only shard of set.
func (c *ShardChecker) record(r *recordReader, set *shardSet, i int) error {
	if err := r.read(set, place{0, i}); err != nil {
		return err
	}
	if c.form == (form{}) {
		c.form, c.sides = r.entry.form, map[int64]int32{}
	}
	if r.entry.form != c.form {
		return r.errorf("record of %+v, want %+v as the first one", r.entry.form, c.form)
	}
	resetBatch(&c.batch, 0, r.entry.dim)
	for trial, answer := range r.entry.answers {
		if err := r.words(&c.batch, trial); err != nil {
			return err
		}
		c.batch.Kinds = append(c.batch.Kinds, 0) // the item table grows with each trial
		side, ok := linked(r.memory, r.query)
		if !ok { // the chains do not determine the answer of such a trial
			continue
		}
		if !c.agrees(answer, side) {
			return r.errorf("trial %d: %s is %d where the chain of the cue has the %s option, which earlier trials contradict",
				trial, featAnswer, answer, [...]string{"left", "right"}[side])
		}
	}
	return nil
}

// agrees reports whether a value of correct_answer means the given side. What it
// means is what it meant at first, and no other value means that.
func (c *ShardChecker) agrees(answer int64, side int32) bool {
	meant, known := c.sides[answer]
	if known {
		return meant == side
	}
	for _, other := range c.sides {
		if other == side {
			return false
		}
	}
	c.sides[answer] = side
	return true
}
