package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"strings"
	"time"

	"memobench/benchmarks/grid"
	"memobench/benchmarks/printable"
	"memobench/benchmarks/sweep"
	"memobench/cmd/memobench/progress"
)

// plannedCell is a cell in the JSON of a plan.
type plannedCell struct {
	Name    string       `json:"name"`
	Dir     string       `json:"dir"`
	Cell    string       `json:"cell"` // hash of its configuration
	Values  []string     `json:"values"`
	Steps   int          `json:"steps"`
	Seconds *float64     `json:"cpu_seconds"` // null where unknown
	Source  sweep.Source `json:"source"`
	Runs    int          `json:"recorded_runs,omitempty"`
	Error   string       `json:"error,omitempty"` // why it cannot be run
}

// plan is the result of sweep plan.
type plan struct {
	Grid    string        `json:"grid"`
	Cells   []plannedCell `json:"cells"`
	Seconds float64       `json:"cpu_seconds"` // of all cells whose time is known
	Unknown int           `json:"unknown"`     // cells whose time is unknown
	Jobs    int           `json:"jobs"`
	Pool    float64       `json:"wall_seconds"` // with Jobs runs at a time

	Chosen        int     `json:"chosen_runs,omitempty"`        // additional runs of the settings that searches choose
	ChosenSeconds float64 `json:"chosen_cpu_seconds,omitempty"` // upper bound, of those whose time is known
	ChosenUnknown int     `json:"chosen_unknown,omitempty"`     // of these, those whose time is not known
}

// sweepPlan lists the cells of a grid with estimates of their time.
func (p *program) sweepPlan(args []string) error {
	f := p.groupFlags("sweep plan GRID [flags]",
		`List the cells of a grid, with the CPU time that each takes on this machine
when it trains all its steps, and in all. Times come from records of runs of the
same sizes on this kind of machine, where --records names some; else a few steps
are timed, once for all cells of the same sizes. Nothing is trained or written.`,
		[2]string{"sweep plan quick", "a small grid"},
		[2]string{"sweep plan paper-memo-pai --tasks pai3 --set steps=12000", "a part of the paper's, with fewer steps"},
		[2]string{"sweep plan quick --out runs/sweep --records runs/sweep", "what is left, from what was measured"})
	var s sweepFlags
	var records []string
	var timed, jobs int
	s.addCells(f)
	s.addShard(f)
	f.StringVar(&s.out, "out", "", "directory of the sweep, `DIR`: cells that are finished there take no time")
	f.StringArrayVar(&records, "records", nil, "take times from the records below `DIR`; may be given several times")
	f.IntVar(&timed, "timed-steps", 3, "`NUMBER` of steps that are timed where no record tells; 0 times none")
	f.IntVar(&jobs, "jobs", 0, "`NUMBER` of runs at a time, for the time in all (default: one per core)")
	f.dataVar(&s.data)
	f.IntVar(&s.threads, "threads", 1, "`NUMBER` of threads of each run")
	f.BoolVar(&s.quiet, "quiet", false, "no progress")
	f.BoolVar(&s.json, "json", false, "print JSON instead of a table")
	name, err := f.one(args, "a grid", "quick")
	if err != nil {
		return err
	}
	if timed < 0 || jobs < 0 {
		return usagef("%s: --timed-steps and --jobs: want 0 or more", f.Name())
	}
	if _, err := os.ReadDir(s.out); s.out != "" && err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: --out: %w", f.Name(), err)
	}
	all, searches, err := s.cells(name)
	if err != nil {
		return err
	}
	shard, note, err := s.selectedShard(p, f)
	if err != nil {
		return err
	}
	s.every = "1m"
	o, err := s.options(1)
	if err != nil {
		return err
	}
	e := &sweep.Estimator{DataPath: s.data, Threads: s.threads, TimedSteps: timed, BLAS: o.BLAS}
	jobs = cmp.Or(jobs, coreJobs(runtime.GOMAXPROCS(0), s.threads))
	p.printBLAS(s.quiet, s.json)
	for _, dir := range records {
		used, other, err := e.ReadRecords(dir)
		if err != nil {
			return fmt.Errorf("reading --records: %w", err)
		}
		if used+other == 0 {
			return fmt.Errorf("--records %s: no records there", dir)
		}
		if other > 0 && !s.quiet {
			fmt.Fprintf(p.stderr, "%s: %d records tell times; %d of another processor, BLAS or version do not\n", dir, used, other)
		}
	}
	made, failed := p.estimate(e, &s, name, shard.Pick(all), jobs)
	made.addChosen(searches)
	if err := p.ctx.Err(); err != nil {
		return p.interrupted("nothing was run", args, "sweep", "plan")
	}
	if s.json {
		err = p.printJSON(made)
	} else {
		err = p.printPlan(made, len(all), note)
	}
	return errors.Join(err, failed)
}

