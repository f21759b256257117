package table

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"memobench/benchmarks/record"
	"memobench/report/paper"
	"memobench/report/results"
)

// Setup is the runs whose numbers may be side by side: one task, protocol,
// split and data, and the same changes to the preset.
type Setup struct {
	Task    string   // with its sizes
	Changes []string // to the preset, as key=value
	Runs    []results.Run

	rest bool // runs of labels that a setup with another training budget has
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

// byProtocol joins setups that differ in nothing but changes to their models, which
// it drops.
func byProtocol(setups []*Setup) []*Setup {
	var list []*Setup
	for _, same := range results.GroupBy(setups, func(s *Setup) string { return s.Runs[0].Conditions() }) {
		joined := &Setup{Task: same[0].Task, Changes: slices.DeleteFunc(slices.Clone(same[0].Changes), ofModel)}
		for _, s := range same {
			joined.Runs = append(joined.Runs, s.Runs...)
			joined.Changes = slices.DeleteFunc(joined.Changes, func(c string) bool { return !slices.Contains(s.Changes, c) })
		}
		list = append(list, joined)
	}
	slices.SortStableFunc(list, (*Setup).compare)
	return list
}

// joinBudgets puts the models of setups that differ in nothing but the training budget
// and in changes to their models into one setup, the nearest to the paper: of each
// label the runs of the first setup that has it. What is left stays in setups of its
// own.
func joinBudgets(setups []*Setup) []*Setup {
	var list []*Setup
	for _, same := range results.GroupBy(setups, func(s *Setup) string {
		task := slices.DeleteFunc(slices.Clone(s.Changes), func(c string) bool { return ofModel(c) || isQuiet(c) })
		return s.first().Identity.Preset + "\n" + s.Runs[0].ConditionsButBudget() + "\n" + strings.Join(task, ";")
	}) {
		joined := *same[0]
		have := map[string]bool{}
		for _, c := range columns(same[0].Runs, nil) {
			have[c.Label] = true
		}
		list = append(list, &joined)
		for _, s := range same[1:] {
			var left []results.Run
			for _, c := range columns(s.Runs, nil) {
				if have[c.Label] {
					left = append(left, c.runs...)
					continue
				}
				have[c.Label] = true
				joined.Runs = append(joined.Runs, c.runs...)
				// Several models: what is changed of one is said in its cells.
				joined.Changes = slices.DeleteFunc(slices.Clone(joined.Changes), ofModel)
			}
			if left != nil {
				list = append(list, &Setup{Task: s.Task, Changes: s.Changes, Runs: left, rest: true})
			}
		}
	}
	slices.SortStableFunc(list, (*Setup).compare)
	return list
}

// compare orders setups: the data and sizes of the paper first, then ready presets as
// they are, preset files, those with more runs first, and changed presets; then more
// steps.
func (s *Setup) compare(o *Setup) int {
	runs := 0
	if s.origin() == presetFile {
		runs = cmp.Compare(len(o.Runs), len(s.Runs))
	}
	return cmp.Or(cmp.Compare(s.distance(), o.distance()), cmp.Compare(s.origin(), o.origin()), runs, cmp.Compare(o.steps(), s.steps()),
		cmp.Compare(s.first().Protocol.Hash, o.first().Protocol.Hash), slices.Compare(s.Changes, o.Changes))
}

// Where the settings of a setup come from, the nearest to what a reader can run first.
const (
	readyPreset = iota
	presetFile  // with any changes: nobody but its author knows it without them
	changedPreset
)

func (s *Setup) origin() int {
	switch {
	case strings.HasSuffix(s.first().Identity.Preset, ".yaml"):
		return presetFile
	case len(s.Changes) > 0:
		return changedPreset
	}
	return readyPreset
}

func (s *Setup) first() *record.Record { return s.Runs[0].Record }

// shown says how the setup's task is shown.
func (s *Setup) shown() *record.Presentation { return &s.first().Dataset.Presentation }

// simulatedData is what simulated data add to the distance.
const simulatedData = 10

// distance counts in what the data are not the paper's.
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

// aside names a setup at the end of a claim, whose note says all of it; changed
// settings make no title short enough.
func (s *Setup) aside() string {
	if len(s.Changes) > 0 {
		return ""
	}
	return ": " + s.Title()
}

// reduced reports whether the data are smaller than the paper's.
func (s *Setup) reduced() bool {
	return s.first().Dataset.Caveats.Has(record.ReducedSize, record.TaskSubset)
}

// steps is the number that the protocol plans; of an older record without, the
// most that a run did.
func (s *Setup) steps() int {
	if v, ok := s.first().Protocol.Values["steps"].(float64); ok {
		return int(v)
	}
	n := 0
	for _, r := range s.Runs {
		n = max(n, r.Record.Training.Steps)
	}
	return n
}

// quiet are changes that a title need not name: the number of steps is in
// it, and the others change no training.
var quiet = []string{"protocol.steps", "protocol.early_stop", "protocol.evaluate_every"}

// isQuiet reports whether a change is one of quiet.
func isQuiet(change string) bool {
	key, _, _ := strings.Cut(change, "=")
	return slices.Contains(quiet, key)
}

// longValue is the length from which a changed value is left out of titles.
const longValue = 20

// Title names the setup in few words: "2,000 steps, reduced".
func (s *Setup) Title() string {
	parts := []string{Thousands(s.steps()) + " steps"}
	parts = append(parts, s.Data()...)
	for _, c := range s.Changes {
		key, value, _ := strings.Cut(c, "=")
		key = key[strings.LastIndex(key, ".")+1:]
		switch {
		case isQuiet(c):
		case len(value) > longValue: // a curriculum; the note has it
			parts = append(parts, key)
		default:
			parts = append(parts, key+"="+value)
		}
	}
	return strings.Join(parts, ", ")
}

// Data names in words what the data are beside the paper's: "reduced", "tasks
// 1,15". It is nil for data like the paper's.
func (s *Setup) Data() []string {
	var parts []string
	for _, c := range s.first().Dataset.Caveats {
		if c.Brief != "" {
			parts = append(parts, c.Brief)
		}
	}
	return parts
}

// TaskChanges are those of the changes that make another task of it, as a title
// names them: "rows=generation".
func (s *Setup) TaskChanges() []string {
	var list []string
	for _, c := range s.Changes {
		if key, ok := strings.CutPrefix(c, "task."); ok {
			list = append(list, key)
		}
	}
	return list
}

// Note says what the setup is, in full: what all of its numbers must carry.
func (s *Setup) Note() string {
	b := &taskSpec{task: s.Task, shown: *s.shown(), runs: s.Runs, kinds: Kinds(s.Runs), answers: answerNames(s.Runs)}
	preset := b.presets()
	if preset == "" {
		preset = "No preset"
	}
	r := s.first()
	parts := append(s.caveats(), b.amount(), fmt.Sprintf("%s%s (%s), %s split, protocol %s, data %s",
		strings.ToLower(preset[:1]), preset[1:], s.Task, r.Evaluation.Split, short(r.Protocol.Hash), short(r.Dataset.Hash)))
	text := strings.Join(parts, "; ") + "."
	return strings.ToUpper(text[:1]) + text[1:]
}

// caveats lists those of all runs of the setup, and how many steps the paper has
// where none says so.
func (s *Setup) caveats() []string {
	common := commonCaveats(s.Runs)
	list := common.Texts()
	if task := s.shown().Paper; paper.Has(task) && !common.Has(record.OtherSteps) {
		printed := "not stated"
		if n, ok := paper.StatedSteps(task); ok {
			printed = Thousands(n)
		}
		if n := Thousands(s.steps()); n != printed {
			list = append(list, n+" steps (paper: "+printed+")")
		}
	}
	return list
}

// takes reports whether the setup is one for a variant of a model too: not where
// settings of another model are changed.
func (s *Setup) takes(label string) bool {
	return !slices.ContainsFunc(s.Changes, ofModel) || slices.ContainsFunc(s.Runs, func(r results.Run) bool { return variantOf(label, r.Record.Identity.Model) })
}

// ofModel reports whether a change is one to a model or its training.
func ofModel(change string) bool {
	return strings.HasPrefix(change, "model.") || strings.HasPrefix(change, "training.")
}

// variantOf reports whether a label is that of a model, of the model with a number
// of hops (emn4) or of a variant (memo-noln).
func variantOf(label, model string) bool {
	rest, ok := strings.CutPrefix(label, model)
	return ok && (strings.HasPrefix(rest, "-") || strings.Trim(rest, "0123456789") == "")
}

// command is what would fill an empty cell of the setup: a run of the model. It is empty
// where the setup's preset is a file, which a reader may not have.
func (s *Setup) command(label string) string {
	if strings.HasSuffix(s.first().Identity.Preset, ".yaml") {
		return ""
	}
	words := []string{"memobench train --model", label, "--task", s.first().Identity.Task}
	if p := s.first().Identity.Preset; p != "" && p != "standard" {
		words = append(words, "--preset", p)
	}
	for _, c := range s.Changes {
		words = append(words, "--set", c)
	}
	if asked, ok := s.first().Protocol.Values["settings"].(map[string]any); ok && asked[paper.SubstituteSetting] == true {
		words = append(words, "--set", paper.SubstituteSetting+"=true")
	}
	switch {
	case s.first().Dataset.Settings["source"] == "simulated":
		if !slices.Contains(s.Changes, "task.source=simulated") {
			words = append(words, "--data simulated")
		}
	case s.shown().Files:
		words = append(words, "--data DIR")
	}
	return strings.Join(words, " ")
}

// Thousands writes n, which is not negative, in groups of three digits.
func Thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
