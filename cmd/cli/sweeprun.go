package cli

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"memobench/benchmarks/config"
	"memobench/benchmarks/grid"
	"memobench/benchmarks/printable"
	"memobench/benchmarks/record"
	"memobench/benchmarks/sweep"
	"memobench/benchmarks/train"
	"memobench/cmd/memobench/progress"
	"memobench/report/results"
)

// sweepRunFlags are all flags of sweep run, which sweep script passes on.
type sweepRunFlags struct {
	sweepFlags
	jobs     int
	failFast bool
}

// add declares them.
func (s *sweepRunFlags) add(f *flagSet) {
	s.addCells(f)
	s.addShard(f)
	f.IntVar(&s.jobs, "jobs", 0, "`NUMBER` of runs at a time (default: one per core)")
	f.BoolVar(&s.failFast, "fail-fast", false, "stop and save all runs when one fails")
	s.addRun(f, "directory above those of the runs, `DIR`")
}

// sweepRun runs the cells of a grid, or of a shard.
func (p *program) sweepRun(args []string) error {
	f := p.groupFlags("sweep run GRID --out DIR [flags]",
		`Run every cell of a grid, or of one shard, each in a directory of its own below
--out that is named by the hash of its configuration. Cells that have ended are
not run again, and those that were interrupted resume, so that the same command
can be given until all is done. Where the grid is a search, the setting with the
lowest loss is then run with the seeds that the grid names. Cells that fail are reported at the end. Shards
need not know of each other: they may run on different machines, into one
directory or into several that "memobench sweep merge" joins.`,
		[2]string{"sweep run quick --out runs/sweep", "a small grid"},
		[2]string{"sweep run quick --out runs/sweep --shard 0/4", "a quarter of it"},
		[2]string{"sweep run paper-memo-pai --tasks pai3 --set steps=12000 --out runs/pai3", "a part of the paper's"})
	var s sweepRunFlags
	s.add(f)
	name, err := f.one(args, "a grid", "quick --out runs/sweep")
	if err != nil {
		return err
	}
	if err := required(f, "out", "runs/sweep"); err != nil {
		return err
	}
	if s.jobs < 0 || s.jobs == 0 && f.Changed("jobs") {
		return usagef("%s: --jobs %d: want 1 or more", f.Name(), s.jobs)
	}
	all, searches, err := s.cells(name)
	if err != nil {
		return err
	}
	shard, note, err := s.selectedShard(p, f)
	if err != nil {
		return err
	}
	cells := shard.Pick(all)
	tasks := results.AddNew(nil, mapped(cells, func(c sweep.Cell) string { return c.Task })...)
	if err := checkData(s.data, tasks...); err != nil {
		return err
	}
	s.jobs = cmp.Or(s.jobs, coreJobs(runtime.GOMAXPROCS(0), s.threads))
	jobs := max(1, min(s.jobs, len(cells)))
	o, err := s.options(jobs)
	if err != nil {
		return err
	}
	p.printBLAS(s.quiet, s.json)
	if !s.quiet && !s.json {
		if note != "" {
			note = ", " + note
		}
		fmt.Fprintf(p.stdout, "Sweep %s: %d of %d cells%s; %d at a time, into %s\n", name, len(cells), len(all), note, jobs, s.out)
	}
	run := func(cells []sweep.Cell) ([]train.Outcome, error) {
		// Cells of a grid differ in settings that their names lack.
		plain := mapped(cells, func(c sweep.Cell) config.Cell { return c.Cell })
		defer p.display(&s.common, &o, plain, (*config.Cell).Dir)()
		return sweep.Run(p.ctx, cells, o, s.failFast)
	}
	outcomes, err := run(cells)
	unfinished := 0
	var interrupted *train.Interrupted
	stopped := outcomes == nil || errors.As(err, &interrupted) || err != nil && s.failFast
	if !stopped && searches != nil {
		chosen, open, failed := p.chosen(&s, searches)
		unfinished, err = open, errors.Join(err, failed)
		seen := map[string]bool{}
		for _, c := range all {
			seen[c.Hash()] = true
		}
		chosen = slices.DeleteFunc(chosen, func(c sweep.Cell) bool { // of another part or search
			had := seen[c.Hash()]
			seen[c.Hash()] = true
			return had
		})
		if chosen = shard.Pick(chosen); len(chosen) > 0 {
			more, failed := run(chosen)
			cells, outcomes, err = append(cells, chosen...), append(outcomes, more...), errors.Join(err, failed)
		}
	}
	if errors.As(err, &interrupted) {
		if note != "" && s.shard == "" {
			args = append(args, "--shard", shard.String())
		}
		return p.interrupted("what was done is saved in "+s.out, args, "sweep", "run")
	}
	if outcomes == nil {
		return err
	}
	if err := p.printSweep(&s.common, searches, cells, outcomes); err != nil {
		return err
	}
	if unfinished > 0 && !s.quiet && !s.json {
		fmt.Fprintf(p.stdout, "\nCells of the search without a record: %d; not every setting is chosen. The same command chooses when all have one in %s\n", unfinished, s.out)
	}
	return cmp.Or(err, diverged(outcomes))
}

