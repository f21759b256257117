package layers

// Values of a model's setting attention: how a hop's logits become the weights of the
// memory slots.
const (
	SoftmaxAttention = "softmax" // softmax over the slots, in every head
	// LinearAttention takes the logits for weights. Sukhbaatar et al. 2015 (section
	// 4.1) begin training with it and call that linear start.
	LinearAttention = "linear"
	MixedAttention  = "mixed" // linear in half of the heads, softmax in the others
)

// LinearHeads returns how many of H heads have no softmax.
func LinearHeads(attention string, heads int) int {
	switch attention {
	case LinearAttention:
		return heads
	case MixedAttention:
		return heads / 2
	}
	return 0
}

// Values of a model's setting feedback: which answer is in the query of the next one
// while training. Predictions are made with either, whatever the training was.
const (
	FreeRunning    = "predicted" // the network's own, right or wrong
	TeacherForcing = "truth"     // the right one
)
