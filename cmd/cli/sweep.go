package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"memobench/benchmarks/sweep"
)

// sweepCommands lists what sweep does, in the order of its help.
func sweepCommands() []subcommand {
	return []subcommand{
		{"plan", "list the cells of a grid, and the time that each takes", (*program).sweepPlan},
		{"run", "run the cells of a grid, or one shard of them", (*program).sweepRun},
		{"script", "print a job for Slurm or Kubernetes that runs a grid", (*program).sweepScript},
		{"merge", "join directories of results", (*program).sweepMerge},
	}
}

// sweep runs a grid of settings and seeds.
func (p *program) sweep(args []string) error {
	return p.group("sweep", "Many runs that differ in settings and seeds, from a grid: one of\n  "+strings.Join(sweep.Names(), " ")+
		"\n(paper-*: the ranges of the paper's tables 12, 14 and 16), or a .yaml file of that form.", sweepCommands(), args,
		[2]string{"sweep plan quick", "what would be run, and how long it takes"},
		[2]string{"sweep run quick --out runs/sweep", "run it"},
		[2]string{"sweep script slurm paper-memo-pai --out /scratch/pai", "a job for a cluster"})
}

// sweepFlags are the flags that select cells.
type sweepFlags struct {
	common
	tasks, models []string
	seeds         []int
	shard         string
	shards        int
}

// addCells declares the flags that select tasks, models and seeds.
func (s *sweepFlags) addCells(f *flagSet) {
	f.StringSliceVar(&s.tasks, "tasks", nil, "only these tasks of the grid, `NAME,NAME`")
	f.StringSliceVar(&s.models, "models", nil, "only these models of the grid, `NAME,NAME`")
	f.IntSliceVar(&s.seeds, "seeds", nil, "these seeds instead of the grid's, `N,N`")
	f.StringArrayVar(&s.set, "set", nil, "change the grid's preset, as `KEY=VALUE`, which also fixes a range of that key; may be given several times")
}

// addShard declares the flags that select a shard.
func (s *sweepFlags) addShard(f *flagSet) {
	f.StringVar(&s.shard, "shard", "", "only shard `I/N`, with I from 0 (default: what Slurm or Kubernetes say, else all cells)")
	f.IntVar(&s.shards, "shards", 0, "`NUMBER` of shards, where SLURM_ARRAY_TASK_ID or JOB_COMPLETION_INDEX says which one this is")
}

// cells lists the selected cells of all shards, and their searches.
func (s *sweepFlags) cells(grid string) ([]sweep.Cell, []sweep.Search, error) {
	g, err := loadGrid(grid)
	if err != nil {
		return nil, nil, err
	}
	seeds, err := seedsOf(s.seeds)
	if err != nil {
		return nil, nil, err
	}
	preset, err := loadPreset(g.Preset)
	if err != nil {
		return nil, nil, usage(fmt.Errorf("grid %s: %w", g.Name, err))
	}
	change := sweep.Change{Tasks: s.tasks, Models: s.models, Seeds: seeds, Set: s.set}
	cells, err := g.Cells(preset, change)
	if err != nil {
		return nil, nil, usage(err)
	}
	searches, err := g.Searches(preset, change)
	return cells, searches, usage(err)
}

// selectedShard returns the shard from the flags or the environment, and its description;
// empty for all cells.
func (s *sweepFlags) selectedShard(p *program, f *flagSet) (sweep.Shard, string, error) {
	if s.shards < 0 || s.shards == 0 && f.Changed("shards") {
		return sweep.Whole, "", usagef("%s: --shards %d: want 1 or more", f.Name(), s.shards)
	}
	if s.shard != "" {
		if s.shards > 0 {
			return sweep.Whole, "", usagef("%s: --shard has the number of shards already: leave out --shards", f.Name())
		}
		shard, err := sweep.ParseShard(s.shard)
		if err != nil {
			return shard, "", usagef("%s: --%w", f.Name(), err)
		}
		return shard, fmt.Sprintf("shard %v", shard), nil
	}
	shard, from, err := sweep.EnvShard(p.getenv, s.shards)
	if err != nil {
		return shard, "", usagef("%s: %w: write --shard I/N, or --shards N", f.Name(), err)
	}
	if from == "" {
		return shard, "", nil
	}
	return shard, fmt.Sprintf("shard %v, as %s says", shard, from), nil
}

// forward returns the arguments that set the flags that are set in f, without those named.
func forward(f *flagSet, without ...string) []string {
	var args []string
	f.Visit(func(flag *pflag.Flag) {
		if slices.Contains(without, flag.Name) {
			return
		}
		switch list, many := flag.Value.(pflag.SliceValue); {
		case flag.Value.Type() == "bool":
			args = append(args, "--"+flag.Name+"="+flag.Value.String())
		case flag.Value.Type() == "stringArray":
			for _, value := range list.GetSlice() {
				args = append(args, "--"+flag.Name, value)
			}
		case many:
			args = append(args, "--"+flag.Name, strings.Join(list.GetSlice(), ","))
		default:
			args = append(args, "--"+flag.Name, flag.Value.String())
		}
	})
	return args
}

// coreJobs returns the default number of parallel runs.
func coreJobs(cores, threads int) int { return max(1, cores/max(1, threads)) }

// sweepMerge joins directories of results.
func (p *program) sweepMerge(args []string) error {
	f := p.groupFlags("sweep merge OUT DIR... [flags]",
		`Copy the runs below each DIR into OUT, each into the directory that a sweep gives
it. The same run found twice must have the same result and the same weights; where
they differ, all such cells are named and nothing is copied. A copy with intact
weights is preferred. Nothing in OUT is replaced. Runs without a record are left out.`,
		[2]string{"sweep merge runs/all runs/shard-0 runs/shard-1", "the results of two machines"})
	var quiet, json bool
	f.BoolVar(&quiet, "quiet", false, "print nothing")
	f.BoolVar(&json, "json", false, "print JSON")
	if err := f.parse(args, "OUT DIR..."); err != nil {
		return err
	}
	if f.NArg() < 2 {
		return usagef("%s: a directory for the result and others to take it from are needed, for example: memobench sweep merge runs/all runs/a runs/b", f.Name())
	}
	out := f.Arg(0)
	m, err := sweep.Merge(out, f.Args()[1:]...)
	if err != nil {
		return err
	}
	switch {
	case json:
		err = p.printJSON(m)
	case !quiet:
		fmt.Fprintf(p.stdout, "%s: %d runs added, %d were there, %d were found again with the same result\n", out, len(m.Added), m.Kept, m.Duplicates)
		for _, dir := range m.Unfinished {
			fmt.Fprintf(p.stdout, "Left out, without a record: %s\n", dir)
		}
	}
	if err == nil && len(m.Damaged) > 0 {
		err = fmt.Errorf("merged, but the weights of %d runs are damaged in every copy: %s", len(m.Damaged), strings.Join(m.Damaged, ", "))
	}
	return err
}
