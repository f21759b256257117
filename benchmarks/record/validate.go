package record

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
)

// cellHash matches Identity.Cell, which names directories; a record of another program may lack it.
var cellHash = regexp.MustCompile(`^([0-9a-f]{12})?$`)

// Validate returns an error for the first invalid value of r. It names the key.
func (r *Record) Validate() error {
	switch {
	case r.Schema != Version:
		return fmt.Errorf("schema: version %d, want %d", r.Schema, Version)
	case !slices.Contains(origins, r.Origin):
		return fmt.Errorf("origin: %q is none of %q", r.Origin, origins)
	case !slices.Contains(statuses, r.Status):
		return fmt.Errorf("status: %q is none of %q", r.Status, statuses)
	}
	if err := r.validateCaveats(); err != nil {
		return err
	}
	for _, s := range []struct{ key, value string }{
		{"identity.task", r.Identity.Task}, {"identity.label", r.Identity.Label}, {"identity.model", r.Identity.Model},
		{"protocol.hash", r.Protocol.Hash}, {"dataset.hash", r.Dataset.Hash}, {"evaluation.split", r.Evaluation.Split},
	} {
		if s.value == "" {
			return fmt.Errorf("%s: missing", s.key)
		}
	}
	if !cellHash.MatchString(r.Identity.Cell) {
		return fmt.Errorf("identity.cell: %q, want 12 hexadecimal digits", r.Identity.Cell)
	}
	if err := r.Evaluation.validate(r.Status); err != nil {
		return err
	}
	if err := errors.Join(r.validateFiles(), r.validateShift()); err != nil {
		return err
	}
	for _, n := range []struct {
		key   string
		value float64
	}{
		{"training.steps", float64(r.Training.Steps)}, {"training.examples", float64(r.Training.Examples)},
		{"training.selected_step", float64(r.Training.SelectedStep)}, {"model.parameters", float64(r.Model.Parameters)},
		{"curve.points", float64(r.Curve.Points)}, {"curve.best_loss", r.Curve.BestLoss}, {"curve.best_accuracy", r.Curve.BestAccuracy},
		{"times.wall_seconds", r.Times.WallSeconds}, {"times.cpu_seconds", r.Times.CPUSeconds},
		{"times.train_seconds", r.Times.TrainSeconds}, {"times.examples_per_second", r.Times.ExamplesPerSec},
		{"curve.selected_loss", deref(r.Curve.SelectedLoss)}, {"training.loss", deref(r.Training.Loss)},
	} {
		if err := checkAmount(n.key, n.value); err != nil {
			return err
		}
	}
	if (r.Status == Diverged) != (r.Training.DivergedAt > 0) {
		return fmt.Errorf("training.diverged_at: %d in a run with status %s", r.Training.DivergedAt, r.Status)
	}
	return nil
}

// Finite reports whether x is neither NaN nor infinite.
func Finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// checkAmount refuses values that are no count, duration or loss: NaN, infinite or negative.
func checkAmount(key string, v float64) error {
	if !Finite(v) || v < 0 {
		return fmt.Errorf("%s: %v, want a finite number not below 0", key, v)
	}
	return nil
}

func deref(v *float64) float64 {
	if v == nil {
		return 0
	}
	return *v
}

