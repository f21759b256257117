package layers

import (
	"crypto/sha256"
	"encoding/binary"
	"math"
	"math/rand/v2"

	"memobench/models/ops"
)

// sampleStep returns the noise step of a prediction for the current batch, for networks that
// sample while predicting. It is a hash of rows and queries, not of targets or the number of
// updates, so that trained weights and the same weights from a file give the same answers.
// It differs from all training steps, which count from 0.
func (in *Input) sampleStep() uint64 {
	in.bytes = in.bytes[:0]
	for _, n := range in.Segments.Offsets { // separate rows from queries
		in.addBytes(uint32(n))
	}
	for _, ids := range [][]int32{in.Rows.IDs, in.Queries[0].IDs} {
		for _, id := range ids {
			in.addBytes(uint32(id))
		}
	}
	if in.Items != nil {
		in.addFeatures(in.Items.Data)
	}
	return in.hashStep()
}

// Uniform returns a number drawn uniformly from [0, 1) for an example of the batch and this
// answer. It depends on the example's rows and first query only, not on the rest of the
// batch, the weights or the model.
func (t *DecodingStep[T]) Uniform(example int) float64 {
	noise := ops.Noise{Step: t.In.exampleStep(example)}
	var pcg rand.PCG
	noise.Begin(&pcg, t.Stream(0))
	return rand.New(&pcg).Float64()
}

// exampleStep is sampleStep for one example.
func (in *Input) exampleStep(example int) uint64 {
	in.bytes = in.bytes[:0]
	lo, hi := in.Segments.Offsets[example], in.Segments.Offsets[example+1]
	in.addBytes(uint32(hi - lo))
	rows, query := in.Rows.Width, in.Queries[0].Width
	for _, ids := range [][]int32{in.Rows.IDs[lo*rows : hi*rows], in.Queries[0].IDs[example*query : (example+1)*query]} {
		for _, id := range ids {
			if in.Items == nil || id < 0 {
				in.addBytes(uint32(id))
			} else { // ids index the batch's item table
				in.addFeatures(in.Items.Data[int(id)*in.Items.Dim : (int(id)+1)*in.Items.Dim])
			}
		}
	}
	return in.hashStep()
}

func (in *Input) addBytes(v uint32) { in.bytes = binary.LittleEndian.AppendUint32(in.bytes, v) }

func (in *Input) addFeatures(features []float32) {
	for _, x := range features {
		in.addBytes(math.Float32bits(x))
	}
}

// hashStep returns the noise step for the added bytes.
func (in *Input) hashStep() uint64 {
	sum := sha256.Sum256(in.bytes)
	// Noise uses the lower 56 bits of a step.
	return binary.LittleEndian.Uint64(sum[:])>>9 | 1<<55
}
