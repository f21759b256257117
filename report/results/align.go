package results

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"memobench/benchmarks/record"
)

// Align returns b with the names and configurations of a where runs of both answered the
// same questions: for tasks on which each set has one model, whatever its name, and for
// runs that were trained with other settings or under another protocol. Of several settings
// in a, b's are paired with those that differ least; it is an error if these are several, or
// paired with several of b. The notes list these cases.
func Align(a, b *Set) (*Set, []string, error) {
	to, from := map[GroupKey]GroupKey{}, map[GroupKey]*Group{}
	var notes []string
	ofA, ofB := a.byTask(), b.byTask()
	for task, groups := range ofB {
		for _, g := range groups {
			other := slices.DeleteFunc(slices.Clone(ofA[task]), func(o *Group) bool { return o.Name != g.Name })
			if len(other) == 0 && oneName(groups) && oneName(ofA[task]) {
				other = ofA[task]
			}
			near := slices.DeleteFunc(slices.Clone(other), func(o *Group) bool { return o.Config != g.Config })
			if len(near) == 0 {
				near = nearest(other, g)
			}
			if len(near) == 0 {
				continue
			}
			if first := from[near[0].GroupKey]; len(near) > 1 || first != nil {
				return nil, nil, fmt.Errorf("%s: several settings answer the same questions, and it is not clear which of %s belongs to which of %s; choose with PATH:key=value", g.Label(), a.Name, b.Name)
			}
			from[near[0].GroupKey] = g
			if near[0].GroupKey == g.GroupKey {
				continue
			}
			to[g.GroupKey] = near[0].GroupKey
			notes = append(notes, alignmentNote(near[0], g))
		}
	}
	if len(to) == 0 {
		return b, nil, nil
	}
	slices.Sort(notes)
	return b.renamed(to), notes, nil
}

// nearest lists the groups that answered the same questions as g and differ from it in the
// fewest settings; all of them if they are of another model.
func nearest(list []*Group, g *Group) (near []*Group) {
	fewest := 0
	for _, o := range list {
		if !sameQuestions(o, g) {
			continue
		}
		different := 0
		if o.Name == g.Name {
			different = Differences(o.first.Record, g.first.Record)
		}
		if near == nil || different < fewest {
			near, fewest = nil, different
		}
		if different == fewest {
			near = append(near, o)
		}
	}
	return near
}

// byTask lists the groups of each task.
func (s *Set) byTask() map[string][]*Group {
	list := map[string][]*Group{}
	for _, g := range s.Groups {
		task := Key{Name: g.Name}.Part("task")
		list[task] = append(list[task], g)
	}
	return list
}

func oneName(groups []*Group) bool {
	return len(groups) > 0 && !slices.ContainsFunc(groups, func(g *Group) bool { return g.Name != groups[0].Name })
}

// questionKeys are the values of a protocol on which its test questions depend.
var questionKeys = []string{"task", "settings", "test_per_kind", "test_seed"}

// sameQuestions reports whether the runs of two groups answered the same questions; false
// without records.
func sameQuestions(a, b *Group) bool {
	if a.first == nil || b.first == nil {
		return false
	}
	x, y := a.first.Record, b.first.Record
	for _, key := range questionKeys {
		if record.HashOf(x.Protocol.Values[key]) != record.HashOf(y.Protocol.Values[key]) {
			return false
		}
	}
	return len(x.Protocol.Values) > 0 && x.Dataset.Hash == y.Dataset.Hash && x.Evaluation.Split == y.Evaluation.Split && a.Config.Data == b.Config.Data
}

// alignmentNote lists the differences of two groups that Align matches.
func alignmentNote(a, b *Group) string {
	model := func(g *Group) string { return Key{Name: g.Name}.Part("model") }
	text := fmt.Sprintf("%s: the questions are the same", Key{Name: a.Name}.Part("task"))
	if model(a) != model(b) {
		text += fmt.Sprintf("; A is %s, B is %s", model(a), model(b))
	}
	if a.first != nil && b.first != nil {
		x, y := a.first.Record.Protocol.Values, b.first.Record.Protocol.Values
		for _, key := range keysOfBoth(x, y) {
			if record.HashOf(x[key]) != record.HashOf(y[key]) {
				text += fmt.Sprintf("; protocol.%s %s against %s", key, asJSON(x[key]), asJSON(y[key]))
			}
		}
	}
	return text
}

// renamed returns the set with other names and configurations of some groups.
func (s *Set) renamed(to map[GroupKey]GroupKey) *Set {
	out := newSet(s.Name)
	out.Notes = s.Notes
	for _, c := range s.Cells {
		cell := *c
		if g, ok := to[c.Group()]; ok {
			cell.Name, cell.Config = g.Name+strings.TrimPrefix(c.Name, c.Group().Name), g.Config
		}
		out.addCell(&cell)
	}
	for _, g := range s.Groups {
		group := *g
		if key, ok := to[g.GroupKey]; ok {
			group.GroupKey = key
		}
		out.addGroup(&group)
	}
	return out
}

// Choose keeps the runs that match a selection: a model's label and settings of model,
// training or protocol in the form of --set, separated by commas.
func (r *Results) Choose(selection string) error {
	name, kept := r.Name, 0
	r.Name += ":" + selection
	var labels []string
	for i := range r.Runs {
		run := &r.Runs[i]
		for _, part := range strings.Split(selection, ",") {
			run.excluded = run.excluded || !run.matches(part)
		}
		if !run.excluded {
			kept++
		}
		labels = AddNew(labels, run.Record.Identity.Label)
	}
	if kept == 0 {
		return fmt.Errorf("%s has no run with %s; its models are: %s", name, selection, strings.Join(labels, ", "))
	}
	return nil
}

// matches reports whether the run has the label or setting.
func (r *Run) matches(part string) bool {
	key, want, setting := strings.Cut(part, "=")
	if !setting {
		return r.Record.Identity.Label == part
	}
	settings := modelSettings(r.Record)
	for name, v := range r.Record.Protocol.Values {
		settings["protocol."+name] = fmt.Sprint(v)
	}
	for name, v := range settings {
		if name != key && !strings.HasSuffix(name, "."+key) {
			continue
		}
		x, err1 := strconv.ParseFloat(v, 64)
		y, err2 := strconv.ParseFloat(want, 64)
		if strings.Trim(v, `"`) == want || err1 == nil && err2 == nil && x == y {
			return true
		}
	}
	return false
}
