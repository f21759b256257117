package sweep

import (
	"fmt"
	"strings"
	"time"
)

// Job describes a sweep on a cluster: Shards processes, each of which runs one
// shard, with results in one directory that all of them reach.
type Job struct {
	Grid    string   // the grid's name
	Program string   // path of the program on the cluster's machines
	Args    []string // its arguments, without the shard
	Cells   int
	Shards  int
	Cores   int // of each process
	Memory  int // of each process, GiB
	Time    time.Duration
}

// Grace is how long a process gets to save its runs when it is to end.
const Grace = 2 * time.Minute

// Name returns the job's name: letters, digits and hyphens, at most 63, as
// Kubernetes wants it.
func (j Job) Name() string {
	name := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, strings.ToLower("memobench-"+j.Grid))
	return strings.Trim(name[:min(len(name), 63)], "-")
}

// about are the lines of comment that both scripts begin with.
func (j Job) about(submit string) string {
	return fmt.Sprintf(`# Sweep %s: %d cells in %d shards. To start it, and to go on after failures or
# an end of time, when finished cells are kept and others resume:
#   %s
`, j.Grid, j.Cells, j.Shards, submit)
}

// Slurm returns a batch script of a job array whose tasks are the shards. quote
// makes a word safe for the shell.
//
// Time's end and preemption are announced by SIGTERM to the program, which takes
// the place of the shell, so that it saves its runs.
func Slurm(j Job, quote func(string) string) string {
	words := []string{quote(j.Program)}
	for _, a := range j.Args {
		words = append(words, quote(a))
	}
	t := j.Time.Round(time.Minute)
	return "#!/bin/bash\n" + j.about("sbatch THIS-FILE") + fmt.Sprintf(`# A part of the shards: sbatch --array=3,5-7 THIS-FILE
#SBATCH --job-name=%s
#SBATCH --array=0-%d
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=%d
#SBATCH --mem=%dG
#SBATCH --time=%d:%02d:00
#SBATCH --signal=B:TERM@%d
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=%s-%%A_%%a.log
export GOMAXPROCS=%d
exec %s --shard "$SLURM_ARRAY_TASK_ID/%d"
`, j.Name(), j.Shards-1, j.Cores, j.Memory, int(t.Hours()), int(t.Minutes())%60, int(Grace.Seconds()), j.Name(), j.Cores,
		strings.Join(words, " "), j.Shards)
}
