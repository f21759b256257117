package benchmarks

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"memobench/benchmarks/record"
	"memobench/benchmarks/suggest"
	"memobench/datasets"
	"memobench/models"
	"memobench/models/checkpoint"
)

// phaseState says where in its curriculum a run is. The zero value is the start of
// the first phase, or of the main one where there is no other.
type phaseState struct {
	Index   int   `json:"index"`   // among the cell's phases; their number for the main phase
	Attempt int   `json:"attempt"` // 0 for the first
	Start   int   `json:"start"`   // updates done when the attempt began
	Kinds   []int `json:"kinds"`   // trained on; empty for all
	Kept    int   `json:"kept"`    // updates of the optimizer that the phase began with
}

// phase returns the phase of an index, nil for the main one.
func (c *Cell) phase(index int) *models.Phase {
	if index < len(c.Training.Phases) {
		return &c.Training.Phases[index]
	}
	return nil
}

// during returns the cell with the settings of a phase's attempt that begins when
// start updates are done, and the number of steps of its learning rate schedule.
// Initial values and dropout masks differ between phases and attempts.
func (c *Cell) during(s phaseState) (*Cell, int, error) {
	out, p := *c, c.phase(s.Index)
	out.Config, out.Training.Start = clone(c.Config), s.Kept
	if s.Index > 0 || s.Attempt > 0 {
		out.Seed = datasets.Mix(c.Seed ^ datasets.Mix(uint64(s.Index)<<32|uint64(s.Attempt)))
	}
	if p == nil {
		return &out, c.Protocol.Steps - s.Start, nil
	}
	for _, part := range []struct {
		name   string
		config any
		values map[string]string
	}{{"config", out.Config, p.Config}, {"training", &out.Training, p.Training}} {
		for _, key := range slices.Sorted(maps.Keys(part.values)) {
			if key == "phases" {
				return nil, 0, fmt.Errorf("training.phases: %s.%s: a phase has no phases", part.name, key)
			}
			if err := setKey(part.config, key, part.values[key]); err != nil {
				return nil, 0, fmt.Errorf("training.phases: phase %d: %s: %w", s.Index+1, part.name, err)
			}
		}
	}
	if p.BatchSize > 0 {
		out.Protocol.BatchSize = p.BatchSize
	}
	return &out, p.Steps, nil
}

// validatePhases names the first value of the curriculum that is out of range.
func (c *Cell) validatePhases() error {
	total := 0
	for i, p := range c.Training.Phases {
		begins := i == 0 || p.Restart
		var problem string
		switch {
		case p.Steps < 1 || p.Steps%c.Protocol.EvaluateEvery != 0:
			problem = fmt.Sprintf("steps: %d, want a multiple of protocol.evaluate_every (%d)", p.Steps, c.Protocol.EvaluateEvery)
		case len(p.Kinds) > 0 && p.Below > 0:
			problem = "kinds and below: want one of them"
		case p.Below != 0 && i == 0:
			problem = "below: there is no phase before the first"
		case !(p.Below >= 0 && p.Below <= 100):
			problem = fmt.Sprintf("below: %g, want 0 to 100 per cent", p.Below)
		case !(p.Until >= 0 && p.Until <= 100):
			problem = fmt.Sprintf("until: %g, want 0 to 100 per cent", p.Until)
		case p.Attempts < 0 || p.Attempts > 1 && (p.Until == 0 || !begins):
			problem = fmt.Sprintf("attempts: %d, want 0 or more, and above 1 only with until, in a phase that begins with initial weights", p.Attempts)
		case p.BatchSize < 0 || p.BatchSize > datasets.MaxBatch:
			problem = fmt.Sprintf("batch_size: %d, want 0 (the protocol's) to %d", p.BatchSize, datasets.MaxBatch)
		case p.KeepOptimizer && begins:
			problem = "keep_optimizer: the phase begins with initial weights"
		}
		if problem != "" {
			return &SettingError{fmt.Errorf("model %s: training.phases: phase %d: %s", c.Label, i+1, problem)}
		}
		total += p.Steps * max(1, p.Attempts)
	}
	if total >= c.Protocol.Steps {
		return &SettingError{fmt.Errorf("model %s: training.phases take up to %d steps: want less than protocol.steps (%d), which include them",
			c.Label, total, c.Protocol.Steps)}
	}
	return nil
}

