package cli

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"memobench/benchmarks/config"
	"memobench/benchmarks/printable"
	"memobench/benchmarks/record"
	"memobench/benchmarks/train"
	"memobench/report/results"
	"memobench/report/table"
)

// run trains and evaluates the cells of a preset and prints the tables.
func (p *program) run(args []string) error {
	f := p.flags("run [flags]",
		`Train every model of a preset on its tasks with each of its seeds, evaluate them
all in the same way, and print a table for each task with the paper's numbers next to
the measured ones. Each run has its own directory below --out. Runs that have
ended are not run again, and those that were interrupted resume, so that the same
command can be given until all is done.`,
		[2]string{"run", "a small comparison in a few minutes"},
		[2]string{"run --models memo --seeds 0,1 --out runs/memo", "a part of it"},
		[2]string{"run --preset standard --tasks pai3 --jobs 4", "the paper's sizes, four runs at a time"},
		[2]string{"run --preset paper --print-config", "the paper's settings as a preset"})
	var c common
	var jobs int
	var tasks, models []string
	var seeds []int
	f.IntVar(&jobs, "jobs", runtime.GOMAXPROCS(0), "`NUMBER` of runs at a time")
	f.StringSliceVar(&tasks, "tasks", nil, "only these tasks, `NAME,NAME`")
	f.Var((*modelNames)(&models), "models", "only these models or variants, `NAME,NAME`; the flag may be given several times, and a command, exec:COMMAND, goes to the end of its value")
	f.IntSliceVar(&seeds, "seeds", nil, "these seeds instead of the preset's, `N,N`")
	c.add(f, "quick", "directory above those of the runs, `DIR` (default: runs/ and the preset's name)")
	if err := f.parse(args, ""); err != nil {
		return err
	}
	if jobs < 1 {
		return usagef("run: --jobs %d: want 1 or more", jobs)
	}
	list, err := seedsOf(seeds)
	if err != nil {
		return err
	}
	preset, err := partOf(c.preset, tasks, models, list, c.set)
	if err != nil {
		return err
	}
	if c.printConfig {
		return p.printConfig(preset, c.data)
	}
	c.out = cmp.Or(c.out, filepath.Join("runs", preset.Name))
	cells := preset.Cells()
	if err := checkData(c.data, preset.Tasks()...); err != nil {
		return err
	}
	jobs = max(1, min(jobs, len(cells)))
	o, err := c.options(jobs)
	if err != nil {
		return err
	}
	p.printBLAS(c.quiet, c.json)
	p.printPreset(&c, preset, len(cells), jobs)
	stop := p.display(&c, &o, cells, (*config.Cell).Name)
	outcomes, err := train.RunAll(p.ctx, cells, o)
	stop()
	var interrupted *train.Interrupted
	if errors.As(err, &interrupted) {
		return p.interrupted("what was done is saved in "+c.out, args, "run")
	}
	if outcomes == nil {
		return err
	}
	return errors.Join(p.printOutcomes(&c, outcomes), err, diverged(outcomes))
}

// modelNames is the value of --models: names separated by commas. A command, which may have
// commas, is the rest of the value.
type modelNames []string

func (m *modelNames) String() string { return strings.Join(*m, ",") }

// Type implements pflag.Value.
func (m *modelNames) Type() string { return "stringSlice" }

// Set implements pflag.Value: values of several flags are joined.
func (m *modelNames) Set(value string) error {
	for {
		name, rest, more := strings.Cut(value, ",")
		if strings.HasPrefix(value, config.ExternalPrefix) {
			name, more = value, false
		}
		*m = append(*m, name)
		if !more {
			return nil
		}
		value = rest
	}
}

// seedsOf converts the values of --seeds to seeds.
func seedsOf(values []int) ([]uint64, error) {
	var list []uint64
	for _, v := range values {
		if v < 0 {
			return nil, usagef("--seeds %d: want whole numbers, 0 or above", v)
		}
		list = append(list, uint64(v))
	}
	return list, nil
}

// printPreset prints what is run, and what is not run as the preset describes it.
func (p *program) printPreset(c *common, preset *config.Preset, runs, jobs int) {
	if c.quiet || c.json {
		return
	}
	fmt.Fprintf(p.stdout, "Preset %s: %s; %s, %d at a time, into %s\n", preset.Name, preset.About, printable.Count(runs, "runs"), jobs, c.out)
	for _, text := range preset.NotRun() {
		fmt.Fprintf(p.stdout, "Not run as described: %s\n", text)
	}
}

// printOutcomes prints a table for each task and protocol but for the steps, with the
// columns of models that have no result, or the records.
func (p *program) printOutcomes(c *common, outcomes []train.Outcome) error {
	if c.json {
		return p.printRecords(runsOf(outcomes))
	}
	groups := results.GroupBy(outcomes, func(o train.Outcome) string { return o.Cell.Task + " " + o.Cell.ProtocolButSteps() })
	var tables []*table.Table
	// The first task is the preset's main one: its table is printed last, next to the prompt.
	for _, group := range slices.Backward(groups) {
		runs := runsOf(group)
		if runs == nil {
			continue
		}
		t, err := table.TaskTable(runs, mapped(group, func(o train.Outcome) table.Variant {
			return table.Variant{Label: o.Cell.Label, Title: o.Cell.Title, Model: o.Cell.Model}
		})...)
		if err != nil {
			return err
		}
		tables = append(tables, t)
	}
	if len(tables) > 0 {
		fmt.Fprintln(p.stdout)
	}
	return p.print(tables)
}

// runsOf returns the runs of the outcomes that have a record.
func runsOf(outcomes []train.Outcome) []results.Run {
	var runs []results.Run
	for _, o := range outcomes {
		if o.Record != nil {
			runs = append(runs, results.Run{Path: filepath.Join(o.Dir, record.FileName), Record: o.Record})
		}
	}
	return runs
}

// diverged returns an error if the tables have fewer good seeds than requested.
func diverged(outcomes []train.Outcome) error {
	n := 0
	for _, o := range outcomes {
		if o.Record != nil && o.Record.Status.Failed() {
			n++
		}
	}
	if n == 0 {
		return nil
	}
	return &inconclusiveError{fmt.Sprintf("%d of %d runs diverged and count as 0", n, len(outcomes))}
}
