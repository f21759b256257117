package record

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"strconv"
)

// HashOf returns 12 hexadecimal digits of the SHA-256 of v's JSON, in which the
// keys of maps are sorted. v holds plain finite values.
func HashOf(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("record: hashing %T: %v", v, err))
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:6])
}

// ButSteps returns the hash of the values without the number of steps. Runs for which it is
// the same may be in one table, in which each model's steps are stated.
func (p *Protocol) ButSteps() string {
	values := maps.Clone(p.Values)
	delete(values, "steps")
	return HashOf(values)
}

// Values holds settings by their keys.
type Values map[string]any

// UnmarshalJSON reads numbers as float64, and as json.Number the integers that
// float64 would round, such as large seeds: their hash depends on every digit.
func (v *Values) UnmarshalJSON(data []byte) error {
	var m map[string]json.RawMessage
	if err := json.Unmarshal(data, &m); err != nil || m == nil {
		return err
	}
	*v = Values{}
	for key, raw := range m {
		var nested Values
		if raw[0] == '{' {
			if err := json.Unmarshal(raw, &nested); err != nil {
				return err
			}
			(*v)[key] = map[string]any(nested)
			continue
		}
		var value any
		if err := json.Unmarshal(raw, &value); err != nil {
			return err
		}
		if n, err := strconv.ParseUint(string(raw), 10, 64); err == nil && uint64(float64(n)) != n {
			value = json.Number(raw)
		}
		(*v)[key] = value
	}
	return nil
}

// Count returns the integer of a key, and false when there is none.
func (v Values) Count(key string) (int, bool) {
	switch n := v[key].(type) {
	case float64:
		return int(n), n == float64(int(n))
	case int:
		return n, true
	}
	return 0, false
}

// CheckProtocol returns an error if the record contradicts its protocol: a wrong hash of
// the values, another task, more questions than in the protocol, or other steps than it
// allows.
func (r *Record) CheckProtocol() error {
	v := r.Protocol.Values
	if hash := HashOf(v); hash != r.Protocol.Hash {
		return fmt.Errorf("protocol.hash: %s, but protocol.values have the hash %s: the record was changed after it was written", r.Protocol.Hash, hash)
	}
	if task, ok := v["task"]; ok && task != r.Identity.Task {
		return fmt.Errorf("identity.task: %s, but protocol.values.task is %v", r.Identity.Task, task)
	}
	perKind := r.Evaluation.Split + "_per_kind"
	asked, _ := v.Count(perKind) // 0: all of a finite dataset
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
	planned, ok := r.Protocol.Values.Count("steps")
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
