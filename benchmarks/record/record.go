// Package record defines the result record: one JSON file per run, the only source of
// every table, figure and comparison.
//
// What comes in: a filled Record (package train makes it), or a
// record.json on disk. What goes out: record.json, and bench.txt, the same in
// the Go benchmark format that benchstat reads. What always holds:
//
//   - A file with an unknown schema version, an unknown key, or an impossible number
//     (NaN, infinite, more right answers than questions) is refused. The error names
//     the file and the key.
//   - Accuracies are stored as counts: right answers and questions, per kind of
//     question, and per answer where a question asks for several.
//   - A run that diverged has no right answers and says so in its status and
//     caveats; it is never left out and never a NaN.
//   - All times are in one group (Times), so that Record.WithoutTimes is equal
//     for two runs with the same seed on the same machine.
//   - Metrics declare their name, unit and direction (metric.go).
//
// SCHEMA.md lists every key; a test of package datasets/export compares it with the doc
// tags of the types here.
//
// A reader of results needs no task and no model: this package imports package datasets
// only for caveats and presentations.
package record

import (
	"math"

	"memobench/datasets"
)

// Version is the schema version that this package writes and reads.
const Version = 2

// Record is the result of one run: one model, one task, one seed.
type Record struct {
	Schema      int              `json:"schema" doc:"schema version of this file"`
	Identity    Identity         `json:"identity" doc:"what was run"`
	Origin      Origin           `json:"origin" doc:"where the counts come from: trained, evaluated (stored weights, evaluated again) or scored (predictions of another program)"`
	Shift       *Shift           `json:"shift,omitempty" doc:"in what the questions differ from those of training; absent where they do not"`
	Status      Status           `json:"status" doc:"how the run ended: complete, early-stopped, diverged or interrupted"`
	Caveats     datasets.Caveats `json:"caveats" doc:"why the numbers of this run are not the paper's, such as a reduced size, those of the data first; empty for a run as its protocol and the paper have it"`
	Protocol    Protocol         `json:"protocol" doc:"what was trained on what, for how long, and how it is evaluated"`
	Dataset     Dataset          `json:"dataset" doc:"the data"`
	Model       Model            `json:"model" doc:"the network and its training recipe"`
	Training    Training         `json:"training" doc:"what training did"`
	Curve       Curve            `json:"curve" doc:"summary of the learning curve; curve.jsonl holds its points"`
	Evaluation  Evaluation       `json:"evaluation" doc:"the evaluation: counts on the evaluated split"`
	Environment Environment      `json:"environment" doc:"code, machine and libraries"`
	Times       Times            `json:"times" doc:"everything that differs between two runs of the same seed, but for files"`

	// Files is nil in records of evaluations without training; with a shift, it has only
	// the weights.
	Files map[string]string `json:"files,omitempty" doc:"SHA-256 of the weights and the curve, by file name, in hexadecimal digits; the curve has times in it"`
}

// Protocol is the protocol of a run. Runs of different hashes are never
// averaged.
type Protocol struct {
	Hash   string `json:"hash" doc:"hash of the values; runs of different hashes are never averaged"`
	Values Values `json:"values" doc:"every protocol value, as in a preset's protocol block, with the task and its settings"`
}

// Dataset says which data a run used.
type Dataset struct {
	Task     string            `json:"task" doc:"task with its sizes"`
	Settings map[string]string `json:"settings" doc:"every setting that changes the data"`
	Hash     string            `json:"hash" doc:"hash of the data: of the files' contents, or of the generator's settings and version"`
	Caveats  datasets.Caveats  `json:"caveats,omitempty" doc:"in what the data are not the paper's"`

	Presentation datasets.Presentation `json:"presentation,omitzero" doc:"how reports show the task; absent for a task whose name says enough"`
}

// DatasetOf returns the data of a source for the record of a run; task is the registry name.
func DatasetOf(task string, s datasets.Spec) Dataset {
	return Dataset{Task: s.Task, Settings: s.Settings, Hash: s.Hash, Caveats: s.Caveats,
		Presentation: datasets.Present(task, s.Task, s.Settings)}
}

// Model is the network and its recipe, fully resolved.
type Model struct {
	Config     map[string]any `json:"config" doc:"every value of the model's configuration; a setting that came later is absent where it has the value that it had before"`
	Training   map[string]any `json:"training" doc:"optimizer and learning rate schedule"`
	Parameters int            `json:"parameters,omitempty" doc:"number of trained scalars; absent when the model does not tell"`
}

// Training says what training did.
type Training struct {
	Steps        int   `json:"steps" doc:"updates done"`
	Examples     int64 `json:"examples" doc:"training examples seen, repeats counted"`
	SelectedStep int   `json:"selected_step" doc:"step whose weights were evaluated"`

	Loss *float64 `json:"loss,omitempty" doc:"mean training loss since the last point of the curve before the end, nats; absent after a divergence"`

	Phases []Phase `json:"phases,omitempty" doc:"what was trained in turn, of a run with a curriculum"`

	// DivergedAt is set only when Status is Diverged.
	DivergedAt int `json:"diverged_at,omitempty" doc:"step whose loss was NaN, infinite or above 1e6 times that of guessing; absent in other runs"`

	Warnings []Warning `json:"warnings,omitempty" doc:"pathologies that the model reported while training"`
}