// checkCurriculum refuses a mixture or phases that the data or the model cannot
// follow, before the first step.
func (t *trainer) checkCurriculum() error {
	c, kinds := t.cell, t.src.Kinds()
	if err := c.validatePhases(); err != nil {
		return err
	}
	if _, err := c.Protocol.Mixture.weights(kinds, nil); err != nil {
		return &SettingError{fmt.Errorf("protocol.mixture = %s: %w", c.Protocol.Mixture, err)}
	}
	chooses := c.Protocol.Mixture != ""
	shapes := map[string][]int{}
	for _, w := range t.model.State().Tensors {
		shapes[w.Name] = w.Shape
	}
	for i := range len(c.Training.Phases) + 1 {
		if i == t.ledger.Phase.Index { // built already
			continue
		}
		m, err := t.build(phaseState{Index: i})
		if err != nil {
			return err
		}
		for _, w := range m.State().Tensors {
			if w.Role == models.Weight && !slices.Equal(shapes[w.Name], w.Shape) {
				return &SettingError{fmt.Errorf("model %s: training.phases: phase %d has a weight %s of shape %v, another phase %v", c.Label, i+1, w.Name, w.Shape, shapes[w.Name])}
			}
		}
	}
	for i, p := range c.Training.Phases {
		chooses = chooses || len(p.Kinds) > 0 || p.Below > 0
		if _, err := indexes(p.Kinds, kinds); err != nil {
			return &SettingError{fmt.Errorf("model %s: training.phases: phase %d: %w", c.Label, i+1, err)}
		}
	}
	if p := c.phase(0); p != nil {
		t.ledger.Phase.Kinds, _ = indexes(p.Kinds, kinds)
	}
	if _, ok := t.src.(datasets.Mixer); chooses && !ok {
		return &SettingError{fmt.Errorf("task %s draws its kinds by itself: it has no mixture, nor phases of some kinds", c.Task)}
	}
	return nil
}

// indexes returns where the given kinds are among all.
func indexes(names, all []string) (list []int, err error) {
	for _, name := range names {
		k := slices.Index(all, name)
		if k < 0 {
			return nil, &suggest.UnknownError{What: "kind", Name: name, Known: all}
		}
		list = append(list, k)
	}
	return list, nil
}

// build builds the model of a phase, with initial weights.
func (t *trainer) build(s phaseState) (models.Model, error) {
	c, steps, err := t.cell.during(s)
	if err != nil {
		return nil, &SettingError{fmt.Errorf("model %s: %w", t.cell.Label, err)}
	}
	return buildDivided(c, t.src.Shape(), steps, t.opts.Threads)
}

// phaseHook enters the next phase, or the next attempt, when one is over.
func phaseHook(_ context.Context, t *trainer) error {
	s := &t.ledger.Phase
	p := t.cell.phase(s.Index)
	if p == nil || t.step == s.Start || t.done() {
		return nil
	}
	reached := p.Until > 0 && t.ledger.Evaluated == t.step && t.learned(p.Until)
	switch {
	case !reached && t.step-s.Start < p.Steps:
		return nil
	case !reached && p.Until > 0 && s.Attempt+1 < p.Attempts:
		return t.enter(s.Index, s.Attempt+1)
	}
	return t.enter(s.Index+1, 0)
}

// phaseRun returns the record of the present attempt.
func (t *trainer) phaseRun() record.Phase {
	s := &t.ledger.Phase
	r := record.Phase{Phase: s.Index + 1, Attempt: s.Attempt + 1, First: s.Start + 1, Last: t.step, Kinds: t.kindNames()}
	if t.ledger.Evaluated == t.step {
		least := 1.0
		for k, a := range t.ledger.Accuracy {
			if s.trains(k) {
				least = min(least, a)
			}
		}
		r.Accuracy = &least
	}
	return r
}

// trains reports whether the phase trains on a kind.
func (s *phaseState) trains(kind int) bool {
	return len(s.Kinds) == 0 || slices.Contains(s.Kinds, kind)
}

// kindNames returns the kinds that the phase trains on, nil for all.
func (t *trainer) kindNames() (names []string) {
	for _, k := range t.ledger.Phase.Kinds {
		names = append(names, t.src.Kinds()[k])
	}
	return names
}

// learned reports whether the last evaluation found every kind of the phase at the
// given accuracy, in per cent.
func (t *trainer) learned(level float64) bool {
	for k, a := range t.ledger.Accuracy {
		if t.ledger.Phase.trains(k) && 100*a < level {
			return false
		}
	}
	return true
}

