package layers

import "fmt"

// Feedback says which answer stands in the query of the next one while
// training. Predictions are made with either, whatever the training was.
type Feedback string

// The kinds of feedback.
const (
	Predicted Feedback = "predicted" // the network's own, right or wrong
	Truth     Feedback = "truth"     // the right one
)

// Validate names the setting where its value is none of the above.
func (f Feedback) Validate() error {
	if f != Predicted && f != Truth {
		return fmt.Errorf("feedback: %q, want %s, %s", f, Predicted, Truth)
	}
	return nil
}
