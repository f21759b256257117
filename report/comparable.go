package report

import "fmt"

// ClashError is the refusal to put two runs into one table.
type ClashError struct {
	What string // what differs: "protocol hash", "dataset hash", ...
	A, B Run
	// OfA and OfB are what the two have.
	OfA, OfB string
}

func (e *ClashError) Error() string {
	return fmt.Sprintf("runs of different %s are not put into one table: %s has %s, %s has %s",
		e.What, e.A.Path, e.OfA, e.B.Path, e.OfB)
}

// comparable returns a ClashError when two of the runs must not stand in one
// table: another task, protocol, data or split. Two runs of the same model
// variant and seed are refused as well, since one of them would count twice.
func comparable(runs []Run) error {
	for _, what := range []struct {
		name string
		of   func(Run) string
	}{
		{"tasks", func(r Run) string { return r.Record.Identity.Task }},
		{"protocol hashes", func(r Run) string { return r.Record.Protocol.Hash }},
		{"dataset hashes", func(r Run) string { return r.Record.Dataset.Hash }},
		{"judged splits", func(r Run) string { return r.Record.Evaluation.Split }},
	} {
		for _, r := range runs {
			if a, b := what.of(runs[0]), what.of(r); a != b {
				return &ClashError{What: what.name, A: runs[0], B: r, OfA: a, OfB: b}
			}
		}
	}
	first := map[string]Run{}
	for _, r := range runs {
		key := fmt.Sprintf("%s, seed %d", r.Record.Identity.Label, r.Record.Identity.Seed)
		if other, twice := first[key]; twice {
			return fmt.Errorf("%s is there twice, in %s and %s: name one of them", key, other.Path, r.Path)
		}
		first[key] = r
	}
	return nil
}
