// Package study holds the configuration of runs: studies, protocols, and the settings of
// tasks, models and training.
//
// A study is a YAML file that names its runs (studies/README.md documents the form). Presets,
// grids, recorded studies and the resolved config.yaml of a run have this one form:
//
//	Load("quick")                   *Study: experiments, each one task under one protocol,
//	                                with its runs and seeds
//	Study.Select(tasks, names)      keeps a part of it
//	Study.Set("memo.hops=5")        changes settings, and the names of the changed runs
//	Study.Cells()                   []Cell: each one run with one seed, every setting resolved
//	Study.Searches()                the runs among which a rule chooses
//	Study.YAML()                    the resolved whole, itself a study
//
// A configuration is a struct whose exported fields have the tags yaml (its key), doc (one
// line) and, in part, range (the allowed values). A setting has two forms: text, in YAML and
// in --set, and the field. The same code reads, checks and writes both.
//
// A Protocol is what all models of an experiment have in common: data, batches, steps and
// questions. Runs whose protocols have different hashes are never averaged.
package study

import (
	"cmp"
	"embed"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"memobench/benchmarks/record"
	"memobench/datasets"
	"memobench/datasets/binfile"
	"memobench/models"
)

// maxSize is the maximum size of a study in bytes; the largest recorded one has 30 kB.
const maxSize = 1 << 20

// Study is a list of experiments, fully resolved: every setting has a value.
type Study struct {
	Name        string
	About       string // one line
	Commands    []text // what was run, of a recorded study that is not made of trainings
	Experiments []*Experiment
}

// Experiment is one task under one protocol, with the runs that are compared on it.
type Experiment struct {
	Task       string
	Settings   any // pointer to the task's settings
	Protocol   Protocol
	PaperSteps paperSteps // the paper's number of steps; another number is a caveat
	Seeds      []uint64
	Runs       []*Run
}

// Run is one configuration of a model in an experiment, trained with several seeds.
type Run struct {
	Name     string // unique within the study and the task
	Title    string // the name as a table prints it
	Model    string // registry name
	Config   models.Config
	Training models.Training
	Steps    int      // instead of the protocol's; 0 means those
	Seeds    []uint64 // instead of the experiment's; nil means those

	// Ranges expand the run to one for each choice of values. Choose, if not nil, then trains
	// the best of these with more seeds.
	Ranges ranges
	Choose *choice

	declared, titled string   // name and title without changes; empty before the first change
	changes          []string // of Set, key=value
	inTitle          []string // those of the changes that are in the title
}

// The built-in studies.
//
//go:embed studies/*.yaml
var builtIn embed.FS

