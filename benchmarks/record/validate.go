package record

import (
	"fmt"
	"math"
)

// Validate reports the first value of r that cannot be, by its key.
func (r *Record) Validate() error {
	if r.Schema != Version {
		return fmt.Errorf("schema: version %d, want %d", r.Schema, Version)
	}
	if err := r.Status.validate(); err != nil {
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
	if err := r.Evaluation.validate(r.Status); err != nil {
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
		{"training.loss", deref(r.Training.Loss)},
	} {
		if err := finite(n.key, n.value); err != nil {
			return err
		}
	}
	if (r.Status == Diverged) != (r.Training.DivergedAt > 0) {
		return fmt.Errorf("training.diverged_at: %d in a run with status %s", r.Training.DivergedAt, r.Status)
	}
	return nil
}

func (e *Evaluation) validate(status Status) error {
	if len(e.Kinds) == 0 {
		return fmt.Errorf("evaluation.kinds: empty")
	}
	seen := map[string]bool{}
	for i, k := range e.Kinds {
		key := fmt.Sprintf("evaluation.kinds[%d] (%s)", i, k.Name)
		switch {
		case k.Name == "" || seen[k.Name]:
			return fmt.Errorf("%s: name missing or repeated", key)
		case k.Total < 0 || k.Correct < 0 || k.Correct > k.Total:
			return fmt.Errorf("%s: %d right of %d", key, k.Correct, k.Total)
		case k.ChoiceCorrect != nil && (*k.ChoiceCorrect < k.Correct || *k.ChoiceCorrect > k.Total):
			// The right answer is among the choices: who picks it among all
			// answers picks it among these.
			return fmt.Errorf("%s: %d right among the choices, %d right among all, of %d", key, *k.ChoiceCorrect, k.Correct, k.Total)
		case status == Diverged && k.Correct != 0:
			return fmt.Errorf("%s: %d right answers in a run that diverged", key, k.Correct)
		}
		seen[k.Name] = true
	}
	if status == Diverged && e.Loss != nil {
		return fmt.Errorf("evaluation.loss: present in a run that diverged")
	}
	if err := finite("evaluation.loss", deref(e.Loss)); err != nil {
		return err
	}
	return finite("evaluation.hops", deref(e.Hops))
}

// finite refuses what is no count, duration or loss: NaN, an infinity or a
// number below zero.
func finite(key string, v float64) error {
	if math.IsNaN(v) || math.IsInf(v, 0) || v < 0 {
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
