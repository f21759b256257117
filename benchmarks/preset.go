package benchmarks

import (
	"fmt"
	"slices"

	"memobench/benchmarks/suggest"
	"memobench/models"
)

// Preset is a list of experiments, fully resolved: every setting has a value,
// from the preset or by default.
type Preset struct {
	Name        string
	About       string // one line
	Experiments []*Experiment
}

// Experiment is one task under one protocol, with the models that are compared
// on it.
type Experiment struct {
	Task     string
	Settings any // pointer to the task's settings; as in the file when Unavailable
	Protocol Protocol
	Models   []*ModelSpec
	Seeds    []uint64

	// Labels are marks that every number of the experiment must carry.
	Labels []string

	// PaperSteps is the paper's number of steps. A protocol with another number
	// adds a mark that says so.
	PaperSteps PaperSteps

	// Unavailable says why the experiment cannot be run by this version; empty
	// when it can. Such an experiment is kept for what it documents.
	Unavailable string
}

// ModelSpec is one model variant of an experiment.
type ModelSpec struct {
	Label    string // unique within the experiment: a row or column of a table
	Title    string // the label as a table prints it
	Model    string // registry name
	Config   any    // pointer to the model's config; nil when Unavailable
	Training models.Training

	// Seeds are those of the experiment's seeds that the model runs from; nil is
	// all. A model too slow for all of them then has fewer, and tables say so.
	Seeds []uint64

	// Sweep lists, by key, the values that the source tried. Only the value in
	// Config and Training is run; Notes says so.
	Sweep []Sweep

	// Overrides lists the changes made by Preset.Set, as key=value. Config,
	// Training, protocol and settings have them already.
	Overrides []string

	// Unavailable says why the model cannot be run by this version.
	Unavailable string
}

// runsFrom says whether the model is to run from one of the experiment's seeds.
func (m *ModelSpec) runsFrom(seed uint64) bool {
	return m.Unavailable == "" && (m.Seeds == nil || slices.Contains(m.Seeds, seed))
}

// Sweep is a key with the values that were tried.
type Sweep struct {
	Key    string
	Values []any
}

// Notes says what of the preset's description a run of the model leaves out.
// They become labels of its record.
func (m *ModelSpec) Notes() []string {
	var notes []string
	for _, s := range m.Sweep {
		if len(s.Values) > 1 {
			notes = append(notes, fmt.Sprintf("sweep of %s over %v not run: one value taken", s.Key, s.Values))
		}
	}
	return notes
}

// Unsupported lists, one a line, what of the preset a run leaves out: whole
// experiments and models, sweeps.
func (p *Preset) Unsupported() []string {
	var list []string
	for _, e := range p.Experiments {
		if e.Unavailable != "" {
			list = append(list, fmt.Sprintf("%s: %s", e.Task, e.Unavailable))
			continue
		}
		for _, m := range e.Models {
			if m.Unavailable != "" {
				list = append(list, fmt.Sprintf("%s, %s: %s", e.Task, m.Label, m.Unavailable))
				continue
			}
			for _, n := range m.Notes() {
				list = append(list, fmt.Sprintf("%s, %s: %s", e.Task, m.Label, n))
			}
		}
	}
	return list
}

// Tasks lists the tasks of the preset's experiments in order.
func (p *Preset) Tasks() []string {
	var names []string
	for _, e := range p.Experiments {
		if !slices.Contains(names, e.Task) {
			names = append(names, e.Task)
		}
	}
	return names
}

// Select keeps the experiments of the given task and, in them, the models whose
// label, or else registry name, is the given one, which may also be that of a
// registered variant. An empty name keeps all. The error suggests what there is.
func (p *Preset) Select(task, model string) error {
	if err := p.AddVariants(model); err != nil {
		return err
	}
	var kept []*Experiment
	labels := models.VariantNames()
	found := false
	for _, e := range p.Experiments {
		if task != "" && e.Task != task {
			continue
		}
		found = true
		var chosen []*ModelSpec
		for _, by := range []func(*ModelSpec) string{
			func(m *ModelSpec) string { return m.Label },
			func(m *ModelSpec) string { return m.Model },
		} {
			if len(chosen) > 0 {
				break
			}
			for _, m := range e.Models {
				if model == "" || by(m) == model {
					chosen = append(chosen, m)
				}
			}
		}
		for _, m := range e.Models {
			labels = append(labels, m.Label)
		}
		if len(chosen) > 0 {
			e.Models = chosen
			kept = append(kept, e)
		}
	}
	switch {
	case !found:
		return fmt.Errorf("preset %s: %w", p.Name, &suggest.UnknownError{What: "task", Name: task, Known: p.Tasks()})
	case kept == nil:
		slices.Sort(labels)
		return fmt.Errorf("preset %s: %w", p.Name, &suggest.UnknownError{What: "model", Name: model, Known: slices.Compact(labels)})
	}
	p.Experiments = kept
	return nil
}

// SetSeeds replaces the seeds of every experiment and model.
func (p *Preset) SetSeeds(seeds ...uint64) error {
	if err := checkSeeds(seeds); err != nil {
		return err
	}
	for _, e := range p.Experiments {
		e.Seeds = slices.Clone(seeds)
		for _, m := range e.Models {
			m.Seeds = nil
		}
	}
	return nil
}

func checkSeeds(seeds []uint64) error {
	if len(seeds) == 0 {
		return fmt.Errorf("seeds: want at least one")
	}
	for i, s := range seeds {
		if slices.Contains(seeds[:i], s) {
			return fmt.Errorf("seeds: %d stands twice", s)
		}
	}
	return nil
}
