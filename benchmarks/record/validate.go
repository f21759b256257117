package record

import (
	"cmp"
	"fmt"
	"math"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"memobench/datasets"
)

var (
	cellHash   = regexp.MustCompile(`^([0-9a-f]{12})?$`) // names directories; a record of another program may lack it
	digestForm = regexp.MustCompile(`^[0-9a-f]{64}$`)
)

// maxCaveats is the maximum number of caveats, which readers compare with each other; real records
// have at most about 20.
const maxCaveats = 1000

// Validate returns an error for the first invalid value of r. It names the key.
func (r *Record) Validate() error {
	switch {
	case r.Schema != Version:
		return fmt.Errorf("schema: version %d, want %d", r.Schema, Version)
	case !slices.Contains(origins, r.Origin):
		return fmt.Errorf("origin: %q is none of %q", r.Origin, origins)
	case !slices.Contains(statuses, r.Status):
		return fmt.Errorf("status: %q is none of %q", r.Status, statuses)
	case !cellHash.MatchString(r.Identity.Cell):
		return fmt.Errorf("identity.cell: %q, want 12 hexadecimal digits", r.Identity.Cell)
	case (r.Status == Diverged) != (r.Training.DivergedAt > 0):
		return fmt.Errorf("training.diverged_at: %d in a run with status %s", r.Training.DivergedAt, r.Status)
	case r.Status == Diverged && r.Evaluation.Loss != nil:
		return fmt.Errorf("evaluation.loss: present in a run that diverged")
	case r.Shift != nil && (r.Origin != Evaluated || r.Shift.Setting == "" || r.Shift.Trained == "" || r.Shift.Evaluated == ""):
		return fmt.Errorf("shift: setting %q, from %q to %q, in a record that is %s: want all three, and evaluated",
			r.Shift.Setting, r.Shift.Trained, r.Shift.Evaluated, r.Origin)
	}
	for _, s := range []struct{ key, value string }{
		{"identity.task", r.Identity.Task}, {"identity.name", r.Identity.Name}, {"identity.model", r.Identity.Model},
		{"protocol.hash", r.Protocol.Hash}, {"dataset.hash", r.Dataset.Hash}, {"evaluation.split", r.Evaluation.Split},
	} {
		if s.value == "" {
			return fmt.Errorf("%s: missing", s.key)
		}
	}
	for name, digest := range r.Files {
		if name != filepath.Base(name) || !digestForm.MatchString(digest) {
			return fmt.Errorf("files: %q: %q: want a file name with 64 hexadecimal digits", name, digest)
		}
	}
	if n := len(r.Caveats) + len(r.Dataset.Caveats); n > maxCaveats {
		return fmt.Errorf("caveats: %d, at most %d", n, maxCaveats)
	}
	for _, c := range slices.Concat(r.Caveats, r.Dataset.Caveats) {
		if !slices.Contains(datasets.CaveatKinds, c.Kind) {
			return fmt.Errorf("caveats: kind %q, want one of %q", c.Kind, datasets.CaveatKinds)
		}
	}
	return cmp.Or(checkNumbers("", reflect.ValueOf(r).Elem()), r.Evaluation.validate(r.Status), r.consistent())
}

// Finite reports whether x is neither NaN nor infinite.
func Finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// checkNumbers refuses a number that is NaN, infinite or negative: every number of a record is
// a count, a time, a loss or a share. Settings may be negative; they are in maps.
func checkNumbers(key string, v reflect.Value) error {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			return checkNumbers(key, v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			if err := checkNumbers(fmt.Sprintf("%s[%d]", key, i), v.Index(i)); err != nil {
				return err
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			name, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
			if err := checkNumbers(strings.TrimPrefix(key+"."+name, "."), v.Field(i)); err != nil {
				return err
			}
		}
	case reflect.Int, reflect.Int64:
		if v.Int() < 0 {
			return fmt.Errorf("%s: %d, want 0 or more", key, v.Int())
		}
	case reflect.Float64:
		if x := v.Float(); !Finite(x) || x < 0 {
			return fmt.Errorf("%s: %v, want a finite number, 0 or more", key, x)
		}
	}
	return nil
}

func (e *Evaluation) validate(status Status) error {
	if len(e.Kinds) == 0 {
		return fmt.Errorf("evaluation.kinds: empty")
	}
	if n := len(e.AnswerHops); n > 0 && (e.Hops == nil || n != len(e.Kinds[0].Answers)) {
		return fmt.Errorf("evaluation.answer_hops: hops of %d answers of %d", n, len(e.Kinds[0].Answers))
	}
	seen := map[string]bool{}
	for i := range e.Kinds {
		k := &e.Kinds[i]
		repeated := seen[k.Name]
		seen[k.Name] = true
		err := k.validate(status == Diverged)
		if k.Name == "" || repeated {
			err = fmt.Errorf("name missing or repeated")
		} else if len(k.Answers) == 1 || !slices.EqualFunc(k.Answers, e.Kinds[0].Answers, func(a, b Answer) bool { return a.Name == b.Name }) {
			err = fmt.Errorf("answers: want those of the first kind, none or several")
		}
		if err != nil {
			return fmt.Errorf("evaluation.kinds[%d] (%s): %w", i, k.Name, err)
		}
	}
	return nil
}

// validate checks that no count is above the number of questions, or above 0 in a run that diverged.
func (k *Kind) validate(diverged bool) error {
	most := k.Total
	if diverged {
		most = 0
	}
	counts := []*int{&k.Correct, k.ChoiceCorrect, k.Accepted}
	for _, a := range k.Answers {
		counts = append(counts, &a.Correct, a.CorrectGiven, a.Accepted)
	}
	for _, n := range counts {
		if n != nil && *n > most {
			return fmt.Errorf("%d right answers, want at most %d (diverged: %t)", *n, most, diverged)
		}
	}
	return nil
}

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
