package sweep

import (
	"fmt"
	"strconv"

	"github.com/goccy/go-yaml"
)

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
				{Key: "terminationGracePeriodSeconds", Value: int(Grace.Seconds())},
				{Key: "containers", Value: []entries{container}},
				{Key: "volumes", Value: volumes},
			}}}},
		}},
	}
}
