package babi

import (
	"fmt"
	"slices"

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
