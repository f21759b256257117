package record

import (
	"fmt"
	"slices"
)

// Origin says where a record's counts come from.
type Origin string

// The origins of records. Only trained runs count as seeds of a model.
const (
	// Trained: evaluated at the end of the training that the record is of. A
	// record without an origin was made before origins were recorded, and is one.
	Trained Origin = "trained"
	// Evaluated: stored weights were evaluated again, on other questions perhaps.
	Evaluated Origin = "evaluated"
	// Scored: the predictions of another program were scored.
	Scored Origin = "scored"
)

var origins = []Origin{Trained, Evaluated, Scored}

// IsTrained reports whether the record is of a training run: one seed of its
// model.
func (r *Record) IsTrained() bool { return r.Origin == "" || r.Origin == Trained }

func (o Origin) validate() error {
	if o != "" && !slices.Contains(origins, o) {
		return fmt.Errorf("origin: %q is none of %q", o, origins)
	}
	return nil
}