// enter begins an attempt at a phase: it replaces the model by one with the phase's
// settings, and keeps of the old one what the phase says.
func (t *trainer) enter(index, attempt int) error {
	p := t.cell.phase(index)
	next := phaseState{Index: index, Attempt: attempt, Start: t.step}
	if p != nil {
		var err error
		if next.Kinds, err = t.phaseKinds(p, attempt); err != nil {
			return err
		}
		if p.Below > 0 && next.Kinds == nil {
			return t.enter(index+1, 0)
		}
	}
	keep := p != nil && p.KeepOptimizer
	if keep {
		next.Kept = t.ledger.Phase.Kept + t.step - t.ledger.Phase.Start
	}
	m, err := t.build(next)
	if err != nil {
		return err
	}
	if restart := attempt > 0 || p != nil && p.Restart; !restart {
		st := t.model.State()
		if !keep {
			st, err = checkpoint.WithWeights(m.State(), checkpoint.Weights(st))
		}
		if err == nil {
			err = m.Restore(st)
		}
		if err != nil {
			return fmt.Errorf("step %d: entering phase %d: %w", t.step, index+1, err)
		}
	}
	t.ledger.Phases = append(t.ledger.Phases, t.phaseRun())
	t.model, t.ledger.Phase, t.ledger.Errors, t.redraw = m, next, nil, true
	t.progress.Warned(fmt.Sprintf("step %d: %s", t.step, t.describePhase()))
	return nil
}

// phaseKinds returns the kinds that an attempt at a phase trains on, nil for all. A
// later attempt has those of the first: what the first has forgotten is not below by
// its own weakness.
func (t *trainer) phaseKinds(p *models.Phase, attempt int) ([]int, error) {
	if attempt > 0 {
		return t.ledger.Phase.Kinds, nil
	}
	kinds, err := indexes(p.Kinds, t.src.Kinds())
	for k, a := range t.ledger.Accuracy {
		if 100*a < p.Below {
			kinds = append(kinds, k)
		}
	}
	return kinds, err
}

// describePhase says which phase the run is in.
func (t *trainer) describePhase() string {
	s, p := t.ledger.Phase, t.cell.phase(t.ledger.Phase.Index)
	if p == nil {
		return "main phase"
	}
	text := fmt.Sprintf("phase %d of %d, %d steps", s.Index+1, len(t.cell.Training.Phases)+1, p.Steps)
	if s.Attempt > 0 {
		text += fmt.Sprintf(", attempt %d", s.Attempt+1)
	}
	if names := t.kindNames(); names != nil {
		text += " on " + strings.Join(names, ", ")
	}
	return text
}

// weights returns with which weights kinds are drawn now, nil for the task's own.
func (t *trainer) weights() ([]float64, error) {
	all := t.src.Kinds()
	weights, err := t.cell.Protocol.Mixture.weights(all, t.ledger.Errors)
	if err != nil || len(t.ledger.Phase.Kinds) == 0 {
		return weights, err
	}
	if weights == nil {
		weights = slices.Repeat([]float64{1}, len(all))
	}
	for k := range weights {
		if !t.ledger.Phase.trains(k) {
			weights[k] = 0
		}
	}
	return weights, nil
}

// curriculum describes the mixture and the phases, empty without.
func (c *Cell) curriculum() []string {
	var list []string
	switch c.Protocol.Mixture {
	case "":
	case Adaptive:
		list = append(list, "adaptive mixture of kinds by validation error")
	default:
		list = append(list, "mixture of kinds by weight: "+string(c.Protocol.Mixture))
	}
	for i, p := range c.Training.Phases {
		text := fmt.Sprintf("curriculum: phase %d of up to %d steps", i+1, p.Steps*max(1, p.Attempts))
		switch {
		case p.Below > 0:
			text += fmt.Sprintf(" on kinds below %g %% on validation", p.Below)
		case len(p.Kinds) > 0:
			text += " on " + strings.Join(p.Kinds, ", ")
		}
		for _, part := range []map[string]string{p.Config, p.Training} {
			for _, key := range slices.Sorted(maps.Keys(part)) {
				text += fmt.Sprintf(" %s=%s", key, part[key])
			}
		}
		list = append(list, text)
	}
	return list
}
