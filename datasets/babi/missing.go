package babi

import (
	"fmt"
	"strings"

	"memobench/datasets"
)

// missingError states which files of a task list are missing, and what the user can do.
type missingError struct {
	Where    string   // directory or archive
	Split    string   // "training" or "test"
	Files    []string // official names of the missing files
	Tasks    []int    // their tasks
	Runnable []int    // tasks, of all twenty, without missing files

	// Substitute is the path of substitute training data for all missing files; empty if
	// there are none.
	Substitute string
}

func (e *missingError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "babi: task %s cannot be run: %s has no %s file %s", formatTasks(e.Tasks), e.Where, e.Split, strings.Join(e.Files, ", "))
	if len(e.Runnable) > 0 {
		fmt.Fprintf(&b, "\n  tasks whose files are there: --set tasks=%s", formatTasks(e.Runnable))
	}
	b.WriteString("\n  the official archive has every file: \"memobench data fetch babi\" downloads it and prints its path, for --data")
	if e.Substitute != "" {
		fmt.Fprintf(&b, "\n  or --set substitute_task3=true to train task 3 on %s; results will carry a label that says so", e.Substitute)
	}
	return b.String()
}

// trainFile returns the training file of task n, which may be the substitute,
// or nil.
func (lib *library) trainFile(n int, substitute bool) *input {
	if in := lib.train[n]; in != nil || n != 3 || !substitute {
		return in
	}
	return lib.substitute
}

// has reports whether the file of task n for split is available. Validation is a part of the
// training files.
func (lib *library) has(n int, split datasets.Split, substitute bool) bool {
	if split == datasets.Test {
		return lib.test[n] != nil
	}
	return lib.trainFile(n, substitute) != nil
}

// available returns the runnable tasks among numbers; all of them if none is runnable, so that
// check returns an error.
func (lib *library) available(numbers []int, substitute bool, opts datasets.Options) []int {
	var have []int
	for _, n := range numbers {
		if lib.runnable(n, substitute, opts) {
			have = append(have, n)
		}
	}
	if have == nil {
		return numbers
	}
	return have
}

// runnable reports whether task n has the files of all needed splits.
func (lib *library) runnable(n int, substitute bool, opts datasets.Options) bool {
	for split := range datasets.Test + 1 {
		if opts.Needs(split) && !lib.has(n, split, substitute) {
			return false
		}
	}
	return true
}

// check returns a *missingError if a task lacks the file of split. Its runnable tasks have the
// files of split and of all needed splits.
func (lib *library) check(numbers []int, split datasets.Split, substitute bool, opts datasets.Options) error {
	e := &missingError{Where: lib.where, Split: "training"}
	ending := "train"
	if split == datasets.Test {
		e.Split, ending = "test", "test"
	}
	for _, n := range numbers {
		if !lib.has(n, split, substitute) {
			e.Tasks = append(e.Tasks, n)
			e.Files = append(e.Files, officialName(n, ending))
		}
	}
	if e.Tasks == nil {
		return nil
	}
	for n := 1; n <= NumTasks; n++ {
		if lib.has(n, split, substitute) && lib.runnable(n, substitute, opts) {
			e.Runnable = append(e.Runnable, n)
		}
	}
	if split != datasets.Test && len(e.Tasks) == 1 && e.Tasks[0] == 3 && lib.substitute != nil {
		e.Substitute = lib.substitute.name
	}
	return e
}
