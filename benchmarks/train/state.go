package train

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"time"

	"memobench/benchmarks/record"
	"memobench/benchmarks/study"
	"memobench/models"
	"memobench/models/checkpoint"
)

// trainerState is the state of a run that a checkpoint holds next to the model's state
// and the step.
type trainerState struct {
	Examples  int64   `json:"examples"`
	LossSum   float64 `json:"loss_sum"`   // over the steps since the last evaluation
	LossSteps int     `json:"loss_steps"` // number of those steps

	// Of the last step, for the next point of the curve.
	Rate     float64  `json:"learning_rate"`
	GradNorm *float64 `json:"grad_norm"` // nil when not finite

	Evaluated int            `json:"evaluated"`  // step of the last evaluation, 0 before the first
	TrainLoss *float64       `json:"train_loss"` // mean before that evaluation
	Curve     record.Curve   `json:"curve"`      // summary so far
	Phase     phaseState     `json:"phase"`
	Phases    []record.Phase `json:"phases,omitempty"`   // those before Phase
	Accuracy  []float64      `json:"accuracy,omitempty"` // of the last evaluation, by kind
	Errors    []float64      `json:"errors,omitempty"`   // moving averages by kind, of an adaptive mixture

	Streak     int              `json:"streak"`      // consecutive evaluations that meet the early-stop rule
	Stopped    bool             `json:"stopped"`     // the early-stop rule has ended training
	DivergedAt int              `json:"diverged_at"` // 0 in a healthy run
	Selected   int              `json:"selected"`    // step of the weights kept by selection
	Warnings   []record.Warning `json:"warnings,omitempty"`

	// CurveText is the content of curve.jsonl so far.
	CurveText string `json:"curve_text,omitempty"`

	// BLAS names the BLAS of the last session; empty when unknown. Labels are the
	// texts of the caveats of kind OtherBLAS.
	BLAS   string   `json:"blas,omitempty"`
	Labels []string `json:"labels,omitempty"`

	Started  string  `json:"started"` // RFC 3339
	Sessions int     `json:"sessions"`
	Damaged  int     `json:"damaged_checkpoints,omitempty"` // sessions that resumed from an older checkpoint because of one
	Wall     float64 `json:"wall_seconds"`
	CPU      float64 `json:"cpu_seconds"`
	Training float64 `json:"train_seconds"`

	maxLoss float64 // above it the run has diverged; 0 for no limit
}

// maxLoss returns the highest loss, in nats, from which a run may recover: 1e6 times
// that of guessing among that many words.
func maxLoss(words int) float64 { return 1e6 * math.Log(float64(max(2, words))) }

// diverges reports whether a loss means that the run has diverged.
func (s *trainerState) diverges(loss float64) bool {
	return !record.Finite(loss) || s.maxLoss > 0 && loss > s.maxLoss
}

// begin starts a session under a BLAS. It returns a warning if that has changed, else "".
func (s *trainerState) begin(now time.Time, blas string) (warning string) {
	if s.BLAS != "" && blas != "" && s.BLAS != blas {
		warning = "resumed with another BLAS or number of threads: " + blas + " after " + s.BLAS
		if !slices.Contains(s.Labels, warning) {
			s.Labels = append(s.Labels, warning)
		}
	}
	s.BLAS = cmp.Or(blas, s.BLAS)
	if s.Sessions == 0 {
		s.Started = now.UTC().Format(time.RFC3339)
	}
	s.Sessions++
	return warning
}

// step adds a training step and returns the warnings that are new.
func (s *trainerState) step(step, examples int, stats models.StepStats) (warnings []string) {
	s.Examples += int64(examples)
	s.LossSum += stats.Loss
	s.LossSteps++
	s.Rate, s.GradNorm = stats.LearningRate, nil
	if record.Finite(stats.GradNorm) {
		s.GradNorm = new(stats.GradNorm)
	}
	if s.diverges(stats.Loss) || !record.Finite(s.LossSum) {
		s.DivergedAt = step
		s.LossSum, s.LossSteps = 0, 0 // JSON has no NaN
	}
	for _, text := range stats.Warnings {
		if i := slices.IndexFunc(s.Warnings, func(w record.Warning) bool { return w.Text == text }); i >= 0 {
			s.Warnings[i].Steps++
			continue
		}
		s.Warnings = append(s.Warnings, record.Warning{Text: text, First: step, Steps: 1})
		warnings = append(warnings, text)
	}
	return warnings
}

