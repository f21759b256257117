package record

import (
	"fmt"
	"slices"
	"strings"
)

// Beginnings of the labels that tell what happened to one run. Unlike the
// others they differ between the seeds of one configuration.
const (
	endedEarly   = "early stopped at step "
	endedByLimit = "stopped by a time limit at step "
	endedInNaN   = "diverged at step "
	otherBLAS    = "resumed under another BLAS: "
)

// EndingLabel returns the label that says how a run of total steps ended, empty
// for a complete one. step is the last step, or that of the divergence.
func EndingLabel(s Status, step, total int) string {
	switch s {
	case EarlyStopped:
		return fmt.Sprintf("%s%d of %d", endedEarly, step, total)
	case Interrupted:
		return fmt.Sprintf("%s%d of %d", endedByLimit, step, total)
	case Diverged:
		return fmt.Sprintf("%s%d: accuracy counted as 0", endedInNaN, step)
	}
	return ""
}

// BLASLabel returns the label of a run that was resumed under the linear
// algebra library now after it had begun under before. Another library, or
// another number of its threads, gives other last bits.
func BLASLabel(now, before string) string { return otherBLAS + now + " after " + before }

// IsRunLabel reports whether the label tells what happened to one run: whether
// EndingLabel or BLASLabel made it.
func IsRunLabel(label string) bool {
	return slices.ContainsFunc([]string{endedEarly, endedByLimit, endedInNaN, otherBLAS}, func(begin string) bool {
		return strings.HasPrefix(label, begin)
	})
}

// configLabels lists the labels that all seeds of the run's configuration
// carry, beside those of the data.
func (r *Record) configLabels() []string {
	var list []string
	for _, l := range r.Labels {
		if !IsRunLabel(l) && !slices.Contains(r.Dataset.Labels, l) {
			list = append(list, l)
		}
	}
	return list
}
