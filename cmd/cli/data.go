package cli

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"memobench/benchmarks/study"
	"memobench/cmd/cli/progress"
	"memobench/datasets"
)

// dataCommand has the subcommands that write, fetch, check and show data.
func (p *program) dataCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "data",
		Short: "Write, fetch, check and show what the tasks are made of",
		Example: `  memobench data export pai3 --out data/pai3
  memobench data check data/pai3
  memobench data fetch babi`,
		RunE: needCommand,
	}
	c.AddCommand(p.dataExportCommand(), p.dataCheckCommand(), p.dataFetchCommand(), p.dataShowCommand())
	return c
}

// taskSettings returns a task with its defaults, changed by --set.
func taskSettings(name string, set []string) (datasets.Entry, any, error) {
	entry, known := datasets.Lookup(name)
	if !known {
		return entry, nil, unknown("task", name, datasets.Names())
	}
	settings := entry.Defaults()
	for _, s := range set {
		if err := study.SetTask(settings, s); err != nil {
			return entry, nil, usage(err)
		}
	}
	return entry, settings, nil
}

// progressDelay is the time after which progress is shown.
const progressDelay = 2 * time.Second

// ticks returns an export.Tick that shows the progress of work of the given name, and a
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
