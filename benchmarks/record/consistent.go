package record

import "fmt"

// consistent returns an error if the record contradicts its protocol: a wrong hash of the
// values, another task, more questions than in the protocol, or other steps than it allows.
// Without values there is only the hash, which cannot be checked.
func (r *Record) consistent() error {
	v := r.Protocol.Values
	if len(v) == 0 {
		return nil
	}
	if hash := HashOf(v); hash != r.Protocol.Hash {
		return fmt.Errorf("protocol.hash: %s, but protocol.values have the hash %s: the record was changed after it was written", r.Protocol.Hash, hash)
	}
	if task, ok := v["task"]; ok && task != r.Identity.Task {
		return fmt.Errorf("identity.task: %s, but protocol.values.task is %v", r.Identity.Task, task)
	}
	perKind := r.Evaluation.Split + "_per_kind"
	asked, _ := v.count(perKind) // 0: all of a finite dataset
	for i, k := range r.Evaluation.Kinds {
		if asked > 0 && k.Total > asked {
			return fmt.Errorf("evaluation.kinds[%d] (%s): %d questions, but protocol.values.%s is %d", i, k.Name, k.Total, perKind, asked)
		}
	}
	if r.Origin == Scored { // the training of another program
		return nil
	}
	return r.checkSteps()
}

// checkSteps returns an error for a step that the protocol does not allow.
func (r *Record) checkSteps() error {
	t := &r.Training
	for _, s := range []struct {
		key  string
		step int
	}{{"training.selected_step", t.SelectedStep}, {"training.diverged_at", t.DivergedAt}, {"curve.best_step", r.Curve.BestStep}} {
		if s.step > t.Steps {
			return fmt.Errorf("%s: %d, above the %d steps that were trained", s.key, s.step, t.Steps)
		}
	}
	if t.SelectedStep != t.Steps && r.Protocol.Values["selection"] == "final" {
		return fmt.Errorf("training.selected_step: %d of %d, but protocol.values.selection is final", t.SelectedStep, t.Steps)
	}
	planned, ok := r.Protocol.Values.count("steps")
	if !ok {
		return nil
	}
	_, stops := r.Protocol.Values["early_stop"]
	switch {
	case t.Steps > planned, r.Status == Complete && t.Steps < planned,
		r.Status == Interrupted && t.Steps == planned, r.Status == EarlyStopped && (t.Steps == planned || !stops):
		return fmt.Errorf("training.steps: %d in a run with status %s, but protocol.values.steps is %d (early_stop: %t)", t.Steps, r.Status, planned, stops)
	}
	return nil
}
