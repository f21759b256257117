package record

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
)

// cellHash matches Identity.Cell, which names directories; old records may lack it.
var cellHash = regexp.MustCompile(`^([0-9a-f]{12})?$`)

// Validate returns an error for the first invalid value of r. It names the key.
func (r *Record) Validate() error {
	switch {
	case r.Schema != Version:
		return fmt.Errorf("schema: version %d, want %d", r.Schema, Version)
	case r.Origin != "" && !slices.Contains(origins, r.Origin):
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
		if err := finite(n.key, n.value); err != nil {
			return err
		}
	}
	if (r.Status == Diverged) != (r.Training.DivergedAt > 0) {
		return fmt.Errorf("training.diverged_at: %d in a run with status %s", r.Training.DivergedAt, r.Status)
	}
	return nil
}

// finite refuses values that are no count, duration or loss: NaN, infinite or negative.
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
