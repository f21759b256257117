package datasets

import "fmt"

// CheckBatchArgs reports the first argument of Source.Batch that no source can
// serve.
func CheckBatchArgs(split Split, step, size int) error {
	switch {
	case split < Train || split > Test:
		return fmt.Errorf("unknown split %v", split)
	case step < 0:
		return fmt.Errorf("step %d: want 0 or more", step)
	case size < 1:
		return fmt.Errorf("batch size %d: want 1 or more", size)
	}
	return nil
}

// CheckExamineArgs reports the first argument of Source.Examine that no source
// can serve.
func CheckExamineArgs(split Split, perKind, size int) error {
	if perKind < 0 {
		return fmt.Errorf("%d examples per kind: want 0 or more", perKind)
	}
	return CheckBatchArgs(split, 0, size)
}
