package record

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"memobench/datasets"
)

// version1 is a record of schema version 1, which has labels, texts without a kind,
// instead of caveats.
type version1 struct {
	*Record
	Labels  []string `json:"labels"`
	Dataset struct {
		*Dataset
		Labels []string `json:"labels"`
	} `json:"dataset"`
}

// decodeVersion1 reads a record of schema version 1 and converts it to the present one.
// The presentation is the registered one of the task.
func decodeVersion1(d *json.Decoder, r *Record) error {
	old := version1{Record: r}
	old.Dataset.Dataset = &r.Dataset
	if err := d.Decode(&old); err != nil {
		return err
	}
	r.Schema, r.Caveats, r.Dataset.Caveats = Version, fromLabels(old.Labels), fromLabels(old.Dataset.Labels)
	r.Dataset.Presentation = datasets.Present(r.Identity.Task, r.Dataset.Task, r.Dataset.Settings)
	return nil
}

// labelKinds are the kinds of the labels that earlier versions wrote, by prefix.
var labelKinds = []struct {
	prefix string
	kind   datasets.CaveatKind
	brief  string
}{
	{"reduced", datasets.ReducedSize, "reduced"},
	{"simulated", datasets.SimulatedData, "simulated"},
	{"task 3: substitute", datasets.SubstituteData, "substitute data"},
	{"generated embeddings (", datasets.SubstituteData, "embeddings"},
	{"own embeddings (", datasets.SubstituteData, "npy"},
	{"released data: the answer", datasets.OtherProtocol, "released"},
	{"tasks ", datasets.TaskSubset, ""}, // brief is the label less " of 20"
	{"class symbols instead", datasets.SubstituteData, ""},
	{"generated embeddings instead", datasets.SubstituteData, ""},
	{"own embeddings: ", datasets.SubstituteData, ""},
	{"released data: ", datasets.SubstituteData, ""},
	{"file ", datasets.SubstituteData, ""},
	{"not the en-10k files", datasets.SubstituteData, ""},
	{"sizes ", datasets.OtherSize, ""},
	{"length ", datasets.OtherSize, ""},
	{"answers among ", datasets.OtherProtocol, ""},
	{"memory limited to ", datasets.OtherProtocol, ""},
	{"adaptive mixture ", datasets.Curriculum, ""},
	{"mixture of kinds ", datasets.Curriculum, ""},
	{"curriculum: ", datasets.Curriculum, ""},
	{"changed from the preset: ", datasets.ChangedSettings, ""},
	{"early stopped at step ", datasets.EarlyStop, ""},
	{"stopped by a time limit at step ", datasets.TimeLimit, ""},
	{"diverged at step ", datasets.Diverged, ""},
	{"resumed under another BLAS: ", datasets.OtherBLAS, ""},
}

// fromLabels converts labels of earlier versions to caveats. No other code parses the text
// of a caveat.
func fromLabels(labels []string) Caveats {
	list := make(Caveats, len(labels))
	for i, label := range labels {
		c := Caveat{Kind: datasets.Remark, Text: label}
		if strings.Contains(label, " steps (paper: ") {
			c.Kind = datasets.OtherSteps
		}
		for _, k := range labelKinds {
			if strings.HasPrefix(label, k.prefix) {
				c.Kind, c.Brief = k.kind, k.brief
				break
			}
		}
		if c.Kind == datasets.TaskSubset {
			c.Brief = strings.TrimSuffix(label, " of 20")
		}
		list[i] = c
	}
	return list
}

// renamed lists the settings that had another name, or other values, in earlier versions.
// Both names are read, the present one is written. Hashes use the former names and values,
// so that those of existing runs and protocols do not change.
var renamed = []struct {
	former, present string
	values          map[any]any // present values by former ones; nil where they are the same
}{
	{"start", "init", nil},
	{"hold", "plateau_fraction", nil},
	{"feedback", "teacher_forcing", map[any]any{"truth": true, "predicted": false}},
}

