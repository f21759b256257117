package table

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"memobench/benchmarks/printable"
	"memobench/benchmarks/record"
	"memobench/report/paper"
	"memobench/report/results"
)

// about says under which protocol and on which data the numbers were made.
func (b *taskSpec) about() []string {
	r := b.runs[0].Record
	lines := []string{sentence(b.variant(), b.amount()), sentence(b.seeds())}
	if preset := b.presets(); preset != "" {
		protocol := "protocol " + short(r.Protocol.Hash)
		if b.stepsDiffer() {
			protocol = "protocol but for the steps " + short(r.Protocol.ButSteps())
		}
		lines = append(lines, sentence(preset+", "+protocol))
	}
	return lines
}

// sentence joins what is not empty and ends it with a full stop.
func sentence(parts ...string) string {
	return strings.Join(slices.DeleteFunc(slices.Clone(parts), func(p string) bool { return p == "" }), "; ") + "."
}

// amount says how much was trained and asked, from the records, without controls if there
// are other runs.
func (b *taskSpec) amount() string {
	low, high, stated := math.MaxInt, 0, false
	asked, batches := map[int]bool{}, map[any]bool{}
	isControl := func(r results.Run) bool { return paper.IsControl(r.Record) }
	runs := slices.DeleteFunc(slices.Clone(b.runs), isControl)
	if len(runs) == 0 {
		runs = b.runs
	}
	for _, r := range runs {
		batches[r.Record.Protocol.Values["batch_size"]] = true
		if n := r.Record.Training.Steps; n > 0 { // of answers of another program they may not be stated
			low, high, stated = min(low, n), max(high, n), true
		}
		for _, k := range r.Record.Evaluation.Kinds {
			asked[k.Total] = true
		}
	}
	steps := "trained for " + printable.Thousands(high) + " steps"
	if low != high {
		steps = fmt.Sprintf("trained for %s to %s steps", printable.Thousands(low), printable.Thousands(high))
	}
	if !stated {
		steps = "number of training steps not stated"
	} else if batch, ok := runs[0].Record.Protocol.Values["batch_size"]; ok && len(batches) == 1 {
		steps += fmt.Sprintf(" of %v", batch)
	}
	if each := stepsOfEach(runs, func(r results.Run) int { return r.Record.Training.Steps }); low != high && each != "" {
		steps += " (" + each + ")"
	} else if each := stepsOfEach(runs, plannedSteps); b.stepsDiffer() && each != "" {
		steps += " (limit: " + each + ")"
	}
	if len(asked) != 1 {
		return steps
	}
	for n := range asked {
		steps += fmt.Sprintf(", evaluated on %s questions", printable.Thousands(n))
		switch {
		case b.shown.Groups != nil:
			steps += " per query type"
		case len(b.kinds) > 1 || b.shown.Suite > 0:
			steps += " per task"
		}
	}
	return steps
}

// stepsDiffer reports whether the runs have different protocols; in one table these differ in
// steps alone.
func (b *taskSpec) stepsDiffer() bool {
	return slices.ContainsFunc(b.runs, func(r results.Run) bool { return r.Record.Protocol.Hash != b.runs[0].Record.Protocol.Hash })
}

// plannedSteps returns the steps of a run's protocol, at most which it does; 0 if not stated.
func plannedSteps(r results.Run) int {
	n, _ := r.Record.Protocol.Values.Count("steps")
	return n
}

// stepsOfEach names the steps of the models with others than most, "EMN: 40000, others: 12000";
// empty if runs of one model differ.
func stepsOfEach(runs []results.Run, steps func(results.Run) int) string {
	count, usual := map[int]int{}, 0
	all := columns(runs, nil)
	for _, c := range all {
		n := steps(c.runs[0])
		if n == 0 || slices.ContainsFunc(c.runs, func(r results.Run) bool { return steps(r) != n }) {
			return ""
		}
		if count[n]++; count[n] > count[usual] {
			usual = n
		}
	}
	var list []string
	for _, c := range all {
		if n := steps(c.runs[0]); n != usual || count[n] == 1 {
			list = append(list, c.Title+": "+printable.Thousands(n))
		}
	}
	if count[usual] > 1 {
		list = append(list, "others: "+printable.Thousands(usual))
	}
	return strings.Join(list, ", ")
}

