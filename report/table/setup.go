package table

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"memobench/benchmarks/printable"
	"memobench/benchmarks/record"
	"memobench/report/paper"
	"memobench/report/results"
)

// Setup has runs whose numbers may be compared: with one task, protocol, split and data,
// and the same changes to the preset.
type Setup struct {
	Task    string   // with its sizes
	Changes []string // to the preset, as key=value
	Runs    []results.Run

	several bool // several settings: cells state the changes of their presets
	rest    bool // runs whose labels are also in a setup with another training budget
}

// Setups divides runs into setups, those nearest to the paper first.
func Setups(runs []results.Run) []*Setup {
	var list []*Setup
	for _, same := range results.GroupBy(runs, func(r results.Run) string {
		return r.Conditions() + "\n" + strings.Join(r.Changes(), ";")
	}) {
		list = append(list, &Setup{Task: same[0].Task(), Changes: same[0].Changes(), Runs: same})
	}
	slices.SortStableFunc(list, (*Setup).compare)
	return list
}

// byProtocol joins setups that differ only in changes to their models, which it drops.
func byProtocol(setups []*Setup) []*Setup {
	var list []*Setup
	for _, same := range results.GroupBy(setups, func(s *Setup) string { return s.Runs[0].Conditions() }) {
		joined := &Setup{Task: same[0].Task, Changes: slices.DeleteFunc(slices.Clone(same[0].Changes), results.OfModel)}
		for _, s := range same {
			joined.Runs = append(joined.Runs, s.Runs...)
			joined.Changes = slices.DeleteFunc(joined.Changes, func(c string) bool { return !slices.Contains(s.Changes, c) })
		}
		list = append(list, joined)
	}
	slices.SortStableFunc(list, (*Setup).compare)
	return list
}

// compare orders setups by distance from the paper's data, then by origin: embedded
// presets, preset files (those with more runs first), changed presets; then by steps, more
// first.
func (s *Setup) compare(o *Setup) int {
	runs := 0
	if s.origin() == presetFile {
		runs = cmp.Compare(len(o.Runs), len(s.Runs))
	}
	here, _ := s.steps()
	other, _ := o.steps()
	return cmp.Or(cmp.Compare(s.distance(), o.distance()), cmp.Compare(s.origin(), o.origin()), runs, cmp.Compare(other, here),
		cmp.Compare(s.first().Protocol.Hash, o.first().Protocol.Hash), slices.Compare(s.Changes, o.Changes))
}

// Origins of the settings of a setup, the easiest to reproduce first.
const (
	embeddedPreset = iota
	presetFile     // with or without changes
	changedPreset
)

func (s *Setup) origin() int {
	switch {
	case isFile(s.preset()):
		return presetFile
	case len(s.Changes) > 0:
		return changedPreset
	}
	return embeddedPreset
}

// preset returns the first embedded preset of the runs, else that of the first run.
func (s *Setup) preset() string {
	for _, r := range s.Runs {
		if p := r.Record.Identity.Preset; !isFile(p) {
			return p
		}
	}
	return s.first().Identity.Preset
}

func isFile(preset string) bool { return strings.HasSuffix(preset, ".yaml") }

func (s *Setup) first() *record.Record { return s.Runs[0].Record }

// shown returns the presentation of the setup's task.
func (s *Setup) shown() *record.Presentation { return &s.first().Dataset.Presentation }

// simulatedData is the distance of simulated data.
const simulatedData = 10

// distance measures how much the data differ from the paper's.
func (s *Setup) distance() int {
	n := 0
	for _, c := range s.first().Dataset.Caveats {
		switch c.Kind {
		case record.ReducedSize, record.TaskSubset:
			n += 100
		case record.SimulatedData:
			n += simulatedData
		default:
			n++
		}
	}
	return n
}

// titleSuffix names a setup at the end of a claim. It is empty with changed settings, whose
// titles are too long: they are in a footnote.
func (s *Setup) titleSuffix() string {
	if len(s.Changes) > 0 {
		return ""
	}
	return ": " + s.Title()
}

// reduced reports whether the data are smaller than the paper's.
func (s *Setup) reduced() bool {
	return s.first().Dataset.Caveats.Has(record.ReducedSize, record.TaskSubset)
}

// steps returns the largest number of steps in the protocols of the runs; for runs
// of other programs, without it, the number of steps done. differ says that other runs have fewer. Controls
// are ignored unless all runs are controls.
func (s *Setup) steps() (most int, differ bool) {
	for _, r := range s.Runs {
		if paper.IsControl(r.Record) && !paper.IsControl(s.first()) {
			continue
		}
		n := r.Record.Training.Steps
		if v, ok := r.Record.Protocol.Values.Count("steps"); ok {
			n = v
			differ = differ || most > 0 && n != most
		}
		most = max(most, n)
	}
	return most, differ
}

// notInTitle lists changes that titles omit: they have the number of steps already, and the
// others do not change training.
var notInTitle = []string{"protocol.steps", "protocol.early_stop", "protocol.evaluate_every"}

// isLong reports whether a changed value, such as a curriculum, is too long for titles. It
// is in a footnote.
func isLong(change string) bool {
	_, value, _ := strings.Cut(change, "=")
	return len(value) > 20
}

