package train

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"time"

	"memobench/benchmarks/config"
	"memobench/benchmarks/record"
	"memobench/models"
	"memobench/models/checkpoint"
)

// trainerState is the state of a trainer: everything of a run but the model's state
// and the step. It goes into checkpoints, so that a resumed run continues its
// sums and streaks where they stood.
type trainerState struct {
	Examples  int64   `json:"examples"`
	LossSum   float64 `json:"loss_sum"`   // of steps since the last evaluation
	LossSteps int     `json:"loss_steps"` // their number

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

	Streak     int              `json:"streak"`      // evaluations in a row at the early-stop level
	Stopped    bool             `json:"stopped"`     // the early-stop rule has ended training
	DivergedAt int              `json:"diverged_at"` // 0 in a healthy run
	Selected   int              `json:"selected"`    // step of the weights kept by selection
	Warnings   []record.Warning `json:"warnings,omitempty"`

	// CurveSHA is the SHA-256 of curve.jsonl so far; empty in earlier checkpoints.
	CurveSHA string `json:"curve_sha256,omitempty"`

	// BLAS names the BLAS of the last session; empty when the
	// caller did not tell. Labels are the texts of the caveats of other BLAS.
	BLAS   string   `json:"blas,omitempty"`
	Labels []string `json:"labels,omitempty"`

	Started  string  `json:"started"` // RFC 3339
	Sessions int     `json:"sessions"`
	Damaged  int     `json:"damaged_checkpoints,omitempty"` // sessions that began from an older one for that reason
	Wall     float64 `json:"wall_seconds"`
	CPU      float64 `json:"cpu_seconds"`
	Training float64 `json:"train_seconds"`

	worst float64 // loss above which the run has diverged; 0 for none
}

// worstLoss returns the highest loss, in nats, from which a run may recover: 1e6
// times that of guessing among so many words.
func worstLoss(words int) float64 { return 1e6 * math.Log(float64(max(2, words))) }

// diverges reports whether a loss means that the run has diverged.
func (l *trainerState) diverges(loss float64) bool {
	return !finite(loss) || l.worst > 0 && loss > l.worst
}

// begin opens a session under the given BLAS and returns what is to be said of
// it, empty for nothing.
func (l *trainerState) begin(now time.Time, blas string) (news string) {
	if blas != "" {
		if l.BLAS != "" && l.BLAS != blas {
			news = "resumed under another BLAS: " + blas + " after " + l.BLAS
			if !slices.Contains(l.Labels, news) {
				l.Labels = append(l.Labels, news)
			}
		}
		l.BLAS = blas
	}
	if l.Sessions == 0 {
		l.Started = now.UTC().Format(time.RFC3339)
	}
	l.Sessions++
	return news
}

