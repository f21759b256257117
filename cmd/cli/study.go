package cli

import (
	"fmt"

	"github.com/spf13/pflag"

	"memobench/benchmarks/study"
	"memobench/datasets"
)

// studyFlags select runs of a study and change their settings.
type studyFlags struct {
	name  string // of the study, or path of its file
	tasks []string
	only  []string // names of runs
	seeds []uint64
	set   []string
}

// studyVar declares --study.
func (s *studyFlags) studyVar(f *pflag.FlagSet, name string) {
	f.StringVar(&s.name, "study", name, "`NAME` of a study (memobench ls), or path of its .yaml file")
}

// load returns the selected part of a study.
func (s *studyFlags) load() (*study.Study, error) {
	selected, err := study.Load(s.name)
	if err == nil {
		err = selected.Select(s.tasks, s.only)
	}
	if err == nil && len(selected.Experiments) == 0 {
		err = fmt.Errorf("study %s has no runs: it states commands", s.name)
	}
	if err == nil && len(s.seeds) > 0 {
		err = selected.SetSeeds(s.seeds...)
	}
	for _, change := range s.set {
		if err == nil {
			err = selected.Set(change)
		}
	}
	return selected, usage(err)
}

// protocolFlags select the protocol of a task in a study.
type protocolFlags struct {
	studyFlags
	data string
}

func (o *protocolFlags) add(f *pflag.FlagSet) {
	o.studyVar(f, "standard")
	setVar(f, &o.set)
	dataVar(f, &o.data)
}

// open returns a run of the task in the study, and its data.
func (o *protocolFlags) open(task string) (*study.Cell, datasets.Source, error) {
	if err := study.CheckData(o.data, task); err != nil {
		return nil, nil, err
	}
	o.tasks = []string{task}
	selected, err := o.load()
	if err != nil {
		return nil, nil, err
	}
	cell := selected.Cells()[0]
	src, err := study.OpenSource(&cell, datasets.Options{DataPath: o.data})
	return &cell, src, err
}
