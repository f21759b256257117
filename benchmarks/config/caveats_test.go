package config

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memobench/benchmarks/record"
	"memobench/datasets"
	"memobench/datasets/babi"
	"memobench/datasets/must"
	"memobench/datasets/pai"
	"memobench/datasets/shortestpath"
	"memobench/models"
)

// A record of schema version 1 has labels without kinds. They are converted to the caveats
// of present runs, so that old and new runs may share a table.
func TestLabelsOfOldRecordsBecomeTheCaveatsOfToday(t *testing.T) {
	today := []datasets.Caveats{
		{{Kind: datasets.SubstituteData, Text: "task 3: substitute training data (385 of 2,000 stories official)", Brief: "substitute data"}},
		{{Kind: datasets.SubstituteData, Text: "own embeddings (2 files)", Brief: "npy"}, {Kind: datasets.SubstituteData, Text: "generated embeddings instead of image embeddings"}},
		{{Kind: datasets.OtherProtocol, Text: "released data: the answer is one of the two items shown, chance 50 %", Brief: "released"},
			{Kind: datasets.SubstituteData, Text: "released data: 1 of 4 train shards"}},
		{{Kind: datasets.SubstituteData, Text: "file mine.txt in place of the test set"}},
		{{Kind: datasets.OtherBLAS, Text: "resumed under another BLAS: gonum after OpenBLAS"}},
		{{Kind: datasets.ChangedSettings, Text: "changed from the preset: model.hops=5"}},
		record.Ending(record.EarlyStopped, 7, 9), record.Ending(record.Interrupted, 7, 9), record.Ending(record.Diverged, 7, 9),
	}
	for _, task := range []string{"pai3", "pai6", "pai3-embeddings", "babi", "sp9-2-4"} {
		entry, ok := datasets.Lookup(task)
		if !ok {
			entry, _ = datasets.Lookup("sp")
		}
		settings := entry.Defaults()
		switch s := settings.(type) {
		case *pai.Settings:
			s.Classes = 500
		case *babi.Settings:
			s.Source, s.Tasks, s.MaxRows = new(string), "1,15", 10
			*s.Source = babi.Simulated
		case *shortestpath.Settings:
			s.Nodes, s.Degree, s.Length, s.Vocabulary = 9, 2, 4, 99
		default:
			must.Do(t, setKey(settings, "features", "32"))
		}
		src := must.Get(entry.New(settings, datasets.Options{}))(t)
		if src.Spec().Caveats == nil {
			t.Errorf("%s: no caveats", task)
		}
		today = append(today, src.Spec().Caveats)
	}
	cell := &Cell{Labels: []string{"a remark"}, PaperSteps: 500, Protocol: Protocol{Steps: 60, Mixture: "16:3"}}
	cell.Training.Phases = []models.Phase{{Steps: 3, Kinds: []string{"1"}}}
	today = append(today, cell.Caveats())
	cell.Protocol.Mixture, cell.PaperSteps = Adaptive, paperStepsNotStated
	today = append(today, cell.Caveats())
	for _, list := range today {
		labels := must.Get(json.Marshal(list.Texts()))(t)
		r := must.Get(record.Parse(fmt.Appendf(nil, `{"schema":1,"identity":{"task":"pai3","label":"a","model":"b"},"status":"complete","labels":%s,`+
			`"protocol":{"hash":"1"},"dataset":{"hash":"2","labels":%s},"evaluation":{"split":"test","kinds":[{"name":"A-B","total":1,"correct":1}]}}`, labels, labels)))(t)
		for where, have := range map[string]datasets.Caveats{"run": r.Caveats, "data": r.Dataset.Caveats} {
			if d := cmp.Diff(list, have); d != "" {
				t.Errorf("%s (-today +read):\n%s", where, d)
			}
		}
	}
}
