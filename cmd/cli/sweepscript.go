package cli

import (
	"cmp"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"time"

	"memobench/benchmarks/config"
	"memobench/benchmarks/sweep"
	"memobench/datasets/binfile"
)

// maxTasks is the default maximum number of tasks of an array: Slurm's default MaxArraySize
// is 1001.
const maxTasks = 1000

// sweepScript prints a job for a cluster.
func (p *program) sweepScript(args []string) error {
	f := p.groupFlags("sweep script slurm|kubernetes GRID --out DIR [flags]",
		`Print a Slurm job array, or a Kubernetes Indexed Job, that runs a grid: a task or
pod for each shard, by default for each cell. All write into --out, which every
machine must reach. The flags of "memobench sweep run" are passed on to it.`,
		[2]string{"sweep script slurm paper-memo-pai --out /scratch/pai", "to be given to sbatch"},
		[2]string{"sweep script kubernetes paper-dnc --image memobench:1 --claim results --out /results", "to be given to kubectl apply"})
	var s sweepRunFlags
	var program, image, claim string
	var memory, pods int
	var limit time.Duration
	s.add(f)
	f.StringVar(&program, "program", "", "`PATH` of memobench on the cluster (default: for Slurm this program, for Kubernetes memobench)")
	f.IntVar(&memory, "memory", 4, "memory of each task or pod, a `NUMBER` of GiB")
	f.DurationVar(&limit, "time", 24*time.Hour, "Slurm: longest `TIME` of a task")
	f.StringVar(&image, "image", "", "Kubernetes: container image with memobench, `NAME`")
	f.StringVar(&claim, "claim", "", "Kubernetes: claim of a persistent volume, mounted at --out by many pods, `NAME`")
	f.IntVar(&pods, "pods", 0, "Kubernetes: `NUMBER` of pods at a time (default: all)")
	if err := f.parse(args, "slurm|kubernetes GRID"); err != nil {
		return err
	}
	kinds := []string{"slurm", "kubernetes"}
	switch f.NArg() {
	case 0, 1:
		return usagef("%s: a scheduler and a grid are needed, for example: memobench sweep script slurm quick --out /scratch/sweep", f.Name())
	case 2:
	default:
		return usagef("%s: argument %q is left over: %s takes a scheduler and a grid", f.Name(), f.Arg(2), f.Name())
	}
	kind, name := f.Arg(0), f.Arg(1)
	if kind != kinds[0] && kind != kinds[1] {
		return unknown("scheduler", kind, kinds)
	}
	if err := required(f, "out", "/scratch/sweep"); err != nil {
		return err
	}
	for _, flag := range []string{"overwrite", "shard", "json"} {
		if f.Changed(flag) {
			return usagef("%s: --%s has no place in a script whose tasks are shards and may be started again", f.Name(), flag)
		}
	}
	if memory < 1 || limit < time.Minute || pods < 0 || s.jobs < 0 {
		return usagef("%s: want --memory 1 or more, --time 1m or more, --pods and --jobs not below 0", f.Name())
	}
	cells, _, err := s.cells(name)
	if err != nil {
		return err
	}
	if _, err := s.options(1); err != nil {
		return err
	}
	if s.shards < 0 {
		return usagef("%s: --shards %d: want 1 or more", f.Name(), s.shards)
	}
	s.shards = cmp.Or(s.shards, min(len(cells), maxTasks))
	g, err := loadGrid(name)
	if err != nil {
		return err
	}
	j := sweep.Job{Grid: g.Name, Program: program, Cells: len(cells), Shards: s.shards,
		Cores: max(1, s.jobs) * s.threads, Memory: memory, Time: limit}
	passed := append(forward(f, "out", "shards", "jobs", "quiet", "program", "memory", "time", "image", "claim", "pods"),
		"--jobs", fmt.Sprint(max(1, s.jobs)), "--quiet")
	if kind == "slurm" {
		return p.printSlurm(j, name, s.out, passed)
	}
	if image == "" || claim == "" {
		return usagef("%s: kubernetes needs --image and --claim, for example --image memobench:1 --claim results", f.Name())
	}
	if !path.IsAbs(s.out) {
		return usagef("%s: --out %s: want the absolute path at which --claim is mounted", f.Name(), s.out)
	}
	return p.printKubernetes(j, name, g.Preset, passed, sweep.Pod{Image: image, Claim: claim, Out: s.out, Parallelism: pods})
}

// printSlurm prints a batch script with absolute paths.
func (p *program) printSlurm(j sweep.Job, grid, out string, passed []string) error {
	var err error
	if j.Program == "" {
		if j.Program, err = os.Executable(); err != nil {
			return err
		}
	}
	if out, err = filepath.Abs(out); err != nil {
		return err
	}
	if isYAML(grid) {
		if grid, err = filepath.Abs(grid); err != nil {
			return err
		}
	}
	j.Args = append([]string{"sweep", "run", grid, "--out", out}, passed...)
	_, err = fmt.Fprint(p.stdout, sweep.Slurm(j, quote))
	return err
}

// printKubernetes prints a manifest with the files of grid and preset.
func (p *program) printKubernetes(j sweep.Job, grid, preset string, passed []string, pod sweep.Pod) error {
	const above = "/grid"
	j.Program = cmp.Or(j.Program, "memobench")
	if isYAML(grid) {
		data, err := binfile.ReadFile(grid, config.MaxYAML)
		if err != nil {
			return err
		}
		if isYAML(preset) {
			rel, err := filepath.Rel(filepath.Dir(grid), preset)
			if err != nil {
				return err
			}
			text, err := binfile.ReadFile(preset, config.MaxYAML)
			if err != nil {
				return err
			}
			// The grid names it by a relative path.
			pod.Files = append(pod.Files, sweep.File{Path: path.Join(above, filepath.ToSlash(rel)), Data: text})
		}
		grid = path.Join(above, filepath.Base(grid))
		pod.Files = append(pod.Files, sweep.File{Path: grid, Data: data})
	}
	j.Args = append([]string{"sweep", "run", grid, "--out", pod.Out}, passed...)
	_, err := fmt.Fprint(p.stdout, sweep.Kubernetes(j, pod))
	return err
}
