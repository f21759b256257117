package train

import (
	"context"
	"fmt"
	"slices"

	"memobench/benchmarks/printable"
	"memobench/benchmarks/record"
	"memobench/benchmarks/study"
	"memobench/datasets"
	"memobench/models"
	"memobench/models/checkpoint"
)

// phaseState is a run's position in its curriculum. The zero value is the start of the
// first phase, or of the main one if it is the only one.
type phaseState struct {
	study.PhaseStart
	Kinds []int `json:"kinds"` // trained on; empty for all
}

// checkCurriculum refuses phases that the model does not support.
func (t *trainer) checkCurriculum() error {
	c := t.cell
	st, err := models.StateOf(t.model)
	if err != nil {
		return err
	}
	for i := 1; i <= len(c.Training.Phases); i++ { // the first is built already
		m, err := t.build(phaseState{PhaseStart: study.PhaseStart{Index: i}})
		if err != nil {
			return err
		}
		with, err := checkpoint.WithWeights(m.State(), checkpoint.Weights(st))
		if err == nil {
			err = m.Restore(with)
		}
		models.Close(m)
		if err != nil {
			return &study.SettingError{Err: fmt.Errorf("model %s: training.phases: phase %d cannot take the weights of another phase: %w", c.Name, i+1, err)}
		}
	}
	if p := c.Phase(0); p != nil {
		t.state.Phase.Kinds = indexes(p.Kinds, t.src.Kinds())
	}
	return nil
}

// openPhases returns the training data of those phases of a cell that have other settings of
// the task, by the index of the phase. They are generated: no task that reads files lets a
// phase change its settings.
func openPhases(c *study.Cell, main datasets.Shape) (map[int]datasets.Source, error) {
	list := map[int]datasets.Source{}
	for i, p := range c.Training.Phases {
		if len(p.Task) == 0 {
			continue
		}
		during, err := c.During(study.PhaseStart{Index: i})
		if err == nil {
			list[i], err = study.OpenSource(during, datasets.Options{Splits: []datasets.Split{datasets.Train}, Shifted: true, Trained: &datasets.Trained{Shape: main}})
		}
		if err == nil && list[i].Shape().MaxRows > main.MaxRows {
			err = fmt.Errorf("task %s: up to %d memory rows, want at most the %d of the main phase", c.Task, list[i].Shape().MaxRows, main.MaxRows)
		}
		if err != nil {
			return nil, &study.SettingError{Err: fmt.Errorf("model %s: training.phases: phase %d: %w", c.Name, i+1, err)}
		}
	}
	return list, nil
}

func indexes(names, all []string) (list []int) {
	for _, name := range names {
		list = append(list, slices.Index(all, name))
	}
	return list
}

// build builds the model of a phase, with initial weights.
func (t *trainer) build(s phaseState) (models.Model, error) {
	c, err := t.cell.During(s.PhaseStart)
	if err != nil {
		return nil, &study.SettingError{Err: fmt.Errorf("model %s: %w", t.cell.Name, err)}
	}
	return study.BuildModel(c, t.src.Shape(), t.opts.Threads)
}

// phaseHook enters the next phase, or the next attempt, when one is over.
func (t *trainer) phaseHook(context.Context) error {
	s := &t.state.Phase
	p := t.cell.Phase(s.Index)
	if p == nil || t.step == s.Start || t.done() {
		return nil
	}
	reached := p.HasTarget() && t.state.Evaluated == t.step && 100*t.lowestAccuracy() >= p.Until &&
		(p.UntilLoss == 0 || *t.state.TrainLoss <= p.UntilLoss)
	switch {
	case !reached && t.step-s.Start < p.Steps:
		return nil
	case !reached && p.HasTarget() && s.Attempt+1 < p.Attempts:
		return t.enter(s.Index, s.Attempt+1)
	}
	return t.enter(s.Index+1, 0)
}

// phaseRun returns the record of the present attempt.
func (t *trainer) phaseRun() record.Phase {
	s := &t.state.Phase
	r := record.Phase{Phase: s.Index + 1, Attempt: s.Attempt + 1, First: s.Start + 1, Last: t.step, Kinds: t.kindNames()}
	if t.state.Evaluated == t.step {
		r.Accuracy, r.TrainLoss = new(t.lowestAccuracy()), t.state.TrainLoss
	}
	return r
}

