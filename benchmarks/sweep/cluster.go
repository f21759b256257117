package sweep

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Job describes a sweep on a cluster: one process per shard, with a shared directory for
// the results.
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

// grace is the time that a process has to save its runs before it is killed.
const grace = 2 * time.Minute

// Name returns the job's name: at most 63 letters, digits and hyphens, as Kubernetes
// requires.
func (j Job) Name() string {
	name := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, strings.ToLower("memobench-"+j.Grid))
	return strings.Trim(name[:min(len(name), 63)], "-")
}

// about returns the comment at the beginning of both scripts.
func (j Job) about(submit string) string {
	return fmt.Sprintf(`# Sweep %s: %d cells in %d shards. To start it, and to resume after failures or
# an end of time, when finished cells are kept and others resume:
#   %s
`, j.Grid, j.Cells, j.Shards, submit)
}

// Slurm returns a batch script of a job array whose tasks are the shards. quote quotes a
// word for the shell.
//
// The program replaces the shell: before the end of the time and at preemption it gets
// SIGTERM and saves its runs.
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

// Pod describes the pods of a Kubernetes Job.
type Pod struct {
	Image       string // container image that holds the program
	Claim       string // name of the PersistentVolumeClaim that is mounted at Out; it must allow mounts by many pods
	Out         string // path of the results in the container
	Parallelism int    // maximum number of pods at a time; 0 for all

	// Files are mounted in the container from a ConfigMap: a grid and its preset.
	Files []File
}

// File is a file in a container.
type File struct {
	Path string
	Data []byte
}

// Kubernetes returns a manifest of an Indexed Job whose pods are the shards, and of the
// ConfigMap with the files, if any. An evicted pod is always restarted, a failed one at
// most twice.
func Kubernetes(j Job, p Pod) string {
	var b strings.Builder
	b.WriteString(j.about("kubectl apply -f THIS-FILE; before another start: kubectl delete job " + j.Name()))
	var mounts, volumes strings.Builder
	fmt.Fprintf(&mounts, "        - {name: results, mountPath: %s}\n", inYAML(p.Out))
	fmt.Fprintf(&volumes, "      - {name: results, persistentVolumeClaim: {claimName: %s}}\n", inYAML(p.Claim))
	if len(p.Files) > 0 {
		fmt.Fprintf(&b, "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: %s}\ndata:\n", j.Name())
		fmt.Fprintf(&volumes, "      - {name: files, configMap: {name: %s}}\n", j.Name())
		for i, f := range p.Files {
			fmt.Fprintf(&b, "  file-%d: %s\n", i, inYAML(string(f.Data)))
			fmt.Fprintf(&mounts, "        - {name: files, mountPath: %s, subPath: file-%d, readOnly: true}\n",
				inYAML(f.Path), i)
		}
		b.WriteString("---\n")
	}
	command := append(append([]string{j.Program}, j.Args...), "--shards", strconv.Itoa(j.Shards))
	amount := fmt.Sprintf(`{cpu: "%d", memory: %dGi}`, j.Cores, j.Memory)
	parallelism := p.Parallelism
	if parallelism < 1 {
		parallelism = j.Shards
	}
	fmt.Fprintf(&b, `apiVersion: batch/v1
kind: Job
metadata: {name: %s}
spec:
  completionMode: Indexed
  completions: %d
  parallelism: %d
  backoffLimitPerIndex: 2
  maxFailedIndexes: %d
  podFailurePolicy:
    rules:
    - {action: Ignore, onPodConditions: [{type: DisruptionTarget, status: "True"}]}
  template:
    spec:
      restartPolicy: Never
      terminationGracePeriodSeconds: %d
      containers:
      - name: memobench
        image: %s
        command: %s
        env: [{name: GOMAXPROCS, value: "%d"}]
        resources: {requests: %s, limits: %s}
        volumeMounts:
%s      volumes:
%s`, j.Name(), j.Shards, parallelism, j.Shards, int(grace.Seconds()), inYAML(p.Image), inYAML(command), j.Cores, amount, amount,
		&mounts, &volumes)
	return b.String()
}

// inYAML returns a string or a list of strings in JSON, which is also YAML.
func inYAML(v any) string {
	data, err := json.Marshal(v)
	if err != nil { // not for strings
		panic(err)
	}
	return string(data)
}
