package layers

import (
	"crypto/sha256"
	"encoding/binary"
	"math"
)

// BeginPrediction prepares the noise of a prediction for the batch that in
// holds, for networks that draw while predicting. The draws depend on the seed
// and on what is asked only, not on the updates done before, so that weights
// that were just trained and the same weights from a file answer alike, and two
// batches draw differently.
func (l *Learner[T]) BeginPrediction(in *Input) { l.Noise.Step = in.draws() }

// draws returns the step of noise that belongs to the rows and queries of the
// current batch; right answers have no part in it. It is none of training's,
// which count from 0.
func (in *Input) draws() uint64 {
	in.bytes = in.bytes[:0]
	add := func(v uint32) { in.bytes = binary.LittleEndian.AppendUint32(in.bytes, v) }
	for _, n := range in.Segments.Offsets { // their number tells rows from queries
		add(uint32(n))
	}
	for _, ids := range [][]int32{in.Rows.IDs, in.Queries[0].IDs} {
		for _, id := range ids {
			add(uint32(id))
		}
	}
	if in.Items != nil {
		for _, x := range in.Items.Data {
			add(math.Float32bits(x))
		}
	}
	sum := sha256.Sum256(in.bytes)
	// Of a step the lower 56 bits count.
	return binary.LittleEndian.Uint64(sum[:])>>9 | 1<<55
}