// chosen prints the settings that searches have chosen and lists their runs. It counts the
// unfinished cells of the other searches, which may be in other shards.
func (p *program) chosen(s *sweepRunFlags, searches []sweep.Search) (cells []sweep.Cell, unfinished int, err error) {
	for i := range searches {
		search := &searches[i]
		if n := search.Unfinished(s.out); n > 0 {
			unfinished += n
			continue
		}
		c, failed := search.Choose(s.out)
		if failed != nil {
			err = errors.Join(err, failed)
			continue
		}
		cells = append(cells, c.Cells...)
		if s.json {
			continue
		}
		text := fmt.Sprintf("%s %s, chosen: %s (%s %.4g", search.Cells[0].Task, search.Cells[0].Label,
			cmp.Or(strings.Join(c.Values, " "), "the only setting"), search.By.Title(), c.Loss)
		if !math.IsInf(c.Next, 1) {
			text += fmt.Sprintf("; next %.4g", c.Next)
		}
		text += ")"
		if n := len(c.Cells); n > 0 {
			text += "; " + printable.Count(n, "more seeds")
		}
		fmt.Fprintln(p.stdout, text)
	}
	return cells, unfinished, err
}

// bestShown is the number of cells per task and model in the table of a sweep: that of the
// paper's means.
const bestShown = 5

// printSweep prints the cells with the lowest loss for each task and model, or all records as
// JSON. The loss is that of the search of the task and model, else the validation loss.
func (p *program) printSweep(c *common, searches []sweep.Search, cells []sweep.Cell, outcomes []train.Outcome) error {
	if c.json {
		return p.printRecords(runsOf(outcomes))
	}
	var measured []int // indices of the cells with a record
	for i, o := range outcomes {
		if o.Record != nil {
			measured = append(measured, i)
		}
	}
	key := func(i int) string { return outcomes[i].Cell.Task + " " + outcomes[i].Cell.Label }
	style := p.style(false)
	for _, list := range results.GroupBy(measured, key) {
		by := sweep.ValidationLoss
		for _, s := range searches {
			if first := &outcomes[list[0]].Cell; s.Cells[0].Task == first.Task && s.Cells[0].Label == first.Label {
				by = s.By
			}
		}
		slices.SortStableFunc(list, func(i, j int) int {
			return cmp.Compare(record.OrInfinite(by.Of(outcomes[i].Record)), record.OrInfinite(by.Of(outcomes[j].Record)))
		})
		best := list[:min(bestShown, len(list))]
		fmt.Fprintf(p.stdout, "\n%s: %d cells have a record; those with the lowest %s:\n", key(list[0]), len(list), by.Title())
		var rows [][]string
		for _, i := range best {
			r := outcomes[i].Record
			loss := "–"
			if v, ok := by.Of(r); ok {
				loss = fmt.Sprintf("%.4f", v)
			}
			rows = append(rows, []string{filepath.Base(outcomes[i].Dir), strings.Join(cells[i].Values, " "), string(r.Status),
				progress.Accuracy(accuracies(r.Evaluation.Kinds)), fmt.Sprint(r.Training.Steps), loss})
		}
		if err := grid.Draw(p.stdout, style.ASCII, []string{"cell", "values", "status", "test accuracy", "steps", "loss"}, 4, rows); err != nil {
			return err
		}
	}
	return nil
}
