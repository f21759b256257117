package benchmarks

import "slices"

// Clone returns a copy of the preset: changes to one do not reach the other.
func (p *Preset) Clone() *Preset {
	out := &Preset{Name: p.Name, About: p.About}
	for _, e := range p.Experiments {
		one := *e
		if e.Unavailable == "" {
			one.Settings = clone(e.Settings)
		}
		one.Labels, one.Seeds = slices.Clone(e.Labels), slices.Clone(e.Seeds)
		one.Models = nil
		for _, m := range e.Models {
			spec := *m
			if m.Config != nil {
				spec.Config = clone(m.Config)
			}
			spec.Seeds, spec.Sweep, spec.Overrides = slices.Clone(m.Seeds), slices.Clone(m.Sweep), slices.Clone(m.Overrides)
			one.Models = append(one.Models, &spec)
		}
		out.Experiments = append(out.Experiments, &one)
	}
	return out
}
