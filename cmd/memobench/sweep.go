package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"memobench/benchmarks"
	"memobench/benchmarks/sweep"
	"memobench/datasets/binfile"
)

// sweepVerbs lists what sweep does, in the order of its help.
func sweepVerbs() []verb {
	return []verb{
		{"plan", "list the cells of a grid, and the time that each takes", (*program).sweepPlan},
		{"run", "run the cells of a grid, or one shard of them", (*program).sweepRun},
		{"script", "print a job for Slurm or Kubernetes that runs a grid", (*program).sweepScript},
		{"merge", "join directories of results", (*program).sweepMerge},
	}
}

// sweep runs a grid of settings and seeds.
func (p *program) sweep(args []string) error {
	return p.group("sweep", "Many runs that differ in settings and seeds, from a grid: one of\n  "+strings.Join(sweep.Names(), " ")+
		"\n(paper-*: the ranges of the paper's tables 12, 14 and 16), or a .yaml file of that form.", sweepVerbs(), args,
		[2]string{"sweep plan quick", "what would be run, and how long it takes"},
		[2]string{"sweep run quick --out runs/sweep", "run it"},
		[2]string{"sweep script slurm paper-memo-pai --out /scratch/pai", "a job for a cluster"})
}

// sweepFlags are the flags that say which cells are meant.
type sweepFlags struct {
	common
	tasks, models []string
	seeds         []int
	shard         string
	shards        int
}

// addCells declares them.
func (s *sweepFlags) addCells(f *flagSet) {
	f.StringSliceVar(&s.tasks, "tasks", nil, "only these tasks of the grid, `NAME,NAME`")
	f.StringSliceVar(&s.models, "models", nil, "only these models of the grid, `NAME,NAME`")
	f.IntSliceVar(&s.seeds, "seeds", nil, "these seeds instead of the grid's, `N,N`")
	f.StringArrayVar(&s.set, "set", nil, "change the grid's preset, as `KEY=VALUE`, which also fixes a range of that key; may be given several times")
}

// addShard declares those that choose a shard.
func (s *sweepFlags) addShard(f *flagSet) {
	f.StringVar(&s.shard, "shard", "", "only shard `I/N`, with I from 0 (default: what Slurm or Kubernetes say, else all cells)")
	f.IntVar(&s.shards, "shards", 0, "`NUMBER` of shards, where SLURM_ARRAY_TASK_ID or JOB_COMPLETION_INDEX says which one this is")
}

// cells lists the cells that the flags mean, of all shards.
func (s *sweepFlags) cells(grid string) ([]sweep.Cell, error) {
	g, err := loadGrid(grid)
	if err != nil {
		return nil, err
	}
	seeds, err := seedsOf(s.seeds)
	if err != nil {
		return nil, err
	}
	preset, err := loadPreset(g.Preset)
	if err != nil {
		return nil, usage(fmt.Errorf("grid %s: %w", g.Name, err))
	}
	cells, err := g.Cells(preset, sweep.Change{Tasks: s.tasks, Models: s.models, Seeds: seeds, Set: s.set})
	return cells, usage(err)
}

// loadGrid returns the ready grid of that name, or the one in the YAML file of
// that name. The path of a preset in a file counts from it.
func loadGrid(name string) (*sweep.Grid, error) {
	if !isYAML(name) {
		return sweep.Load(name)
	}
	data, err := binfile.ReadFile(name, benchmarks.MaxYAML)
	if err != nil {
		return nil, usage(err)
	}
	g, err := sweep.Parse(strings.TrimSuffix(filepath.Base(name), filepath.Ext(name)), data)
	if err != nil {
		return nil, usage(err)
	}
	if isYAML(g.Preset) && !filepath.IsAbs(g.Preset) {
		g.Preset = filepath.Join(filepath.Dir(name), g.Preset)
	}
	return g, nil
}

func isYAML(name string) bool {
	return strings.HasSuffix(name, ".yaml") || strings.HasSuffix(name, ".yml")
}

// which returns the shard that the flags or the environment name, and words that
// say so; none for all cells.
func (s *sweepFlags) which(p *program, f *flagSet) (sweep.Shard, string, error) {
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

// forward returns the arguments that set the flags as they are set in f, but for
// those named.
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
			for _, one := range list.GetSlice() {
				args = append(args, "--"+flag.Name, one)
			}
		case many:
			args = append(args, "--"+flag.Name, strings.Join(list.GetSlice(), ","))
		default:
			args = append(args, "--"+flag.Name, flag.Value.String())
		}
	})
	return args
}

// coreJobs is how many runs at a time a machine's cores take.
func coreJobs(cores, threads int) int { return max(1, cores/max(1, threads)) }