// noun is what a row is about.
func (b *taskSpec) noun() string {
	if b.answers != nil {
		return "answer"
	}
	return cmp.Or(b.shown.Row, "task")
}

// variant names the choices that decide how hard the task is.
func (b *taskSpec) variant() string {
	if b.shown.Variant != "" {
		return b.shown.Variant
	}
	var list []string
	for key, v := range b.runs[0].Record.Dataset.Settings {
		list = append(list, key+" "+v)
	}
	slices.Sort(list)
	return strings.Join(list, ", ")
}

// seeds lists the seeds, once where all models have the same.
func (b *taskSpec) seeds() string {
	same := true
	for i := range b.columns {
		same = same && b.columns[i].seeds() == b.columns[0].seeds()
	}
	if same {
		return "Seeds of every model: " + b.columns[0].seeds()
	}
	var list []string
	for i := range b.columns {
		list = append(list, b.columns[i].Title+": "+cmp.Or(b.columns[i].seeds(), "none"))
	}
	return "Seeds of " + strings.Join(list, "; ")
}

// presets names the presets that the runs came from.
func (b *taskSpec) presets() string {
	var list []string
	for _, r := range b.runs {
		if p := r.Record.Identity.Preset; p != "" {
			list = results.AddNew(list, p)
		}
	}
	if len(list) == 0 {
		return ""
	}
	return "Preset " + strings.Join(list, ", ")
}

// short abbreviates a hash.
func short(hash string) string { return hash[:min(len(hash), 12)] }

// remarks explain the columns and rows.
func (b *taskSpec) remarks() []string {
	list := []string{"mean ± sd (n): mean and sample standard deviation over n seeds."}
	if b.quoted {
		list = append(list, paper.Source(b.shown.Paper, b.answers, b.wholeSuite()))
	}
	if b.shown.Choice != "" && b.any(MeanOn(record.ChoiceAccuracy, b.kinds...)) {
		list = append(list, fmt.Sprintf("2AFC (two-alternative forced choice): %s; chance is %g %%. Above it, the answer is chosen among all classes.", b.shown.Choice, b.shown.Chance))
	}
	if b.shown.Note != "" && b.quoted {
		list = append(list, b.shown.Note)
	}
	if b.answers != nil {
		list = append(list, b.chain())
	}
	for _, kind := range b.kinds {
		if b.any(MeanOn(record.TolerantAccuracy, kind)) {
			list = append(list, "any: what is as right as the target counts, too. Above, the target alone counts; it was drawn among them.")
			break
		}
	}
	return append(list, sharedNote("All numbers", b.runs)...)
}

// chain says what the queries of all answers but the first hold, of the models that
// are queried for one answer after the other: those that can be given the true ones.
// Others give all answers to one query.
func (b *taskSpec) chain() string {
	first, second := b.answers[0], b.answers[1]
	var chained, whole []string
	for _, c := range b.columns {
		switch {
		case len(c.runs) == 0:
		case slices.ContainsFunc(c.runs, b.givesFirst):
			chained = append(chained, c.Title)
		default:
			whole = append(whole, c.Title)
		}
	}
	once := strings.Join(whole, ", ") + ": all answers are given to one query."
	if chained == nil {
		return once
	}
	text := fmt.Sprintf("%s is queried with the model's own %s (free running); given %s: with the true one (teacher forcing)", second, first, first)
	if len(b.answers) > 2 {
		text += "; and so on"
	}
	if whole != nil {
		return strings.Join(chained, ", ") + ": " + text + ". " + once
	}
	return text + "."
}

// givesFirst reports whether a run was also asked for the second answer with the true
// first one given.
func (b *taskSpec) givesFirst(r results.Run) bool {
	return slices.ContainsFunc(b.kinds, func(kind string) bool {
		_, ok := ofAnswer(record.GivenAccuracy, kind, 1)(r.Record)
		return ok
	})
}

// answerNames lists the answers that a question asks for in turn, from the first
// run that has several.
func answerNames(runs []results.Run) []string {
	for _, r := range runs {
		if names := r.Record.Evaluation.AnswerNames(); names != nil {
			return names
		}
	}
	return nil
}
