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

	several bool // of settings: what each changes of its preset is said in its cells
	rest    bool // runs of labels that a setup with another training budget has
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
// and in changes to their models into one setup, the nearest to the paper: of each label
// the Settled runs. What is left stays in setups of its own.
func joinBudgets(setups []*Setup) []*Setup {
	var list []*Setup
	for _, same := range results.GroupBy(setups, func(s *Setup) string { return s.Runs[0].ConditionsButBudget() }) {
		var all []results.Run
		for _, s := range same {
			all = append(all, s.Runs...)
		}
		settled := map[string]bool{} // paths of records
		for _, c := range columns(all, nil) {
			for _, r := range Settled(c.runs) {
				settled[r.Path] = true
			}
		}
		joined := *same[0]
		joined.Runs = nil
		list = append(list, &joined)
		for i, s := range same {
			var left []results.Run
			for _, r := range s.Runs {
				if settled[r.Path] {
					joined.Runs = append(joined.Runs, r)
				} else {
					left = append(left, r)
				}
			}
			if i > 0 && len(left) < len(s.Runs) {
				joined.several = true
			}
			if left != nil {
				list = append(list, &Setup{Task: s.Task, Changes: s.Changes, Runs: left, rest: true})
			}
		}
		if joined.several { // of model and budget, which cells name
			joined.Changes = slices.DeleteFunc(slices.Clone(joined.Changes), func(c string) bool {
				return !strings.HasPrefix(c, "task.") || slices.ContainsFunc(same, func(s *Setup) bool { return !slices.Contains(s.Changes, c) })
			})
		}
	}
	slices.SortStableFunc(list, (*Setup).compare)
	return list
}

// Settled keeps of runs of one label on one task those of one setting: of the settings with
// most seeds the one with the lowest mean loss by the task's rule, so that no single lucky
// seed decides; of equal ones the first.
func Settled(runs []results.Run) []results.Run {
	if len(runs) == 0 {
		return nil
	}
	task := runs[0].Record.Dataset.Presentation.Paper
	settings := results.GroupBy(runs, func(r results.Run) string { return r.Record.Protocol.Hash + r.Settings() })
	return slices.MinFunc(settings, func(a, b []results.Run) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(meanLoss(task, a), meanLoss(task, b)))
	})
}

// compare orders setups: the data and sizes of the paper first, then ready presets as
// they are, preset files, those with more runs first, and changed presets; then more
// steps.
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

// Where the settings of a setup come from, the nearest to what a reader can run first.
const (
	readyPreset = iota
	presetFile  // with any changes: nobody but its author knows it without them
	changedPreset
)

func (s *Setup) origin() int {
	switch {
	case isFile(s.preset()):
		return presetFile
	case len(s.Changes) > 0:
		return changedPreset
	}
	return readyPreset
}

// preset is the first ready one of the runs, else that of the first.
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

// steps is the largest number that a protocol of the runs plans; of an older record
// without, that it did. differ says that other runs have fewer. Controls count where there
// is nothing else.
func (s *Setup) steps() (most int, differ bool) {
	for _, r := range s.Runs {
		if paper.IsControl(r.Record) && !paper.IsControl(s.first()) {
			continue
		}
		n := r.Record.Training.Steps
		if v, ok := r.Record.Protocol.Values["steps"].(float64); ok {
			n = int(v)
			differ = differ || most > 0 && n != most
		}
		most = max(most, n)
	}
	return most, differ
}

// quiet are changes that a title need not name: the number of steps is in
// it, and the others change no training.
var quiet = []string{"protocol.steps", "protocol.early_stop", "protocol.evaluate_every"}

// isQuiet reports whether a change is one of quiet.
func isQuiet(change string) bool {
	key, _, _ := strings.Cut(change, "=")
	return slices.Contains(quiet, key)
}

// isLong reports whether a changed value is left out of titles: a curriculum, say, which
// a note has.
func isLong(change string) bool {
	_, value, _ := strings.Cut(change, "=")
	return len(value) > 20
}

// Title names the setup in few words: "2,000 steps, reduced".
func (s *Setup) Title() string {
	steps, differ := s.steps()
	title := Thousands(steps) + " steps"
	if differ {
		title = "up to " + title
	}
	return strings.Join(slices.Concat([]string{title}, s.Data(), inWords(s.Changes)), ", ")
}

// inWords names changes as titles do, without those of quiet.
func inWords(changes []string) (parts []string) {
	for _, c := range changes {
		key, value, _ := strings.Cut(c, "=")
		key = key[strings.LastIndex(key, ".")+1:]
		switch {
		case isQuiet(c):
		case isLong(c):
			parts = append(parts, key)
		default:
			parts = append(parts, key+"="+value)
		}
	}
	return parts
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
		steps, differ := s.steps()
		if n := Thousands(steps); n != printed && !differ {
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
	if isFile(s.preset()) {
		return ""
	}
	words := []string{"memobench train --model", label, "--task", s.first().Identity.Task}
	if p := s.preset(); p != "" && p != "standard" {
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