// lowestAccuracy returns that of the kinds that the phase trains on, in the last evaluation.
func (t *trainer) lowestAccuracy() float64 {
	lowest := 1.0
	for k, a := range t.state.Accuracy {
		if t.state.Phase.trains(k) {
			lowest = min(lowest, a)
		}
	}
	return lowest
}

func (s *phaseState) trains(kind int) bool {
	return len(s.Kinds) == 0 || slices.Contains(s.Kinds, kind)
}

// kindNames returns the kinds that the phase trains on, nil for all.
func (t *trainer) kindNames() (names []string) {
	for _, k := range t.state.Phase.Kinds {
		names = append(names, t.src.Kinds()[k])
	}
	return names
}

// enter begins an attempt at a phase: it replaces the model by one with the phase's
// settings. The phase decides whether weights and optimizer state are kept.
func (t *trainer) enter(index, attempt int) error {
	p := t.cell.Phase(index)
	next := phaseState{PhaseStart: study.PhaseStart{Index: index, Attempt: attempt, Start: t.step}}
	if p != nil {
		next.Kinds = t.phaseKinds(p, attempt)
		if p.Below > 0 && next.Kinds == nil {
			return t.enter(index+1, 0)
		}
	}
	keep := p != nil && p.KeepOptimizer
	if keep {
		next.Kept = t.state.Phase.Kept + t.step - t.state.Phase.Start
	}
	m, err := t.build(next)
	if err != nil {
		return err
	}
	if restart := attempt > 0 || p != nil && p.Restart; !restart {
		st, err := models.StateOf(t.model)
		if err == nil && !keep {
			st, err = checkpoint.WithWeights(m.State(), checkpoint.Weights(st))
		}
		if err == nil {
			err = m.Restore(st)
		}
		if err != nil {
			return fmt.Errorf("step %d: entering phase %d: %w", t.step, index+1, err)
		}
	}
	t.state.Phases = append(t.state.Phases, t.phaseRun())
	models.Close(t.model)
	t.model, t.state.Phase, t.state.Errors, t.redraw = m, next, nil, true
	t.startPace()
	t.progress.Phase(t.describePhase())
	return nil
}

// phaseKinds returns the kinds that an attempt at a phase trains on, nil for all. Later
// attempts use those of the first: kinds that the first attempt did not train on may have
// been forgotten in it.
func (t *trainer) phaseKinds(p *models.Phase, attempt int) []int {
	if attempt > 0 {
		return t.state.Phase.Kinds
	}
	kinds := indexes(p.Kinds, t.src.Kinds())
	for k, a := range t.state.Accuracy {
		if 100*a < p.Below {
			kinds = append(kinds, k)
		}
	}
	return kinds
}

// describePhase says which phase the run is in.
func (t *trainer) describePhase() string {
	s, p := t.state.Phase, t.cell.Phase(t.state.Phase.Index)
	if p == nil {
		return "main phase"
	}
	text := fmt.Sprintf("phase %d of %d, attempt %d: up to %s%s", s.Index+1, len(t.cell.Training.Phases)+1, s.Attempt+1,
		printable.Count(p.Steps, "steps"), study.DescribePhase(p, t.kindNames()))
	if p.Until > 0 {
		text += fmt.Sprintf(", until %g %% on validation", p.Until)
	}
	return text
}

// weights returns the present sampling weights of the kinds, nil for the task's own.
func (t *trainer) weights() ([]float64, error) {
	all := t.src.Kinds()
	weights, err := t.cell.Protocol.Mixture.Weights(all, t.state.Errors)
	if err != nil || len(t.state.Phase.Kinds) == 0 {
		return weights, err
	}
	if weights == nil {
		weights = slices.Repeat([]float64{1}, len(all))
	}
	for k := range weights {
		if !t.state.Phase.trains(k) {
			weights[k] = 0
		}
	}
	return weights, nil
}
