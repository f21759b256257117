package layers

import "fmt"

// Attention says how a hop's logits become the weights of the memory slots.
type Attention string

// The kinds of attention.
const (
	SoftmaxAttention Attention = "softmax" // softmax over the slots, in every head
	// LinearAttention takes the logits for weights. Sukhbaatar et al. 2015 (section
	// 4.1) begin training with it and call that linear start.
	LinearAttention Attention = "linear"
	MixedAttention  Attention = "mixed" // linear in half of the heads, softmax in the others
)

// LinearHeads returns how many of H heads have no softmax.
func (a Attention) LinearHeads(heads int) int {
	switch a {
	case LinearAttention:
		return heads
	case MixedAttention:
		return heads / 2
	}
	return 0
}

// Validate names the setting where a model of H heads cannot have its value.
func (a Attention) Validate(heads int) error {
	switch {
	case a == MixedAttention && heads < 2:
		return fmt.Errorf("attention: %q needs 2 heads or more, there are %d", a, heads)
	case a != SoftmaxAttention && a != LinearAttention && a != MixedAttention:
		return fmt.Errorf("attention: %q, want %s, %s, %s", a, SoftmaxAttention, LinearAttention, MixedAttention)
	}
	return nil
}

// Feedback says which answer is in the query of the next one while
// training. Predictions are made with either, whatever the training was.
type Feedback string

// The kinds of feedback.
const (
	FreeRunning    Feedback = "predicted" // the network's own, right or wrong
	TeacherForcing Feedback = "truth"     // the right one
)

// Validate names the setting where its value is none of the above.
func (f Feedback) Validate() error {
	if f != FreeRunning && f != TeacherForcing {
		return fmt.Errorf("feedback: %q, want %s, %s", f, FreeRunning, TeacherForcing)
	}
	return nil
}
