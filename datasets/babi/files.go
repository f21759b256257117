package babi

import (
	"fmt"
	"slices"
	"strings"

	"memobench/datasets"
	"memobench/datasets/babi/format"
)

// File is an available standard file.
type File struct {
	Task  int            // 0 for a file of no known task
	Split datasets.Split // Train or Test
	Name  string         // path, or description of a simulated file
	in    *input
}

// Stories reads the file.
func (f File) Stories() ([]format.Story, error) {
	data, err := f.in.read()
	if err != nil {
		return nil, fmt.Errorf("babi: %w", err)
	}
	stories, err := format.Read(f.in.name, data)
	if err != nil {
		return nil, fmt.Errorf("babi: %w", err)
	}
	return stories, nil
}

// Files lists the standard files that Open finds for a path ("" for the default), by task,
// training before test, and reports whether they are simulated.
func Files(path string) (files []File, simulated bool, err error) {
	s := Defaults()
	s.Validation = 0 // not a separate file
	lib, err := find(*s, datasets.Options{DataPath: path})
	if err != nil {
		return nil, false, fmt.Errorf("babi: %w", err)
	}
	add := func(task int, split datasets.Split, in *input) {
		if in != nil {
			files = append(files, File{task, split, in.name, in})
		}
	}
	add(lib.singleTask, datasets.Test, lib.single)
	for n := 1; n <= NumTasks; n++ {
		add(n, datasets.Train, lib.train[n])
		add(n, datasets.Test, lib.test[n])
	}
	return files, lib.simulated, nil
}

// NoteMissing states which tasks have no file of a split, Train or Test, in list; "" if there
// are none.
func NoteMissing(list []File, split datasets.Split) string {
	var missing []int
	for task := 1; task <= NumTasks; task++ {
		if !slices.ContainsFunc(list, func(f File) bool { return f.Task == task && f.Split == split }) {
			missing = append(missing, task)
		}
	}
	if len(missing) == 0 {
		return ""
	}
	name, tasks := "test", "task"
	if split == datasets.Train {
		name = "training"
	}
	if len(missing) > 1 {
		tasks = "tasks"
	}
	return fmt.Sprintf("no %s file of %s %s", name, tasks, formatTasks(missing))
}

// Check reads the whole file, calls report for each error in it, and returns the numbers of
// its stories and questions. Errors name file and line. Files that Open accepts have no
// errors.
func (f File) Check(report func(error)) (stories, questions int) {
	data, err := f.in.read()
	if err != nil {
		report(err)
		return 0, 0
	}
	format.Check(f.in.name, data, func(l *format.Line) error {
		if l.Number == 1 {
			stories++
		}
		if len(format.Words(l.Text)) == 0 {
			return fmt.Errorf("no words in %q", l.Text)
		}
		if l.IsQuestion() {
			questions++
		}
		return nil
	}, report)
	return stories, questions
}

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
	tasks := "tasks"
	if len(e.Tasks) == 1 {
		tasks = "task"
	}
	fmt.Fprintf(&b, "babi: %s %s cannot be run: %s has no %s file %s", tasks, formatTasks(e.Tasks), e.Where, e.Split, strings.Join(e.Files, ", "))
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
	have := slices.DeleteFunc(slices.Clone(numbers), func(n int) bool { return !lib.runnable(n, substitute, opts) })
	if len(have) == 0 {
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
	for n := 1; n <= NumTasks && opts.Trained == nil; n++ { // the tasks of trained weights are fixed
		if lib.has(n, split, substitute) && lib.runnable(n, substitute, opts) {
			e.Runnable = append(e.Runnable, n)
		}
	}
	if split != datasets.Test && len(e.Tasks) == 1 && e.Tasks[0] == 3 && lib.substitute != nil {
		e.Substitute = lib.substitute.name
	}
	return e
}
