package record

import "fmt"

// Shift is the setting of the task in which the questions of an evaluation of stored
// weights differ from those of training. A record with a shift is used only in tables and
// figures of generalization. Its protocol is that of training; its dataset is that of the
// questions.
type Shift struct {
	Setting   string `json:"setting" doc:"setting of the task"`
	Trained   string `json:"trained" doc:"its value in training"`
	Evaluated string `json:"evaluated" doc:"its value in the questions; at the reference point that of training"`
	PerKind   int    `json:"per_kind" doc:"questions asked of each kind at most; 0 for all of finite data"`

	OtherData bool `json:"other_data,omitempty" doc:"true where the questions are also of other data than the training, such as simulated stories instead of files"`

	// Hops is nil where predictions took as many as in training.
	Hops *HopsShift `json:"hops,omitempty" doc:"number of hops in the evaluation; absent where it is that of training"`

	Rows       float64  `json:"rows" doc:"mean number of memory rows of a question"`
	Operations *float64 `json:"operations,omitempty" doc:"mean number of floating-point operations of the answer to a question asked alone, counted on a few questions of each kind; absent for a model that does not count them"`
	Extended   []string `json:"extended,omitempty" doc:"weights that were extended to more memory rows than in training"`
}

// HopsShift is a number of hops, or of recurrent or pondering steps, that differs from
// that of training.
type HopsShift struct {
	Setting   string `json:"setting" doc:"setting of the model, such as hops or recurrent_steps"`
	Trained   int    `json:"trained" doc:"its value in training"`
	Evaluated int    `json:"evaluated" doc:"its value in the evaluation"`
}

// validateShift refuses a shift in a record of training, and incomplete shifts.
func (r *Record) validateShift() error {
	s := r.Shift
	switch {
	case s == nil:
		return nil
	case r.Origin != Evaluated:
		return fmt.Errorf("shift: of a record with origin %q, want %s", r.Origin, Evaluated)
	case s.Setting == "" || s.Trained == "" || s.Evaluated == "":
		return fmt.Errorf("shift: setting %q, from %q to %q: one is missing", s.Setting, s.Trained, s.Evaluated)
	case s.Hops != nil && s.Hops.Setting == "":
		return fmt.Errorf("shift.hops.setting: missing")
	case s.PerKind < 0:
		return fmt.Errorf("shift.per_kind: %d", s.PerKind)
	}
	if err := finite("shift.rows", s.Rows); err != nil {
		return err
	}
	return finite("shift.operations", deref(s.Operations))
}
