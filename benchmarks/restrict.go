package benchmarks

import (
	"fmt"
	"slices"
	"strings"

	"memobench/benchmarks/suggest"
	"memobench/models"
)

// Keep drops the experiments and models of a preset that are not asked for. An
// empty list asks for all. A model is asked for by its registry name or by the
// label of a variant, which need not stand in the preset.
func (p *Preset) Keep(tasks, asked []string) error {
	if err := p.AddVariants(asked...); err != nil {
		return err
	}
	names := models.VariantNames()
	for _, e := range p.Experiments {
		for _, m := range e.Models {
			names = append(names, m.Label, m.Model)
		}
	}
	slices.Sort(names)
	for _, part := range []struct {
		what         string
		asked, known []string
	}{{"task", tasks, p.Tasks()}, {"model", asked, slices.Compact(names)}} {
		for _, name := range part.asked {
			if !slices.Contains(part.known, name) {
				return &suggest.UnknownError{What: part.what + " in preset " + p.Name, Name: name, Known: part.known}
			}
		}
	}
	var kept []*Experiment
	for _, e := range p.Experiments {
		if len(tasks) > 0 && !slices.Contains(tasks, e.Task) {
			continue
		}
		e.Models = slices.DeleteFunc(e.Models, func(m *ModelSpec) bool {
			return len(asked) > 0 && !slices.Contains(asked, m.Label) && !slices.Contains(asked, m.Model)
		})
		if len(e.Models) > 0 {
			kept = append(kept, e)
		}
	}
	if len(kept) == 0 {
		return fmt.Errorf("preset %s has none of the models %s on the tasks %s", p.Name, strings.Join(asked, ", "), strings.Join(tasks, ", "))
	}
	p.Experiments = kept
	return nil
}
