package freeze

import (
	"context"
	"fmt"
	"testing"

	"memobench/benchmarks/evaluate"
	"memobench/benchmarks/study"
	"memobench/datasets"
	"memobench/datasets/export"
	"memobench/datasets/must"

	_ "memobench/models/control"
)

// hashes are those of one run of a preset; Data is empty for a task whose files are not
// in the repository.
type hashes struct {
	Protocol string `json:"protocol"`
	Data     string `json:"data,omitempty"`
	Cell     string `json:"cell"`
}

// Presets give the same hashes.
func TestHashes(t *testing.T) {
	got := map[string]hashes{}
	for _, name := range []string{"babi", "images", "paper", "quick", "standard", "tuned"} {
		cells := must.Get(study.Load(name))(t).Cells()
		protocols := map[int]string{}
		for i := range cells {
			protocols[i] = cells[i].ProtocolHash()
			got[key(name, &cells[i])] = hashes{Protocol: protocols[i], Cell: cells[i].Hash()}
		}
		dataOf := map[string]string{}
		for i := range cells { // source changes settings, which cells of a run share
			if _, known := dataOf[protocols[i]]; !known {
				dataOf[protocols[i]] = ""
				if src := source(t, &cells[i]); src != nil {
					dataOf[protocols[i]] = src.Spec().Hash
				}
			}
			h := got[key(name, &cells[i])]
			h.Data = dataOf[protocols[i]]
			got[key(name, &cells[i])] = h
		}
	}
	compare(t, "hashes.json", got)
}

func key(name string, c *study.Cell) string {
	return fmt.Sprintf("%s %s %s seed %d", name, c.Task, c.Name, c.Seed)
}

// source opens the data of a run, simulated stories for bAbI; nil for tasks that need files.
func source(t *testing.T, c *study.Cell) datasets.Source {
	t.Helper()
	if c.Task == "babi" {
		set(t, c.Settings, "source=simulated")
	} else if entry, _ := datasets.Lookup(c.Task); entry.ReadsData {
		return nil
	}
	return must.Get(study.OpenSource(c, datasets.Options{}))(t)
}

// exported is a file of exported examples: how their ids begin, and SHA-256.
type exported struct {
	IDs    string `json:"ids"`
	Count  int    `json:"count"`
	SHA256 string `json:"sha256"`
}

// The questions of the small and the standard preset are exported with the same ids and bytes.
func TestExportedQuestions(t *testing.T) {
	got := map[string]exported{}
	for _, name := range []string{"quick", "standard"} {
		done := map[string]bool{}
		for _, c := range must.Get(study.Load(name))(t).Cells() {
			if done[c.Task] {
				continue
			}
			done[c.Task] = true
			plan := must.Get(evaluate.ExportPlan(context.Background(), &c, source(t, &c), 2))(t)
			plan.Formats = []string{"jsonl"}
			header := must.Get(export.Write(context.Background(), t.TempDir()+"/data", plan, nil))(t)
			for _, f := range header.Files {
				if f.Content == "examples" {
					got[fmt.Sprintf("%s %s %s", name, c.Task, f.Name)] = exported{f.IDs, f.Count, f.SHA256}
				}
			}
		}
	}
	compare(t, "exported.json", got)
}
