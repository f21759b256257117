package record

import (
	"encoding/json"
	"strings"

	"memobench/datasets"
)

// version1 decodes a record of schema version 1, which has labels, sentences without
// a kind, in place of caveats.
type version1 struct {
	*Record
	Labels  []string `json:"labels"`
	Dataset struct {
		*Dataset
		Labels []string `json:"labels"`
	} `json:"dataset"`
}

// decodeVersion1 reads a record of schema version 1 into r, which becomes one of this
// version, with the presentation of its task as it is registered now.
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

// labelKinds are the kinds of the labels that earlier versions wrote, by how they
// begin.
var labelKinds = []struct {
	begin string
	kind  datasets.CaveatKind
	brief string
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

// fromLabels gives labels of earlier versions their kinds. It is the only place that
// reads the text of a caveat.
func fromLabels(labels []string) Caveats {
	list := make(Caveats, len(labels))
	for i, label := range labels {
		c := Caveat{Kind: datasets.Remark, Text: label}
		if strings.Contains(label, " steps (paper: ") {
			c.Kind = datasets.OtherSteps
		}
		for _, k := range labelKinds {
			if strings.HasPrefix(label, k.begin) {
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

// laterSettings lists, by model, the settings that were added after runs had been
// recorded, each with the value that runs before it had. Of feedback it is the
// default: those runs ask for one answer, after which no query comes.
//
// Settings with a tag legacy (package config) are left out of records where they have
// that value. They are here only where records of some version named them all the same.
var laterSettings = map[string]map[string]any{
	"dnc":  {"feedback": "predicted", "start": "neutral"},
	"emn":  {"feedback": "truth", "attention": "softmax", "relu": false},
	"memo": {"feedback": "predicted", "attention": "softmax"},
	"ut":   {"feedback": "predicted", "start": "neutral"},
}

// LaterSetting returns the value of a model's setting in records that do not name it.
func LaterSetting(model, key string) (value any, ok bool) {
	value, ok = laterSettings[model][key]
	return value, ok
}

// complete adds the settings that the record does not name because they came
// later, so that no reader takes a missing setting for an equal one.
func (m *Model) complete(model string) {
	if len(m.Config) == 0 { // predictions of another program
		return
	}
	for key, value := range laterSettings[model] {
		if _, named := m.Config[key]; !named {
			m.Config[key] = value
		}
	}
}
