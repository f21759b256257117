package record

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
	// Trained: evaluated at the end of training. Older records have no origin; all of
	// them were trained.
	Trained Origin = "trained"
	// Evaluated: stored weights were evaluated again, possibly on other questions.
	Evaluated Origin = "evaluated"
	// Scored: the predictions of another program were scored.
	Scored Origin = "scored"
)

var origins = []Origin{Trained, Evaluated, Scored}

// CountsAsSeed reports whether the record is of a training run of this or another program,
// and so one more seed of its model.
func (r *Record) CountsAsSeed() bool { return r.Origin != Evaluated }