// Names lists the built-in studies, the smallest first.
func Names() []string {
	files, _ := fs.Glob(builtIn, "studies/*.yaml") // the pattern is valid
	names := []string{"quick", "standard", "tuned", "paper"}
	for _, file := range files {
		if name := strings.TrimSuffix(path.Base(file), ".yaml"); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// Load returns a built-in study, or the one of a YAML file or of a directory with a
// study.yaml. Its tasks and models must be registered.
func Load(nameOrPath string) (*Study, error) { return load(nameOrPath, "", 0) }

// load is Load for a name in a file of the given directory, at a depth of references.
func load(nameOrPath, dir string, depth int) (*Study, error) {
	if data, err := builtIn.ReadFile(path.Join("studies", nameOrPath+".yaml")); err == nil {
		return parse(nameOrPath, data, "", depth)
	}
	file := nameOrPath
	if dir != "" && !filepath.IsAbs(file) {
		file = filepath.Join(dir, file)
	}
	if info, err := os.Stat(file); err == nil && info.IsDir() {
		file = filepath.Join(file, record.StudyName)
	} else if ext := filepath.Ext(file); ext != ".yaml" && ext != ".yml" {
		return nil, &datasets.UnknownError{What: "study", Name: nameOrPath, Known: append(Names(), "FILE.yaml")}
	}
	data, err := binfile.ReadFile(file, maxSize)
	if err != nil {
		return nil, fmt.Errorf("reading the study: %w", err)
	}
	return parse(nameOf(file), data, filepath.Dir(file), depth)
}

// nameOf returns the name of a study in a file: of a study.yaml or the config.yaml of a run
// that of its directory.
func nameOf(file string) string {
	if abs, err := filepath.Abs(file); err == nil {
		file = abs
	}
	base := filepath.Base(file)
	if base == record.StudyName || base == "config.yaml" {
		return filepath.Base(filepath.Dir(file))
	}
	return strings.TrimSuffix(base, filepath.Ext(base))
}

// Tasks lists the tasks of the study's experiments in order, deduplicated.
func (s *Study) Tasks() (names []string) {
	for _, e := range s.Experiments {
		if !slices.Contains(names, e.Task) {
			names = append(names, e.Task)
		}
	}
	return names
}

// Select keeps the experiments of the given tasks and, in them, the runs of the given names:
// each is the name of a run or, in experiments without a run of that name, the registry name
// of its model. A registered model or variant, or a command (exec:COMMAND), that the study
// does not have is added to its experiments. An empty list keeps all.
func (s *Study) Select(tasks, names []string) error {
	if err := datasets.CheckNames("task", s.Tasks(), tasks...); err != nil {
		return fmt.Errorf("study %s: %w", s.Name, err)
	}
	names = slices.Clone(names)
	for i, name := range names {
		var err error
		if names[i], err = s.addModel(name, tasks); err != nil {
			return fmt.Errorf("study %s: %w", s.Name, err)
		}
	}
	var kept []*Experiment
	for _, e := range s.Experiments {
		if len(tasks) > 0 && !slices.Contains(tasks, e.Task) {
			continue
		}
		reduced := *e
		reduced.Runs = slices.DeleteFunc(slices.Clone(e.Runs), func(r *Run) bool {
			selects := func(name string) bool { return r.Name == name || r.Model == name && e.run(name) == nil }
			return len(names) > 0 && !slices.ContainsFunc(names, selects)
		})
		if len(reduced.Runs) > 0 {
			kept = append(kept, &reduced)
		}
	}
	if err := datasets.CheckNames("run or model", originNames(s.Experiments), names...); err != nil {
		return fmt.Errorf("study %s: %w", s.Name, err)
	}
	if kept == nil {
		return fmt.Errorf("study %s: no run of %s on %s", s.Name, strings.Join(names, ", "), cmp.Or(strings.Join(tasks, ", "), "any task"))
	}
	s.Experiments = kept
	return nil
}

// run returns the run of a name, nil if there is none.
func (e *Experiment) run(name string) *Run {
	return firstOf(e.Runs, func(r *Run) bool { return r.Name == name })
}

// ofModel returns the first run of a model, nil if there is none.
func (e *Experiment) ofModel(model string) *Run {
	return firstOf(e.Runs, func(r *Run) bool { return r.Model == model })
}

func firstOf(runs []*Run, is func(*Run) bool) *Run {
	if i := slices.IndexFunc(runs, is); i >= 0 {
		return runs[i]
	}
	return nil
}

func onTask(list []*Experiment, task string) []*Experiment {
	return slices.DeleteFunc(slices.Clone(list), func(e *Experiment) bool { return e.Task != task })
}

// SetSeeds replaces the seeds of every experiment and run.
func (s *Study) SetSeeds(seeds ...uint64) error {
	if err := checkSeeds(seeds); err != nil {
		return err
	}
	for _, e := range s.Experiments {
		e.Seeds = slices.Clone(seeds)
		for _, r := range e.Runs {
			r.Seeds = nil
		}
	}
	return nil
}

func checkSeeds(seeds []uint64) error {
	if len(seeds) == 0 {
		return fmt.Errorf("seeds: the list is empty; want at least one")
	}
	for i, s := range seeds {
		if slices.Contains(seeds[:i], s) {
			return fmt.Errorf("seeds: %d is duplicated", s)
		}
	}
	return nil
}

func (e *Experiment) seedsOf(r *Run) []uint64 {
	if r.Seeds != nil {
		return r.Seeds
	}
	return e.Seeds
}

// protocolOf returns the protocol with the run's number of steps.
func (e *Experiment) protocolOf(r *Run) Protocol {
	p := e.Protocol
	p.Steps = cmp.Or(r.Steps, p.Steps)
	return p
}

// clone returns a copy whose settings can be changed without changing those of e.
func (e *Experiment) clone() *Experiment {
	out := *e
	out.Settings, out.Runs = clone(e.Settings), nil
	for _, r := range e.Runs {
		out.Runs = append(out.Runs, r.clone())
	}
	return &out
}

func (r *Run) clone() *Run {
	out := *r
	out.Config = clone(r.Config)
	return &out
}

func distinct(names []string) []string {
	slices.Sort(names)
	return slices.Compact(names)
}
