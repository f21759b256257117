package cli

import (
	"fmt"
	"time"

	"memobench/benchmarks/config"
	"memobench/cmd/memobench/progress"
	"memobench/datasets"
)

// dataCommands lists the subcommands of data in the order of the help.
func dataCommands() []subcommand {
	return []subcommand{
		{"export", "write what a model sees under a protocol", (*program).dataExport},
		{"gen", "write generated stories or embeddings", (*program).dataGen},
		{"fetch", "download the official bAbI files", (*program).dataFetch},
		{"validate", "look for errors in files of data", (*program).dataValidate},
		{"stats", "summarize a task or files", (*program).dataStats},
		{"show", "print a few examples of a task", (*program).dataShow},
	}
}

// data writes, fetches, validates, summarizes and shows data.
func (p *program) data(args []string) error {
	return p.group("data", "The data of the tasks: generated examples, and files.", dataCommands(), args,
		[2]string{"data show sp10-2-2", "a few shortest paths"},
		[2]string{"data export pai3 --out data/pai3", "the questions, for another program"},
		[2]string{"data stats babi", "a summary of the bAbI stories"},
		[2]string{"data validate data/babi", "look for errors in files"},
		[2]string{"data fetch babi", "download the official stories"})
}

// one parses args and returns the only argument besides flags.
func (f *flagSet) one(args []string, what, example string) (string, error) {
	if err := f.parse(args, what); err != nil {
		return "", err
	}
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
		if err := config.SetTask(settings, s); err != nil {
			return entry, nil, usage(err)
		}
	}
	return entry, settings, nil
}

// progressDelay is the time after which progress is shown.
const progressDelay = 2 * time.Second

// ticks returns a data.Tick that shows the progress of work of the given name, and a
// function that ends it.
func (p *program) ticks(name string, quiet bool) (tick func(what string, done, total int64), stop func()) {
	if quiet {
		return nil, func() {}
	}
	d, start := progress.New(p.stderr), time.Now()
	return func(what string, done, total int64) {
		elapsed := time.Since(start)
		if elapsed < progressDelay {
			return
		}
		now := progress.State{Name: name, Done: what, Step: int(done), Steps: int(total)}
		if done > 0 && total > done {
			now.Done = fmt.Sprintf("%s, %d %%", what, 100*done/total)
			now.Left = time.Duration(float64(elapsed) * float64(total-done) / float64(done))
		}
		d.Show(now)
	}, d.Close
}