// estimate estimates the time of each cell. The error lists cells that cannot be run.
func (p *program) estimate(e *sweep.Estimator, s *sweepFlags, name string, cells []sweep.Cell, jobs int) (*plan, error) {
	out := &plan{Grid: name, Jobs: jobs, Cells: []plannedCell{}}
	var seconds []float64
	var groups sweep.ErrorGroups
	failed := 0
	d := progress.New(p.stderr)
	defer d.Close()
	for i := range cells {
		c := &cells[i]
		planned := plannedCell{Name: c.Name(), Dir: c.Dir(), Cell: c.Hash(), Values: append([]string{}, c.Values...), Steps: c.Protocol.Steps}
		var est sweep.Estimate
		var err error
		if s.out != "" && sweep.IsFinished(s.out, &c.Cell) {
			est = sweep.Estimate{Source: sweep.Finished}
		} else {
			if !s.quiet {
				d.Show(progress.State{Name: "estimating", Done: fmt.Sprintf("cell %d of %d", i+1, len(cells))})
			}
			if est, err = e.Estimate(p.ctx, &c.Cell); p.ctx.Err() != nil {
				return out, nil
			}
		}
		if err != nil {
			planned.Error = printable.Error(err)
			groups.Add(err, c.Dir())
			failed++
		}
		planned.Source, planned.Runs = est.Source, est.Runs
		if est.Source == sweep.Unknown {
			out.Unknown++
		} else {
			planned.Seconds = &est.Seconds
			out.Seconds += est.Seconds
			seconds = append(seconds, est.Seconds)
		}
		out.Cells = append(out.Cells, planned)
	}
	if seconds != nil {
		out.Pool = sweep.PoolSeconds(seconds, jobs)
	}
	if failed == 0 {
		return out, nil
	}
	// Their errors are not wrapped: they are no usage errors of the command.
	return out, fmt.Errorf("%d of %d cells cannot be run:\n%s", failed, len(cells), strings.Join(groups.Lines(), "\n"))
}

// addChosen adds the runs of settings that searches will choose: each takes at most the
// time of the most expensive setting of its search.
func (made *plan) addChosen(searches []sweep.Search) {
	seconds := map[string]float64{}
	for _, c := range made.Cells {
		if c.Seconds != nil {
			seconds[c.Cell] = *c.Seconds
		}
	}
	for _, s := range searches {
		most, known, seeds := 0.0, true, len(s.OtherSeeds())
		for i := range s.Cells {
			t, ok := seconds[s.Cells[i].Hash()]
			most, known = max(most, t), known && ok
		}
		made.Chosen += seeds
		if known {
			made.ChosenSeconds += float64(seeds) * most
		} else {
			made.ChosenUnknown += seeds
		}
	}
}

// printPlan prints the cells and the totals.
func (p *program) printPlan(made *plan, all int, shard string) error {
	var rows [][]string
	for _, c := range made.Cells {
		time := "?"
		if c.Seconds != nil {
			time = span(*c.Seconds)
		}
		source := string(c.Source)
		if c.Runs > 0 {
			source = fmt.Sprintf("%s (%d)", source, c.Runs)
		}
		rows = append(rows, []string{c.Dir, strings.Join(c.Values, " "), source, fmt.Sprint(c.Steps), time})
	}
	if len(rows) > 0 {
		if err := grid.Draw(p.stdout, p.style(false).ASCII, []string{"cell", "values", "estimate", "steps", "CPU time"}, 3, rows); err != nil {
			return err
		}
	}
	if shard != "" {
		fmt.Fprintf(p.stdout, "%s: %d of %d cells\n", shard, len(made.Cells), all)
	}
	at := "at least "
	if made.Unknown == 0 {
		at = ""
	}
	fmt.Fprintf(p.stdout, "%s: %s%s of CPU time; %d at a time on this machine: %s%s\n",
		printable.Count(len(made.Cells), "cells"), at, span(made.Seconds), made.Jobs, at, span(made.Pool))
	if made.Chosen > 0 {
		most := "at most " + span(made.ChosenSeconds) + " of CPU time"
		switch {
		case made.ChosenUnknown == made.Chosen:
			most = "of unknown time"
		case made.ChosenUnknown > 0:
			most += fmt.Sprintf(", and %d of unknown time", made.ChosenUnknown)
		}
		fmt.Fprintf(p.stdout, "Then %s of the chosen settings: %s\n", printable.Count(made.Chosen, "runs"), most)
	}
	if made.Unknown > 0 {
		fmt.Fprintf(p.stdout, "Of unknown time: %s\n", printable.Count(made.Unknown, "cells"))
	}
	fmt.Fprint(p.stdout, "recorded (n): mean of n records; timed: a few steps, timed now; as timed: as a timed cell of the\n"+
		"same sizes. For all steps: a rule that stops early, or hops that are learned, make it less.\n")
	return nil
}

// span prints a time, possibly in years.
func span(seconds float64) string {
	switch days := seconds / (24 * 3600); {
	case days >= 730:
		return fmt.Sprintf("%.1f years", days/365)
	case days >= 2:
		return fmt.Sprintf("%.1f days", days)
	case seconds > 0 && seconds < 10:
		return fmt.Sprintf("%.1fs", seconds)
	}
	return progress.Duration(time.Duration(seconds * float64(time.Second)))
}
