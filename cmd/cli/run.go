package cli

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"memobench/benchmarks/printable"
	"memobench/benchmarks/record"
	"memobench/benchmarks/study"
	"memobench/benchmarks/sweep"
	"memobench/benchmarks/train"
	"memobench/report/results"
	"memobench/report/table"
)

// runFlags are the flags of run.
type runFlags struct {
	trainFlags
	plan  bool
	shard string
}

func (p *program) runCommand() *cobra.Command {
	var r runFlags
	r.options.Jobs = runtime.GOMAXPROCS(0)
	c := &cobra.Command{
		Use:   "run [STUDY]",
		Short: "Train and compare the models of a study, and print the tables",
		Long: `Train every run of a study (default: quick) with each of its seeds, evaluate them all in the same way,
and print a table for each task with the paper's numbers next to the measured ones. Finished runs
are not run again and interrupted ones resume: the same command can be given until all is done.`,
		Example: `  memobench run quick --only memo --seeds 0,1 --out runs/memo
  memobench run standard --tasks pai3 --plan
  memobench run paper-ranges --only memo --shard 0/4 --out /scratch/memo`,
		Args:              cobra.MaximumNArgs(1),
		ValidArgsFunction: completeNames(study.Names),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 1 {
				r.name = args[0]
			}
			return p.runStudy(&r)
		},
	}
	f := c.Flags()
	r.studyVar(f, "quick")
	cobra.CheckErr(f.MarkHidden("study"))
	f.StringSliceVar(&r.tasks, "tasks", nil, "only these tasks, `NAME,NAME`")
	f.Func("only", "only the runs of these names, models or variants, `NAME,NAME`, or of a model that is a command, exec:COMMAND; may be repeated", func(text string) error {
		if strings.HasPrefix(text, study.ExternalPrefix) { // a command may have commas
			r.only = append(r.only, text)
		} else {
			r.only = append(r.only, strings.Split(text, ",")...)
		}
		return nil
	})
	seedsVar(f, &r.seeds)
	numberVar(f, &r.options.Jobs, "jobs", 1, 1024, "`NUMBER` of runs at a time")
	f.StringVar(&r.shard, "shard", "", "only part `I/N` of the runs, with I from 0")
	f.BoolVar(&r.plan, "plan", false, "print the runs, how many are finished and the CPU hours that are left, and train nothing")
	r.addTraining(f, "directory above those of the runs, `DIR` (default: runs/ and the study's name)")
	return c
}

func (p *program) runStudy(r *runFlags) error {
	selected, err := r.loadToTrain()
	if err != nil {
		return err
	}
	if r.printConfig {
		return p.printStudy(selected, r.options.DataPath)
	}
	cells := selected.Cells()
	var shard sweep.Shard
	if r.shard != "" {
		if shard, err = sweep.ParseShard(r.shard); err != nil {
			return usagef("run: --%w", err)
		}
	}
	if err := study.CheckData(r.options.DataPath, mapped(cells, func(c study.Cell) string { return c.Task })...); err != nil {
		return err
	}
	r.options.Dir = cmp.Or(r.options.Dir, filepath.Join("runs", selected.Name))
	all := len(cells)
	cells = shard.Pick(cells)
	if r.plan {
		return p.printPlan(r, cells)
	}
	r.options.Jobs = max(1, min(r.options.Jobs, len(cells)))
	p.printBLAS(r.quiet, r.json)
	if !r.quiet && !r.json {
		fmt.Fprintf(p.stdout, "Study %s: %s\n%d of %s, %d at a time, into %s\n", selected.Name, selected.About, len(cells), printable.Count(all, "runs"), r.options.Jobs, r.options.Dir)
	}
	runs, err := p.runCells(r, cells)
	var interrupted *train.Interrupted
	if len(runs) > 0 && !errors.As(err, &interrupted) {
		chosen, failed := p.choose(r, selected)
		err = errors.Join(err, failed)
		if chosen = shard.Pick(chosen); len(chosen) > 0 {
			more, failed := p.runCells(r, chosen)
			runs, err = append(runs, more...), errors.Join(err, failed)
		}
	}
	switch {
	case errors.As(err, &interrupted):
		return p.interrupted("what was done is saved in " + r.options.Dir)
	case len(runs) == 0:
		return err
	case r.json:
		return errors.Join(p.printRecords(runs), err, diverged(runs))
	}
	return errors.Join(p.printTasks(selected.Tasks(), runs), err, diverged(runs))
}