// meanLoss returns the mean training loss since the last evaluation; 0 before the next step.
func (s *trainerState) meanLoss() float64 { return s.LossSum / float64(max(1, s.LossSteps)) }

// evaluated adds an evaluation and reports whether it is the best of the phase so far.
func (s *trainerState) evaluated(p record.Point, rule *study.EarlyStop) (best bool) {
	s.TrainLoss = new(p.TrainLoss)
	s.LossSum, s.LossSteps = 0, 0
	s.Evaluated = p.Step
	s.Curve.Points++
	s.Curve.SelectedLoss = new(p.Loss)
	s.Accuracy = s.Accuracy[:0]
	for _, k := range p.Kinds {
		s.Accuracy = append(s.Accuracy, float64(k.Correct)/float64(max(1, k.Total)))
	}
	if best = s.Curve.BestStep <= s.Phase.Start || p.Loss < s.Curve.BestLoss; best {
		s.Curve.BestStep, s.Curve.BestLoss, s.Curve.BestAccuracy = p.Step, p.Loss, p.Accuracy()/100
	}
	if rule == nil {
		return best
	}
	s.Streak++
	if rule.Plateau && best || !rule.Plateau && !reached(rule, p) {
		s.Streak = 0
	}
	s.Stopped = s.Streak >= rule.Evaluations
	return best
}

// reached reports whether every level of the rule is met.
func reached(r *study.EarlyStop, p record.Point) bool {
	for kind, level := range r.Accuracy {
		i := slices.IndexFunc(p.Kinds, func(k record.Kind) bool { return k.Name == kind })
		if i < 0 || p.Kinds[i].Total == 0 || 100*float64(p.Kinds[i].Correct) < level*float64(p.Kinds[i].Total) {
			return false
		}
	}
	return true
}

// wall returns the wall time of all sessions in seconds.
func (t *trainer) wall() float64 { return t.state.Wall + time.Since(t.added).Seconds() }

// addTimes adds the times since it was last called to the state.
func (t *trainer) addTimes() {
	cpu := CPUSeconds()
	t.state.Wall, t.state.CPU = t.wall(), t.state.CPU+cpu-t.addedCPU
	t.added, t.addedCPU = time.Now(), cpu
}

// pace measures training since the session or the phase began: phases differ in the cost of
// a step.
type pace struct {
	start    time.Time
	step     int
	examples int64
}

func (t *trainer) startPace() { t.pace = pace{time.Now(), t.step, t.state.Examples} }

func (t *trainer) save() error {
	t.addTimes()
	st, err := models.StateOf(t.model)
	cell, err2 := json.Marshal(t.cell)
	state, err3 := json.Marshal(&t.state)
	if err := cmp.Or(err, err2, err3); err != nil {
		return err
	}
	err = checkpoint.Save(t.dir.file(checkpointName), &checkpoint.Checkpoint{
		Step: t.step, CellHash: t.cell.Hash(), ProtocolHash: t.cell.ProtocolHash(), DatasetHash: t.src.Spec().Hash,
		Config: cell, Vocabulary: study.Vocabulary(t.src), Trainer: state, State: st, Selected: t.selected,
	})
	if err == nil {
		t.kept = t.step
	}
	t.saved = time.Now()
	return err
}

// restore restores a checkpoint. The caller has compared cell and data.
func (t *trainer) restore(c *checkpoint.Checkpoint) error {
	if err := json.Unmarshal(c.Trainer, &t.state); err != nil {
		return fmt.Errorf("resuming: trainer state: %w", err)
	}
	if t.state.CurveText == "" && t.state.Curve.Points > 0 {
		return fmt.Errorf("resuming: the checkpoint is of an earlier version and has no learning curve; --overwrite starts anew")
	}
	if t.state.Phase.Start > 0 {
		if err := t.rebuild(); err != nil {
			return fmt.Errorf("resuming: %w", err)
		}
	}
	if err := t.model.Restore(c.State); err != nil {
		return fmt.Errorf("resuming: %w", err)
	}
	t.step, t.selected = c.Step, c.Selected
	return nil
}
