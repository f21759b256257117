package study

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"memobench/datasets"
	"memobench/models"
)

// Phase returns the phase of an index, nil for the main one.
func (c *Cell) Phase(index int) *models.Phase {
	if index < len(c.Training.Phases) {
		return &c.Training.Phases[index]
	}
	return nil
}

// PhaseStart says where an attempt at a phase begins.
type PhaseStart struct {
	Index   int `json:"index"`   // among the cell's phases; their number for the main phase
	Attempt int `json:"attempt"` // 0 for the first
	Start   int `json:"start"`   // updates done when the attempt began
	Kept    int `json:"kept"`    // updates of the optimizer that the phase began with
}

// During returns the cell with the settings of an attempt at a phase, whose steps are those of
// its learning rate schedule. Its seed differs between phases and attempts, and
// so do initial weights and dropout masks.
func (c *Cell) During(s PhaseStart) (*Cell, error) {
	out, p := *c, c.Phase(s.Index)
	out.Training.Start = s.Kept
	if s.Index > 0 || s.Attempt > 0 {
		out.Seed = datasets.Mix(c.Seed ^ datasets.Mix(uint64(s.Index)<<32|uint64(s.Attempt)))
	}
	if p == nil {
		out.Training.Steps = c.Protocol.Steps - s.Start
		return &out, nil
	}
	out.Config = clone(c.Config)
	if len(p.Task) > 0 {
		out.Settings = clone(c.Settings)
	}
	for _, part := range []struct {
		name   string
		config any
		values map[string]string
	}{{"task", out.Settings, p.Task}, {"config", out.Config, p.Config}, {"training", &out.Training, p.Training}} {
		for _, key := range slices.Sorted(maps.Keys(part.values)) {
			if key == "phases" {
				return nil, fmt.Errorf("training.phases: %s.%s: a phase has no phases", part.name, key)
			}
			if err := setKey(part.config, key, part.values[key]); err != nil {
				return nil, fmt.Errorf("training.phases: phase %d: %s: %w", s.Index+1, part.name, err)
			}
		}
	}
	if p.BatchSize > 0 {
		out.Protocol.BatchSize = p.BatchSize
	}
	out.Training.Steps = p.Steps
	return &out, nil
}

// Commands lists the commands that building the models of a cell starts, those of its phases
// included.
func (c *Cell) Commands() (list []string) {
	for i := range len(c.Training.Phases) + 1 {
		during, err := c.During(PhaseStart{Index: i})
		if err != nil {
			continue // Validate reports it
		}
		if starter, ok := during.Config.(interface{ StartsCommand() string }); ok {
			list = append(list, starter.StartsCommand())
		}
	}
	return list
}

// validatePhases returns an error for the first wrong value of the curriculum.
func (c *Cell) validatePhases() error {
	total := 0
	task, _ := datasets.Lookup(c.Task)
	for i, p := range c.Training.Phases {
		if err := models.CheckRanges(&p); err != nil {
			return fmt.Errorf("training.phases: phase %d: %w", i+1, err)
		}
		begins := i == 0 || p.Restart
		var problem string
		fixed := slices.DeleteFunc(slices.Sorted(maps.Keys(p.Task)), func(key string) bool { return slices.Contains(task.Sizes, key) })
		switch {
		case len(fixed) > 0:
			problem = fmt.Sprintf("task.%s: want settings that a phase can change: %s", fixed[0], cmp.Or(strings.Join(task.Sizes, ", "), "none of task "+c.Task))
		case p.Steps < 1 || p.Steps%c.Protocol.EvaluateEvery != 0:
			problem = fmt.Sprintf("steps: %d, want a multiple of protocol.evaluate_every (%d)", p.Steps, c.Protocol.EvaluateEvery)
		case len(p.Kinds) > 0 && p.Below > 0:
			problem = "kinds and below: both are given, want one of them"
		case len(p.Task) > 0 && (len(p.Kinds) > 0 || p.Below > 0):
			problem = "task: the phase trains on all kinds of its own questions; want neither kinds nor below with it"
		case len(p.Task) > 0 && p.Until > 0:
			problem = "until: validation has the questions of the main phase, not those of task; want until_loss with task"
		case len(p.Task) > 0 && c.Protocol.Mixture != "":
			problem = "task: a phase with its own questions cannot have a protocol.mixture"
		case p.Below != 0 && i == 0:
			problem = "below: there is no phase before the first"
		case p.Attempts > 1 && (!p.HasTarget() || !begins):
			problem = fmt.Sprintf("attempts: %d, want more than 1 only with until or until_loss, in a phase that begins with initial weights", p.Attempts)
		case p.BatchSize < 0 || p.BatchSize > datasets.MaxBatch:
			problem = fmt.Sprintf("batch_size: %d, want 0 (the protocol's) to %d", p.BatchSize, datasets.MaxBatch)
		case p.KeepOptimizer && begins:
			problem = "keep_optimizer: the phase begins with initial weights, so there is no optimizer to keep"
		}
		if problem != "" {
			return fmt.Errorf("training.phases: phase %d: %s", i+1, problem)
		}
		total += p.Steps * max(1, p.Attempts)
	}
	if total > 0 && total >= c.Protocol.Steps {
		return fmt.Errorf("training.phases take up to %d steps: want less than protocol.steps (%d), which include them", total, c.Protocol.Steps)
	}
	return nil
}

// DescribePhase returns what a phase trains on, the given kinds if there are any, and its
// settings, to be put behind its number.
func DescribePhase(p *models.Phase, kinds []string) (text string) {
	switch {
	case len(kinds) > 0:
		text = " on " + strings.Join(kinds, ", ")
	case p.Below > 0:
		text = fmt.Sprintf(" on kinds below %g %% on validation", p.Below)
	case len(p.Task) > 0:
		text = " on questions with" + assignments(p.Task)
	}
	text += assignments(p.Config) + assignments(p.Training)
	if p.UntilLoss > 0 {
		text += fmt.Sprintf(", until the training loss is at most %g", p.UntilLoss)
	}
	return text
}

// assignments returns " key=value" for each setting.
func assignments(settings map[string]string) (text string) {
	for _, key := range slices.Sorted(maps.Keys(settings)) {
		text += fmt.Sprintf(" %s=%s", key, settings[key])
	}
	return text
}