// Phase is one attempt at a phase of a curriculum.
type Phase struct {
	Phase     int      `json:"phase" doc:"number among the phases, from 1; the main phase is the last"`
	Attempt   int      `json:"attempt" doc:"number among the attempts at the phase, from 1"`
	First     int      `json:"first" doc:"first step"`
	Last      int      `json:"last" doc:"last step"`
	Kinds     []string `json:"kinds,omitempty" doc:"kinds that were trained on; absent for all"`
	Accuracy  *float64 `json:"accuracy,omitempty" doc:"lowest validation accuracy of those kinds at the end, a fraction"`
	TrainLoss *float64 `json:"train_loss,omitempty" doc:"mean training loss before its last evaluation, since the one before or its start, nats"`
}

// Warning is a pathology that a model reported in one or more steps.
type Warning struct {
	Text  string `json:"text" doc:"what the model reported"`
	First int    `json:"first" doc:"first step that reported it"`
	Steps int    `json:"steps" doc:"number of steps that reported it"`
}

// Curve summarises the learning curve on the validation split.
type Curve struct {
	Points       int     `json:"points" doc:"evaluations made during training"`
	BestStep     int     `json:"best_step,omitempty" doc:"step of the lowest validation loss"`
	BestLoss     float64 `json:"best_loss,omitempty" doc:"lowest validation loss, nats"`
	BestAccuracy float64 `json:"best_accuracy,omitempty" doc:"mean accuracy over the kinds at that step, a fraction"`

	SelectedLoss *float64 `json:"selected_loss,omitempty" doc:"validation loss of the weights that were evaluated, nats; absent where the curve has no point at training.selected_step, and in records made before it was recorded"`
}

// ValidationLoss returns the validation loss of the evaluated weights, which need not be
// the lowest of the curve. It is unknown for a run that diverged or whose curve has no
// point at the evaluated step.
func (r *Record) ValidationLoss() (float64, bool) { return r.unlessDiverged(r.Curve.SelectedLoss) }

// TrainingLoss returns the loss at the end of training; false for a run that diverged.
func (r *Record) TrainingLoss() (float64, bool) { return r.unlessDiverged(r.Training.Loss) }

func (r *Record) unlessDiverged(loss *float64) (float64, bool) {
	if r.Status == Diverged || loss == nil {
		return 0, false
	}
	return *loss, true
}

// OrInfinite returns a loss for comparisons: infinite for a run without one.
func OrInfinite(loss float64, ok bool) float64 {
	if !ok {
		return math.Inf(1)
	}
	return loss
}

// Times holds everything that differs between two runs of the same seed.
type Times struct {
	Started     string  `json:"started" doc:"start of the first session, RFC 3339, UTC"`
	Finished    string  `json:"finished" doc:"end of the last session, RFC 3339, UTC"`
	WallSeconds float64 `json:"wall_seconds" doc:"wall time of all sessions together, evaluation included"`
	CPUSeconds  float64 `json:"cpu_seconds" doc:"CPU time of the process during the run, all cores, all sessions, and the time for which a model in another process was waited for; other runs of the same process are in it when parallel_runs is above 1"`

	TrainSeconds   float64 `json:"train_seconds" doc:"wall time of training steps alone, waiting for batches included"`
	ExamplesPerSec float64 `json:"examples_per_second" doc:"training examples over train_seconds"`
	Sessions       int     `json:"sessions" doc:"1 for an uninterrupted run, one more for each resume"`
	Damaged        int     `json:"damaged_checkpoints,omitempty" doc:"sessions that resumed from the last checkpoint but one, because the last was damaged; absent for none"`
	ParallelRuns   int     `json:"parallel_runs" doc:"runs that the process worked on at a time, at most"`
}

// WithoutTimes returns a copy of r with its Times and Files cleared: equal for
// two runs of the same configuration and seed on the same machine.
func (r Record) WithoutTimes() Record {
	r.Times, r.Files = Times{}, nil
	return r
}

// Status says how a run ended.
type Status string

// The ways in which a run ends.
const (
	// Complete: all steps of the protocol were done.
	Complete Status = "complete"
	// EarlyStopped: the protocol's early-stop rule ended training.
	EarlyStopped Status = "early-stopped"
	// Diverged: a loss became NaN, infinite or far above that of guessing. The
	// accuracy of the run counts as 0.
	Diverged Status = "diverged"
	// Interrupted: a time limit ended training before all steps were done. The run
	// can be resumed.
	Interrupted Status = "interrupted"
)

var statuses = []Status{Complete, EarlyStopped, Diverged, Interrupted}

// Finished reports whether the run is done: every status except Interrupted.
func (s Status) Finished() bool { return s != Interrupted }

// Failed reports whether the run counts as a failure of its model.
func (s Status) Failed() bool { return s == Diverged }

// Origin says where a record's counts come from.
type Origin string

// The origins of records.
const (
	// Trained: evaluated at the end of training.
	Trained Origin = "trained"
	// Evaluated: stored weights were evaluated again, possibly on other questions.
	Evaluated Origin = "evaluated"
	// Scored: the predictions of another program were scored.
	Scored Origin = "scored"
)

var origins = []Origin{Trained, Evaluated, Scored}
