package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"memobench/benchmarks"
	"memobench/cmd/memobench/progress"
	"memobench/datasets"
)

// dataVerbs lists what data does, in the order of its help.
func dataVerbs() []verb {
	return []verb{
		{"gen", "write a generated dataset to files", (*program).dataGen},
		{"fetch", "download the official bAbI files", (*program).dataFetch},
		{"validate", "look for errors in files of data", (*program).dataValidate},
		{"stats", "summarize a task or files", (*program).dataStats},
		{"show", "print a few examples of a task", (*program).dataShow},
	}
}

// data writes, fetches, validates, summarizes and shows data.
func (p *program) data(args []string) error {
	return p.group("data", "The data of the tasks: generated examples, and files.", dataVerbs(), args,
		[2]string{"data show sp10-2-2", "a few shortest paths"},
		[2]string{"data stats babi", "a summary of the bAbI stories"},
		[2]string{"data validate data/babi", "look for errors in files"},
		[2]string{"data fetch babi", "download the official stories"})
}

// one returns the only argument besides flags.
func (f *flagSet) one(what, example string) (string, error) {
	switch f.NArg() {
	case 0:
		return "", usagef("%s: %s is needed, for example: memobench %s %s", f.Name(), what, f.Name(), example)
	case 1:
		return f.Arg(0), nil
	}
	return "", usagef("%s: argument %q is left over: %s takes %s", f.Name(), f.Arg(1), f.Name(), what)
}

// taskSettings returns a task with its defaults, changed by --set.
func taskSettings(name string, set []string) (datasets.Entry, any, error) {
	entry, known := datasets.Lookup(name)
	if !known {
		return entry, nil, unknown("task", name, datasets.Names())
	}
	settings := entry.Defaults()
	for _, s := range set {
		if err := benchmarks.SetTask(settings, s); err != nil {
			return entry, nil, usage(err)
		}
	}
	return entry, settings, nil
}

// openTask returns the source of a task. A setting out of range is a mistake in
// the command line.
func openTask(entry datasets.Entry, settings any, o datasets.Options) (datasets.Source, error) {
	src, err := entry.New(settings, o)
	var setting *datasets.SettingError
	if errors.As(err, &setting) {
		err = usage(err)
	}
	return src, err
}

// stopped turns the error of interrupted work into one that names the command
// that does it again.
func (p *program) stopped(err error, what string, verb string, args []string) error {
	if !errors.Is(err, context.Canceled) {
		return err
	}
	return &interruptedError{what: what, resume: p.again(append([]string{"data", verb}, args...), "")}
}

// meter shows how far work other than training is.
type meter struct {
	display *progress.Display // nil for silence
	now     progress.Standing
	start   time.Time
	first   int64 // done at the start
	begun   bool
}

// progressDelay is how long work takes before its progress is shown.
const progressDelay = 2 * time.Second

// meter begins the display of work of the given name.
func (p *program) meter(name string, quiet bool) *meter {
	m := &meter{now: progress.Standing{Name: name}, start: time.Now()}
	if !quiet {
		m.display = progress.New(p.stderr, 1)
	}
	return m
}

// show takes how much of all is done, in numbers and in words. A total of 0 is
// not known.
func (m *meter) show(words string, done, total int64) {
	if !m.begun {
		m.begun, m.first = true, done
	}
	elapsed := time.Since(m.start)
	if m.display == nil || elapsed < progressDelay {
		return
	}
	m.now.Done, m.now.Step, m.now.Steps, m.now.Left = words, int(done), int(total), 0
	if fresh := done - m.first; fresh > 0 && total > done {
		m.now.Left = time.Duration(float64(elapsed) * float64(total-done) / float64(fresh))
	}
	m.display.Show(m.now)
}

// showCounts is a data.Tick for numbers of things.
func (m *meter) showCounts(what string, done, total int64) {
	m.show(fmt.Sprintf("%s, %d of %d", what, done, total), done, total)
}

// showBytes is a data.Tick for numbers of bytes.
func (m *meter) showBytes(what string, done, total int64) {
	of := ""
	if total > 0 {
		of = " of " + bytesOf(total)
	}
	m.show(fmt.Sprintf("%s, %s%s", what, bytesOf(done), of), done, total)
}

func (m *meter) close() {
	if m.display != nil {
		m.display.Close()
	}
}