// step books a training step and returns the warnings seen for the first time.
func (l *trainerState) step(step, examples int, s models.StepStats) (news []string) {
	l.Examples += int64(examples)
	l.LossSum += s.Loss
	l.LossSteps++
	l.Rate, l.GradNorm = s.LearningRate, nil
	if finite(s.GradNorm) {
		l.GradNorm = new(s.GradNorm)
	}
	if l.diverges(s.Loss) || !finite(l.LossSum) {
		l.DivergedAt = step
		// JSON has no NaN, and no sum can be made of one.
		l.LossSum, l.LossSteps = 0, 0
	}
	for _, text := range s.Warnings {
		if l.warn(text, step) {
			news = append(news, text)
		}
	}
	return news
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// warn counts a warning and reports whether it is a new one.
func (l *trainerState) warn(text string, step int) bool {
	for i := range l.Warnings {
		if l.Warnings[i].Text == text {
			l.Warnings[i].Steps++
			return false
		}
	}
	l.Warnings = append(l.Warnings, record.Warning{Text: text, First: step, Steps: 1})
	return true
}

// meanLoss returns the mean training loss since the last evaluation.
func (l *trainerState) meanLoss() float64 {
	if l.LossSteps == 0 {
		return 0
	}
	return l.LossSum / float64(l.LossSteps)
}

// evaluated books an evaluation and reports whether it is the best so far.
func (l *trainerState) evaluated(p Point, rule *config.EarlyStop) (best bool) {
	l.TrainLoss = new(p.TrainLoss)
	l.LossSum, l.LossSteps = 0, 0
	l.Evaluated = p.Step
	l.Curve.Points++
	l.Curve.SelectedLoss = new(p.Loss)
	l.Accuracy = l.Accuracy[:0]
	for _, k := range p.Kinds {
		l.Accuracy = append(l.Accuracy, float64(k.Correct)/float64(max(1, k.Total)))
	}
	if best = l.Curve.BestStep <= l.Phase.Start || p.Loss < l.Curve.BestLoss; best {
		l.Curve.BestStep, l.Curve.BestLoss, l.Curve.BestAccuracy = p.Step, p.Loss, p.Accuracy()/100
	}
	if rule == nil {
		return best
	}
	if rule.Plateau && !best || !rule.Plateau && reached(rule, p) {
		l.Streak++
	} else {
		l.Streak = 0
	}
	l.Stopped = l.Streak >= rule.Evaluations
	return best
}

// reached reports whether every level of the rule is met.
func reached(r *config.EarlyStop, p Point) bool {
	met := 0
	for _, k := range p.Kinds {
		if level, ok := r.Accuracy[k.Name]; ok {
			if k.Total == 0 || 100*float64(k.Correct) < level*float64(k.Total) {
				return false
			}
			met++
		}
	}
	return met == len(r.Accuracy)
}

// sessionClock measures a session and adds it to the sessions before.
type sessionClock struct {
	start                 time.Time
	cpu                   float64
	wallBefore, cpuBefore float64
}

func startClock(l *trainerState) sessionClock {
	return sessionClock{start: time.Now(), cpu: CPUSeconds(), wallBefore: l.Wall, cpuBefore: l.CPU}
}

// seconds returns the wall time of this session.
func (c *sessionClock) seconds() float64 { return time.Since(c.start).Seconds() }

// wall returns the wall time of all sessions.
func (c *sessionClock) wall() float64 { return c.wallBefore + c.seconds() }

// addTo adds the times of all sessions to the state.
func (c *sessionClock) addTo(l *trainerState) {
	l.Wall = c.wall()
	l.CPU = c.cpuBefore + CPUSeconds() - c.cpu
}

// save writes a checkpoint of the run as it is, unless the directory is not the run's
// any more.
func (t *trainer) save() error {
	if err := t.dir.inPlace(); err != nil {
		return err
	}
	// The checkpoint counts the curve's points: they must not be lost when it
	// is not.
	if err := t.curve.sync(); err != nil {
		return err
	}
	t.session.addTo(&t.state)
	t.state.CurveSHA = t.curve.sum()
	st, err := models.StateOf(t.model)
	if err != nil {
		return err
	}
	cell, err := json.Marshal(t.cell)
	if err != nil {
		return err
	}
	state, err := json.Marshal(&t.state)
	if err != nil {
		return err
	}
	err = checkpoint.Save(t.dir.file(checkpointName), &checkpoint.Checkpoint{
		Step: t.step, CellHash: t.cell.Hash(), ProtocolHash: t.cell.ProtocolHash(), DatasetHash: t.src.Spec().Hash,
		Config: cell, Vocabulary: config.Vocabulary(t.src), Trainer: state, State: st, Selected: t.selected,
	})
	t.saved = time.Now()
	return t.dir.explain(err)
}

// restore puts a checkpoint's state in place. Cell and data have been compared.
func (t *trainer) restore(c *checkpoint.Checkpoint) error {
	if c.Step > t.cell.Protocol.Steps {
		return fmt.Errorf("resuming: checkpoint of step %d of %d", c.Step, t.cell.Protocol.Steps)
	}
	if err := json.Unmarshal(c.Trainer, &t.state); err != nil {
		return fmt.Errorf("resuming: trainer state: %w", err)
	}
	if t.state.Phase.Start > 0 {
		m, err := t.build(t.state.Phase)
		if err != nil {
			return fmt.Errorf("resuming: %w", err)
		}
		models.Close(t.model)
		t.model = m
	}
	if err := t.model.Restore(c.State); err != nil {
		return fmt.Errorf("resuming: %w", err)
	}
	t.step, t.selected = c.Step, c.Selected
	return nil
}
