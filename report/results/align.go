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
// runs that were trained under another protocol. The notes list these cases.
func Align(a, b *Set) (*Set, []string) {
	to := map[GroupKey]GroupKey{}
	var notes []string
	ofA, ofB := a.byTask(), b.byTask()
	for task, groups := range ofB {
		for _, g := range groups {
			other := slices.DeleteFunc(slices.Clone(ofA[task]), func(o *Group) bool { return o.Name != g.Name })
			if len(other) == 0 && oneName(groups) && oneName(ofA[task]) {
				other = ofA[task]
			}
			i := slices.IndexFunc(other, func(o *Group) bool { return o.Config == g.Config })
			if i < 0 {
				i = slices.IndexFunc(other, func(o *Group) bool { return sameQuestions(o, g) })
			}
			if i < 0 || other[i].GroupKey == g.GroupKey {
				continue
			}
			to[g.GroupKey] = other[i].GroupKey
			notes = append(notes, alignmentNote(other[i], g))
		}
	}
	if len(to) == 0 {
		return b, nil
	}
	slices.Sort(notes)
	return b.renamed(to), notes
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