// Title names the setup: "2,000 steps, reduced".
func (s *Setup) Title() string {
	steps, differ := s.steps()
	title := printable.Thousands(steps) + " steps"
	if differ {
		title = "up to " + title
	}
	return strings.Join(slices.Concat([]string{title}, s.Data(), inWords(s.Changes)), ", ")
}

// inWords names changes for titles.
func inWords(changes []string) (parts []string) {
	for _, c := range changes {
		path, value, _ := strings.Cut(c, "=")
		key := path[strings.LastIndex(path, ".")+1:]
		switch {
		case slices.Contains(notInTitle, path):
		case isLong(c):
			parts = append(parts, key)
		default:
			parts = append(parts, key+"="+value)
		}
	}
	return parts
}

// Data names the differences of the data from the paper's: "reduced", "tasks 1,15". It is
// nil for data like the paper's.
func (s *Setup) Data() []string {
	var parts []string
	for _, c := range s.first().Dataset.Caveats {
		if c.Brief != "" {
			parts = append(parts, c.Brief)
		}
	}
	return parts
}

// ChangesTo returns the changes to a part, such as task or model, as in titles:
// "rows=generation".
func (s *Setup) ChangesTo(part string) []string {
	var list []string
	for _, c := range s.Changes {
		if key, ok := strings.CutPrefix(c, part+"."); ok {
			list = append(list, key)
		}
	}
	return list
}

// DataTitle names the data in titles: the task, how they differ from the paper's, and those
// changes to the task that this does not say: "babi, tasks 1,15, source=files".
func (s *Setup) DataTitle() string {
	parts := []string{s.Task}
	for _, kind := range s.Data() {
		if !strings.Contains(s.Task, kind) {
			parts = append(parts, kind)
		}
	}
	for _, change := range s.ChangesTo("task") {
		key, value, _ := strings.Cut(change, "=")
		if !slices.ContainsFunc(parts, func(part string) bool { return strings.HasPrefix(part, key+" ") || part == "without "+value }) {
			parts = append(parts, change)
		}
	}
	return strings.Join(parts, ", ")
}

// Note is the full description of the setup, a footnote of all of its numbers.
func (s *Setup) Note() string {
	b := &taskSpec{task: s.Task, shown: *s.shown(), runs: s.Runs, kinds: Kinds(s.Runs), answers: answerNames(s.Runs)}
	preset := cmp.Or(b.presets(), "No preset")
	r := s.first()
	parts := append(s.caveats(), b.amount(), fmt.Sprintf("%s%s (%s), %s split, protocol %s, data %s",
		strings.ToLower(preset[:1]), preset[1:], s.Task, r.Evaluation.Split, short(r.Protocol.Hash), short(r.Dataset.Hash)))
	text := strings.Join(parts, "; ") + "."
	return strings.ToUpper(text[:1]) + text[1:]
}

// caveats returns the caveats of all runs of the setup, and that of another number of steps
// than the paper's unless a record has it.
func (s *Setup) caveats() []string {
	common := commonCaveats(s.Runs)
	steps, differ := s.steps()
	list := common.Texts()
	if task := s.shown().Paper; paper.Has(task) && !common.Has(record.OtherSteps) {
		printed := "not stated"
		theirs, stated := paper.StatedSteps(task)
		if stated {
			printed = printable.Thousands(theirs)
		}
		switch ours := printable.Thousands(steps); {
		case differ && stated:
			list = append(list, "the paper trains for "+printed+" steps")
		case !differ && ours != printed:
			list = append(list, ours+" steps (paper: "+printed+")")
		}
	}
	return list
}

// takes reports whether a variant of a model can be added to the setup: not if settings of
// another model are changed.
func (s *Setup) takes(label string) bool {
	return !slices.ContainsFunc(s.Changes, results.OfModel) || slices.ContainsFunc(s.Runs, func(r results.Run) bool { return variantOf(label, r.Record.Identity.Model) })
}

// variantOf reports whether a label is a model's, with or without a number of hops (emn4),
// or that of a variant (memo-noln).
func variantOf(label, model string) bool {
	rest, ok := strings.CutPrefix(label, model)
	return ok && (strings.HasPrefix(rest, "-") || strings.Trim(rest, "0123456789") == "")
}

// command returns the command that would fill an empty cell of the setup: a run of the
// model, of several budgets that of the first run. It is empty if the setup's preset is a
// file, which readers may not have.
func (s *Setup) command(label string) string {
	preset, changes := s.preset(), s.Changes
	if s.several {
		preset, changes = s.first().Identity.Preset, slices.DeleteFunc(s.Runs[0].Changes(), results.OfModel)
	}
	if isFile(preset) {
		return ""
	}
	words := []string{"memobench train --model", label, "--task", s.first().Identity.Task}
	if preset != "" && preset != "standard" {
		words = append(words, "--preset", preset)
	}
	for _, c := range changes {
		words = append(words, "--set", c)
	}
	if settings, ok := s.first().Protocol.Values["settings"].(map[string]any); ok && settings[paper.SubstituteSetting] == true {
		words = append(words, "--set", paper.SubstituteSetting+"=true")
	}
	switch {
	case s.first().Dataset.Settings["source"] == "simulated":
		if !slices.Contains(changes, "task.source=simulated") {
			words = append(words, "--data simulated")
		}
	case s.shown().Files:
		words = append(words, "--data DIR")
	}
	return strings.Join(words, " ")
}
