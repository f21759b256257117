package report

import (
	"fmt"
	"sort"
	"strings"

	"memobench/benchmarks/record"
)

// taskTitle is a task's name for a title.
func taskTitle(r *record.Record) string {
	task := r.Identity.Task
	switch {
	case pai(task):
		return fmt.Sprintf("Paired associative inference, chains of %s (%s)", strings.TrimPrefix(task, "pai"), task)
	case task == "babi":
		return "bAbI question answering (babi)"
	}
	return task
}

// about says under which protocol and on which data the numbers were made.
func (b *builder) about() []string {
	r := b.runs[0].Record
	lines := []string{sentence(b.variant(), b.amount()), sentence(b.seeds())}
	if preset := b.presets(); preset != "" {
		lines = append(lines, sentence(preset+", protocol "+short(r.Protocol.Hash)))
	}
	return lines
}

// sentence joins what is not empty and ends it with a full stop.
func sentence(parts ...string) string {
	var list []string
	for _, p := range parts {
		if p != "" {
			list = append(list, p)
		}
	}
	return strings.Join(list, "; ") + "."
}

// variant names the choices that decide how hard the task is.
func (b *builder) variant() string {
	settings := b.runs[0].Record.Dataset.Settings
	if pai(b.task) {
		get := func(key string) string {
			if v := settings[key]; v != "" {
				return v
			}
			return "?"
		}
		items := map[string]string{"sequence": "in sequence order", "random": "in random order"}[get("items")]
		rows := map[string]string{"shuffled": "shuffled", "generation": "in generation order"}[get("rows")]
		if items == "" {
			items = get("items")
		}
		if rows == "" {
			rows = get("rows")
		}
		return fmt.Sprintf("Rows %s, the two items of a row %s; %s classes, %s sequences a memory",
			rows, items, get("classes"), get("sequences"))
	}
	var list []string
	for key, v := range settings {
		list = append(list, key+" "+v)
	}
	sort.Strings(list)
	return strings.Join(list, ", ")
}

// amount says how much was trained and asked, from the records.
func (b *builder) amount() string {
	low, high := b.runs[0].Record.Training.Steps, 0
	asked := map[int]bool{}
	for _, r := range b.runs {
		low, high = min(low, r.Record.Training.Steps), max(high, r.Record.Training.Steps)
		for _, k := range r.Record.Evaluation.Kinds {
			asked[k.Total] = true
		}
	}
	steps := fmt.Sprintf("trained for %d steps", high)
	if low != high {
		steps = fmt.Sprintf("trained for %d to %d steps", low, high)
	}
	if batch, ok := b.runs[0].Record.Protocol.Values["batch_size"]; ok {
		steps += fmt.Sprintf(" of %v", batch)
	}
	if len(asked) != 1 {
		return steps
	}
	for n := range asked {
		steps += fmt.Sprintf(", judged on %d questions a %s", n, strings.ToLower(b.noun()))
	}
	return steps
}

func (b *builder) noun() string {
	if pai(b.task) {
		return "query type"
	}
	return "task"
}

// seeds lists the seeds, once where all models have the same.
func (b *builder) seeds() string {
	same := true
	for i := range b.columns {
		same = same && b.columns[i].seeds() == b.columns[0].seeds()
	}
	if same {
		return "Seeds of every model: " + b.columns[0].seeds()
	}
	var list []string
	for i := range b.columns {
		seeds := b.columns[i].seeds()
		if seeds == "" {
			seeds = "none"
		}
		list = append(list, b.columns[i].Title+" "+seeds)
	}
	return "Seeds: " + strings.Join(list, "; ")
}

// presets names the presets that the runs came from.
func (b *builder) presets() string {
	seen := map[string]bool{}
	var list []string
	for _, r := range b.runs {
		if p := r.Record.Identity.Preset; p != "" && !seen[p] {
			seen[p] = true
			list = append(list, p)
		}
	}
	if len(list) == 0 {
		return ""
	}
	return "Preset " + strings.Join(list, ", ")
}

// short abbreviates a hash.
func short(hash string) string { return hash[:min(len(hash), 12)] }

// remarks explain the columns.
func (b *builder) remarks() []string {
	list := []string{"mean ± sd (n): mean and sample standard deviation over n seeds."}
	if b.shown {
		text := fmt.Sprintf("paper: Banino et al. 2020, Table %d, at the paper's sizes", b.published.Number)
		if b.task == "babi" {
			text += ", and Table 3 for the mean error and the tasks solved"
		}
		list = append(list, text+"; MEMO over its five best settings, the others the best run.")
	}
	if pai(b.task) && b.anyHas(record.ChoiceAccuracy, b.kinds) {
		list = append(list, "1 of 2: the answer chosen between the two items that the query shows; chance is 50 %. "+
			"Above it, the answer is chosen among all classes.")
	}
	return append(list, b.shared()...)
}