// runCells trains cells, shows their progress and returns the runs that have a record.
func (p *program) runCells(r *runFlags, cells []study.Cell) (runs []results.Run, err error) {
	defer p.start(&r.trainFlags, cells)()
	outcomes, err := train.RunAll(p.ctx, cells, r.options)
	for _, o := range outcomes {
		if o.Record != nil {
			runs = append(runs, results.Run{Source: filepath.Join(o.Dir, record.FileName), Record: o.Record})
		}
	}
	return runs, err
}

// choose prints the settings that the searches of a study have chosen and returns their runs
// with other seeds.
func (p *program) choose(r *runFlags, s *study.Study) (cells []study.Cell, err error) {
	choices, err := sweep.Choose(s, r.options.Dir)
	for _, c := range choices {
		if c.Unfinished > 0 {
			fmt.Fprintf(p.stderr, "%s %s: %s unfinished in %s; the setting is chosen when they have ended\n",
				c.Search.Task, c.Search.Name, printable.Count(c.Unfinished, "runs"), r.options.Dir)
			continue
		}
		if !r.json {
			fmt.Fprintf(p.stdout, "%s, chosen: %s (%s %.4g)\n", c.Search.Task, c.Name, c.Search.By, c.Loss)
		}
		cells = append(cells, c.Cells...)
	}
	return cells, err
}

// printTasks prints a table for each task. The study's first task is its main one: its table is
// printed last, next to the prompt.
func (p *program) printTasks(tasks []string, runs []results.Run) error {
	for _, task := range slices.Backward(tasks) {
		ofTask := slices.DeleteFunc(slices.Clone(runs), func(r results.Run) bool { return r.Record.Identity.Task != task })
		if len(ofTask) == 0 {
			continue
		}
		fmt.Fprintln(p.stdout)
		if err := p.printRuns(ofTask, "text"); err != nil {
			return err
		}
	}
	return nil
}

// diverged returns an error if runs diverged, so that the tables have fewer good seeds than
// requested.
func diverged(runs []results.Run) error {
	failed := slices.DeleteFunc(slices.Clone(runs), func(r results.Run) bool { return !r.Record.Status.Failed() })
	if len(failed) == 0 {
		return nil
	}
	return inconclusive("%d of %d runs diverged and count as 0", len(failed), len(runs))
}

// recordedRuns is the directory whose records have the times of steps, in a copy of the repository.
const recordedRuns = "benchmarks/recorded"

// printPlan prints the runs that are finished in the directory of a study, and the time that the
// others take, by the recorded times of steps.
func (p *program) printPlan(r *runFlags, cells []study.Cell) error {
	var recorded []*record.Record
	if list, err := results.Read(recordedRuns); err == nil {
		recorded = mapped(list.Runs, func(r results.Run) *record.Record { return r.Record })
	}
	plan := sweep.Plan(cells, r.options.Dir, recorded)
	if r.json {
		return p.printJSON(plan)
	}
	total := sweep.Planned{Task: "all"}
	for _, row := range plan {
		total.Runs, total.Finished = total.Runs+row.Runs, total.Finished+row.Finished
		total.Hours, total.Unknown = total.Hours+row.Hours, total.Unknown+row.Unknown
	}
	t := &table.Table{ID: "plan", Title: "Runs of the study", Corner: "task and run", Sections: []table.Section{{}}}
	for _, title := range []string{"runs", "finished", "CPU hours left"} {
		t.Columns = append(t.Columns, table.Column{Group: title})
	}
	for _, row := range append(plan, total) {
		hours := fmt.Sprintf("%.2f", row.Hours)
		if row.Unknown > 0 {
			hours += fmt.Sprintf(" + %s not timed", printable.Count(row.Unknown, "runs"))
		}
		t.Sections[0].Rows = append(t.Sections[0].Rows, table.Row{Label: strings.TrimSpace(row.Task + " " + row.Name),
			Cells: []table.Cell{table.Words(fmt.Sprint(row.Runs)), table.Words(fmt.Sprint(row.Finished)), table.Words(hours)}})
	}
	return t.Text(p.stdout, p.style())
}

func (p *program) recordCommand() *cobra.Command {
	var into string
	c := &cobra.Command{
		Use:   "record RUNS --into DIR",
		Short: "Add finished runs to a recorded study",
		Long: `Add finished runs to the recorded study in a directory: study.yaml, records.jsonl and curves.jsonl.gz.
RUNS are directories of runs, or directories above them. A new directory gets a study.yaml of the runs.`,
		Example: `  memobench record runs/fair --into benchmarks/recorded/fair`,
		Args:    cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			added, err := sweep.Record(into, args...)
			if err != nil {
				return err
			}
			fmt.Fprintf(p.stdout, "%s: %s added\n", into, printable.Count(added, "runs"))
			return nil
		},
	}
	c.Flags().StringVar(&into, "into", "", "`DIR` of the recorded study")
	needFlags(c, "into")
	return c
}
