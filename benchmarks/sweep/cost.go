package sweep

import (
	"memobench/benchmarks/config"
	"memobench/benchmarks/record"
	"memobench/benchmarks/train"
)

// costKey is equal for cells whose steps take the same time: it has task, model, batch
// size and their settings. Of settings with a fraction (rates, weights of losses,
// probabilities) it has only whether they are 0, which may remove a part of the network.
// Steps, evaluations and seeds are not in it.
func costKey(c *config.Cell) string {
	training := costValues(&c.Training)
	for _, key := range []string{"warmup", "plateau_fraction", "power", "end_rate"} { // of the learning rate schedule
		delete(training, key)
	}
	return record.HashOf([]any{c.Task, config.Values(c.Settings), c.Protocol.BatchSize, c.Model, costValues(c.Config), training})
}

func costValues(settings any) map[string]any {
	values := config.Values(settings)
	for key, v := range values {
		if x, ok := v.(float64); ok {
			values[key] = x != 0
		}
	}
	return values
}

// recordedTimes returns the times of cell c from the record of a cell of the same cost.
// CPU time is divided between training and evaluation in proportion to wall time. The CPU
// time of parallel runs in one process includes that of the others, so it is at most the
// wall time. ok is false where the record has too little information.
func recordedTimes(r *record.Record, of, c *config.Cell) (t train.StepTimes, ok bool) {
	seconds := r.Times.CPUSeconds
	if r.Times.ParallelRuns > 1 {
		seconds = min(seconds, r.Times.WallSeconds)
	}
	if seconds <= 0 || r.Times.WallSeconds <= 0 || r.Times.TrainSeconds <= 0 || r.Training.Steps == 0 {
		return t, false
	}
	share := min(1, r.Times.TrainSeconds/r.Times.WallSeconds)
	t.Step = seconds * share / float64(r.Training.Steps)
	rest := seconds * (1 - share)
	was, now := &of.Protocol, &c.Protocol
	switch {
	case was.ValidationPerKind > 0 && was.TestPerKind > 0 && now.ValidationPerKind > 0 && now.TestPerKind > 0:
		question := rest / float64(r.Curve.Points*was.ValidationPerKind+was.TestPerKind)
		t.Validation, t.Test = question*float64(now.ValidationPerKind), question*float64(now.TestPerKind)
	case was.ValidationPerKind == now.ValidationPerKind && was.TestPerKind == now.TestPerKind:
		t.Validation = rest / float64(r.Curve.Points+1)
		t.Test = t.Validation
	default: // the number of "all" questions is unknown
		return t, false
	}
	return t, true
}