func (e *Evaluation) validate(status Status) error {
	if len(e.Kinds) == 0 {
		return fmt.Errorf("evaluation.kinds: empty")
	}
	seen := map[string]bool{}
	for i := range e.Kinds {
		k := &e.Kinds[i]
		key := fmt.Sprintf("evaluation.kinds[%d] (%s)", i, k.Name)
		if k.Name == "" || seen[k.Name] {
			return fmt.Errorf("%s: name missing or repeated", key)
		}
		seen[k.Name] = true
		err := k.validate()
		if err == nil && status == Diverged && k.anyRight() {
			err = fmt.Errorf("%d right answers in a run that diverged", k.Correct)
		}
		if err == nil && !sameAnswers(e.Kinds[0].Answers, k.Answers) {
			err = fmt.Errorf("other answers than those of the first kind")
		}
		if err != nil {
			return fmt.Errorf("%s: %w", key, err)
		}
	}
	if status == Diverged && e.Loss != nil {
		return fmt.Errorf("evaluation.loss: present in a run that diverged")
	}
	if n := len(e.AnswerHops); n > 0 && (e.Hops == nil || n != len(e.Kinds[0].Answers)) {
		return fmt.Errorf("evaluation.answer_hops: hops of %d answers of %d", n, len(e.Kinds[0].Answers))
	}
	for i, h := range e.AnswerHops {
		if err := checkAmount(fmt.Sprintf("evaluation.answer_hops[%d]", i), h); err != nil {
			return err
		}
	}
	if err := checkAmount("evaluation.loss", deref(e.Loss)); err != nil {
		return err
	}
	return checkAmount("evaluation.hops", deref(e.Hops))
}

// validate checks that the counts of a kind are consistent.
func (k *Kind) validate() error {
	switch {
	case k.Total < 0 || k.Correct < 0 || k.Correct > k.Total:
		return fmt.Errorf("%d right of %d", k.Correct, k.Total)
	case k.ChoiceCorrect != nil && !within(*k.ChoiceCorrect, k.Correct, k.Total):
		// The target is among the choices: if it is best among all answers, it is
		// best among these.
		return fmt.Errorf("%d right among the choices, %d right among all, of %d", *k.ChoiceCorrect, k.Correct, k.Total)
	case k.Accepted != nil && !within(*k.Accepted, k.Correct, k.Total):
		return fmt.Errorf("%d accepted, %d of them the target, of %d", *k.Accepted, k.Correct, k.Total)
	case k.Hops != nil && *k.Hops < 0:
		return fmt.Errorf("%d hops", *k.Hops)
	case k.Answers != nil && len(k.Answers) < 2:
		return fmt.Errorf("counts of %d answers: a single answer is the question", len(k.Answers))
	}
	seen := map[string]bool{}
	for a := range k.Answers {
		name := k.Answers[a].Name
		if name == "" || seen[name] {
			return fmt.Errorf("answers[%d]: name missing or repeated", a)
		}
		seen[name] = true
		if err := k.validateAnswer(a); err != nil {
			return fmt.Errorf("answers[%d] (%s): %w", a, name, err)
		}
	}
	return nil
}

// validateAnswer checks the counts of an answer against those of the kind: if all answers
// of a question are right, each of them is.
func (k *Kind) validateAnswer(a int) error {
	answer := &k.Answers[a]
	switch {
	case !within(answer.Correct, k.Correct, k.Total):
		return fmt.Errorf("%d right, with %d right as a whole, of %d", answer.Correct, k.Correct, k.Total)
	case answer.CorrectGiven != nil && (a == 0 || !within(*answer.CorrectGiven, 0, k.Total)):
		return fmt.Errorf("%d right given the answers before it, of %d", *answer.CorrectGiven, k.Total)
	case (answer.Accepted == nil) != (k.Accepted == nil):
		return fmt.Errorf("accepted answers are counted of the question or of this answer, but not of both")
	case answer.Accepted != nil && !within(*answer.Accepted, max(answer.Correct, *k.Accepted), k.Total):
		return fmt.Errorf("%d accepted, %d of them the target, with %d accepted as a whole, of %d", *answer.Accepted, answer.Correct, *k.Accepted, k.Total)
	}
	return nil
}

// anyRight reports whether any count of right or accepted answers is above 0.
func (k *Kind) anyRight() bool {
	above := func(n *int) bool { return n != nil && *n > 0 }
	return above(&k.Correct) || above(k.Accepted) || slices.ContainsFunc(k.Answers, func(a Answer) bool {
		return above(&a.Correct) || above(a.CorrectGiven) || above(a.Accepted)
	})
}

func sameAnswers(x, y []Answer) bool {
	return slices.EqualFunc(x, y, func(a, b Answer) bool { return a.Name == b.Name })
}

func within(n, low, high int) bool { return low <= n && n <= high }
