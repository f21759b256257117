package sweep

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/goccy/go-yaml"
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

// grace is how long a process gets to save its runs when it is to end.
const grace = 2 * time.Minute

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
	return fmt.Sprintf(`# Sweep %s: %d cells in %d shards. To start it, and to resume after failures or
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
`, j.Name(), j.Shards-1, j.Cores, j.Memory, int(t.Hours()), int(t.Minutes())%60, int(grace.Seconds()), j.Name(), j.Cores,
		strings.Join(words, " "), j.Shards)
}

// Pod says what the processes of a Kubernetes Job are given.
type Pod struct {
	Image string // container image that holds the program
	Claim string // name of the PersistentVolumeClaim that is mounted at Out; it must allow mounts by many pods
	Out   string // path of the results in the container
	Atop  int    // pods at a time; 0 for all

	// Files are put into the container, by path: a grid and its preset. They are
	// carried by a ConfigMap, by number.
	Files []File
}

// File is a file in a container.
type File struct {
	Path string
	Data []byte
}

// entries is a YAML mapping whose keys keep their order.
type entries = yaml.MapSlice

// Kubernetes returns a manifest of an Indexed Job whose pods are the shards, and,
// where files are needed, of the ConfigMap that carries them. A pod that was
// evicted is started again without end, one that failed thrice at most.
func Kubernetes(j Job, p Pod) (string, error) {
	mounts := []entries{{{Key: "name", Value: "results"}, {Key: "mountPath", Value: p.Out}}}
	volumes := []entries{{{Key: "name", Value: "results"},
		{Key: "persistentVolumeClaim", Value: entries{{Key: "claimName", Value: p.Claim}}}}}
	var files entries
	for i, f := range p.Files {
		key := "file-" + strconv.Itoa(i)
		files = append(files, yaml.MapItem{Key: key, Value: string(f.Data)})
		mounts = append(mounts, entries{{Key: "name", Value: "files"}, {Key: "mountPath", Value: f.Path}, {Key: "subPath", Value: key}, {Key: "readOnly", Value: true}})
	}
	out := j.about("kubectl apply -f THIS-FILE; before another start: kubectl delete job " + j.Name())
	if files != nil {
		volumes = append(volumes, entries{{Key: "name", Value: "files"}, {Key: "configMap", Value: entries{{Key: "name", Value: j.Name()}}}})
		text, err := yaml.MarshalWithOptions(entries{
			{Key: "apiVersion", Value: "v1"}, {Key: "kind", Value: "ConfigMap"},
			{Key: "metadata", Value: entries{{Key: "name", Value: j.Name()}}}, {Key: "data", Value: files},
		}, yaml.UseLiteralStyleIfMultiline(true))
		if err != nil {
			return "", err
		}
		out += string(text) + "---\n"
	}
	text, err := yaml.MarshalWithOptions(j.manifest(p, mounts, volumes), yaml.IndentSequence(true))
	return out + string(text), err
}

// manifest is the Job.
func (j Job) manifest(p Pod, mounts, volumes []entries) entries {
	atop := p.Atop
	if atop < 1 {
		atop = j.Shards
	}
	amount := entries{{Key: "cpu", Value: strconv.Itoa(j.Cores)}, {Key: "memory", Value: fmt.Sprintf("%dGi", j.Memory)}}
	container := entries{
		{Key: "name", Value: "memobench"},
		{Key: "image", Value: p.Image},
		{Key: "command", Value: append(append([]string{j.Program}, j.Args...), "--shards", strconv.Itoa(j.Shards))},
		{Key: "env", Value: []entries{{{Key: "name", Value: "GOMAXPROCS"}, {Key: "value", Value: strconv.Itoa(j.Cores)}}}},
		{Key: "resources", Value: entries{{Key: "requests", Value: amount}, {Key: "limits", Value: amount}}},
		{Key: "volumeMounts", Value: mounts},
	}
	return entries{
		{Key: "apiVersion", Value: "batch/v1"},
		{Key: "kind", Value: "Job"},
		{Key: "metadata", Value: entries{{Key: "name", Value: j.Name()}}},
		{Key: "spec", Value: entries{
			{Key: "completionMode", Value: "Indexed"},
			{Key: "completions", Value: j.Shards},
			{Key: "parallelism", Value: atop},
			{Key: "backoffLimitPerIndex", Value: 2},
			{Key: "maxFailedIndexes", Value: j.Shards},
			{Key: "podFailurePolicy", Value: entries{{Key: "rules", Value: []entries{{
				{Key: "action", Value: "Ignore"},
				{Key: "onPodConditions", Value: []entries{{{Key: "type", Value: "DisruptionTarget"}, {Key: "status", Value: "True"}}}},
			}}}}},
			{Key: "template", Value: entries{{Key: "spec", Value: entries{
				{Key: "restartPolicy", Value: "Never"},
				{Key: "terminationGracePeriodSeconds", Value: int(grace.Seconds())},
				{Key: "containers", Value: []entries{container}},
				{Key: "volumes", Value: volumes},
			}}}},
		}},
	}
}
