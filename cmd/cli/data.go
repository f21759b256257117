package cli

import (
	"time"

	"github.com/spf13/cobra"

	"memobench/cmd/cli/progress"
)

// dataCommand has the subcommands that write, fetch, check and show data.
func (p *program) dataCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "data",
		Short: "Write, fetch, check and show what the tasks are made of",
		Example: `  memobench data show sp10-2-2
  memobench data export pai3 --out data/pai3
  memobench data fetch babi`,
		RunE: needCommand,
	}
	c.AddCommand(p.dataExportCommand(), p.dataCheckCommand(), p.dataFetchCommand(), p.dataShowCommand())
	return c
}

// progressDelay is the time after which progress is shown.
const progressDelay = 2 * time.Second

// ticks returns an export.Tick that shows the progress of work of the given name, and a
// function that ends it.
func (p *program) ticks(name string, quiet bool) (tick func(what string, done, total int64), stop func()) {
	d, start := progress.New(p.stderr), time.Now()
	return func(what string, done, total int64) {
		if quiet || time.Since(start) < progressDelay {
			return
		}
		now := progress.State{Name: name, Done: what, Step: int(done), Steps: int(total)}
		if done > 0 && total > done {
			now.Left = time.Duration(float64(time.Since(start)) * float64(total-done) / float64(done))
		}
		d.Show(now)
	}, d.Close
}