// presentSetting returns a setting of any version under its present name.
func presentSetting(key string, value any) (string, any) {
	for _, r := range renamed {
		if r.former != key {
			continue
		}
		if v, ok := r.values[value]; ok {
			value = v
		}
		return r.present, value
	}
	return key, value
}

// PresentSetting returns a setting of any version, as text, under its present name.
func PresentSetting(key, text string) (string, string) {
	key, value := presentSetting(key, text)
	return key, fmt.Sprint(value)
}

// FormerSettings returns settings under their former names, as hashes use them.
func FormerSettings[V any](settings map[string]V) map[string]any {
	out := map[string]any{}
	for key, value := range settings {
		out[key] = value
	}
	for _, r := range renamed {
		value, ok := settings[r.present]
		if !ok {
			continue
		}
		delete(out, r.present)
		out[r.former] = value
		for former, present := range r.values {
			if fmt.Sprint(present) == fmt.Sprint(value) {
				out[r.former] = former
			}
		}
	}
	return out
}

// laterSettings lists, by model, the settings that were added after runs had been
// recorded, each with the value that earlier runs had. For teacher_forcing it is the
// default: those runs ask for one answer, so it had no effect.
//
// Settings with a tag legacy (package config) are left out of records where they have
// that value. They are listed here only if some version wrote them nevertheless.
var laterSettings = map[string]map[string]any{
	"dnc":  {"teacher_forcing": false, "init": "neutral"},
	"emn":  {"teacher_forcing": true, "attention": "softmax", "relu": false},
	"memo": {"teacher_forcing": false, "attention": "softmax"},
	"ut":   {"teacher_forcing": false, "init": "neutral"},
}

// LaterSetting returns the value of a model's setting in records that lack it.
func LaterSetting(model, key string) (value any, ok bool) {
	value, ok = laterSettings[model][key]
	return value, ok
}

var hopsOfTitle = regexp.MustCompile(`\d+ hops`)

// WithHops returns a title such as "EMN, 4 hops" with a number of hops.
func WithHops(title, hops string) string {
	return hopsOfTitle.ReplaceAllString(title, hops+" hops")
}

// complete gives the settings their present names and adds those that did not exist when
// the record was made, so that readers can compare all settings.
func (r *Record) complete() {
	m := &r.Model
	if len(m.Config) == 0 { // predictions of another program
		return
	}
	m.Config, m.Training = presentNames(m.Config), presentNames(m.Training)
	for key, value := range laterSettings[r.Identity.Model] {
		if _, named := m.Config[key]; !named {
			m.Config[key] = value
		}
	}
	if hops, ok := m.Config["hops"]; ok { // earlier titles were the preset's, whatever the setting
		r.Identity.Title = WithHops(r.Identity.Title, fmt.Sprint(hops))
	}
	for i, override := range r.Identity.Overrides {
		r.Identity.Overrides[i] = presentOverride(override)
	}
	for i, c := range r.Caveats {
		if c.Kind == datasets.ChangedSettings {
			r.Caveats[i].Text = presentOverrides(c.Text)
		}
	}
}

func presentNames(settings map[string]any) map[string]any {
	out := make(map[string]any, len(settings))
	for key, value := range settings {
		key, value = presentSetting(key, value)
		out[key] = value
	}
	return out
}

// presentOverrides is presentOverride for each word of a text.
func presentOverrides(text string) string {
	words := strings.Split(text, " ")
	for i, word := range words {
		words[i] = presentOverride(word)
	}
	return strings.Join(words, " ")
}

// presentOverride returns an override, such as training.hold=0, under the present name.
func presentOverride(override string) string {
	path, text, ok := strings.Cut(override, "=")
	if !ok {
		return override
	}
	dot := strings.LastIndex(path, ".") + 1
	key, text := PresentSetting(path[dot:], text)
	return path[:dot] + key + "=" + text
}
