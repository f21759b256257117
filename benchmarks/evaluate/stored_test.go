package evaluate

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memobench/benchmarks/record"
	"memobench/benchmarks/study"
	"memobench/datasets"
	_ "memobench/datasets/babi"
	"memobench/datasets/must"
	_ "memobench/datasets/pai"
	"memobench/models"
	"memobench/models/checkpoint"
	_ "memobench/models/dnc"
	_ "memobench/models/emn"
	_ "memobench/models/memo"
	_ "memobench/models/ut"
)

// untrained returns a cell of preset quick on simulated bAbI and its data, and writes the
// model's initial weights into a directory without a record.
func untrained(t *testing.T) (cell study.Cell, src datasets.Source, dir string) {
	t.Helper()
	p := must.Get(study.Load("quick"))(t)
	must.Do(t, p.Select([]string{"babi"}, []string{"emn4"}))
	cell = p.Cells()[0]
	must.Do(t, study.SetTask(cell.Settings, "source=simulated"))
	must.Do(t, study.SetTask(cell.Settings, "tasks=1,15"))
	src = must.Get(study.OpenSource(&cell, datasets.Options{}))(t)
	m := must.Get(study.BuildModel(&cell, src.Shape(), 1))(t)
	meta := must.Get(json.Marshal(WeightsMeta{Schema: 1, Cell: cell, Shape: src.Shape(), Vocabulary: study.Vocabulary(src), DatasetHash: src.Spec().Hash}))(t)
	dir = t.TempDir()
	must.Get(checkpoint.SaveWeights(filepath.Join(dir, WeightsName), meta, must.Get(models.StateOf(m))(t).Tensors))(t)
	return cell, src, dir
}

// Weights alone are evaluated, but nothing verified them, and no record is made of that.
func TestWeightsWithoutARecord(t *testing.T) {
	_, _, dir := untrained(t)
	r := must.Get(Stored(t.Context(), dir, Options{Split: datasets.Test, PerKind: 5}))(t)
	if !r.SameData || len(r.Evaluation.Kinds) != 2 || r.Evaluation.Kinds[0].Total != 5 {
		t.Errorf("%+v", r)
	}
	out := filepath.Join(t.TempDir(), "out")
	if _, err := Stored(t.Context(), dir, Options{Split: datasets.Test, Out: out}); err == nil || !strings.Contains(err.Error(), record.FileName) {
		t.Errorf("a record of weights without a run: %v", err)
	}
	if _, err := Shifts(dir, nil, nil, Options{}); err == nil || !strings.Contains(err.Error(), record.FileName) {
		t.Errorf("shifts of weights without a run: %v", err)
	}
	if _, err := Stored(t.Context(), out, Options{}); err == nil || !strings.Contains(err.Error(), "name the directory of a run") {
		t.Errorf("no weights: %v", err)
	}
}

// Weights that were trained on several tasks are evaluated on files of one of them, unless
// these have words that the model does not know.
func TestJointWeightsOnFilesOfOneTask(t *testing.T) {
	_, _, dir := untrained(t)
	own := t.TempDir()
	story := func(place string) {
		text := "1 Mary went to the kitchen.\n2 Where is Mary? \t" + place + "\t1\n"
		must.Do(t, os.WriteFile(filepath.Join(own, "qa1_single-supporting-fact_test.txt"), []byte(text), 0o644))
	}
	story("kitchen")
	r := must.Get(Stored(t.Context(), dir, Options{Split: datasets.Test, DataPath: own, All: true}))(t)
	if kinds := r.Evaluation.Kinds; r.SameData || len(kinds) != 1 || kinds[0].Name != "1" || kinds[0].Total != 1 {
		t.Errorf("%+v", r)
	}
	story("cellar")
	if _, err := Stored(t.Context(), dir, Options{Split: datasets.Test, DataPath: own, All: true}); err == nil || !strings.Contains(err.Error(), `"cellar"`) {
		t.Errorf("an unknown word: %v", err)
	}
}

// Typed questions and questions of the task are answered by the same model.
func TestAskingAndAttention(t *testing.T) {
	_, _, dir := untrained(t)
	a := must.Get(OpenAsker(dir, Options{}))(t)
	r := must.Get(a.ask([]string{"Mary went to the kitchen", "John went to the garden"}, "Where is Mary?"))(t)
	if len(r.Answers) != 1 || len(r.Answers[0].Best) != numChoices || len(r.Answers[0].Hops) != 4 || len(r.Answers[0].Hops[0]) != 2 {
		t.Errorf("%+v", r)
	}
	tr := must.Get(Attention(t.Context(), dir, Options{Split: datasets.Test}, "1", 2))(t)
	if err := tr.Validate(); err != nil || !strings.HasPrefix(tr.Query, "where is ") {
		t.Errorf("%+v, %v", tr, err)
	}
}

// Answers that are not possible count as wrong, and the record says how many there are;
// strict refuses them.
func TestUnexpectedAnswersCountAsWrong(t *testing.T) {
	cell, src, _ := untrained(t)
	cell.Protocol.TestPerKind = 3
	prefix, words, n := QuestionIDs(cell.ProtocolHash(), src.Spec().Hash, datasets.Test), study.Vocabulary(src), 0
	var lines []string
	for b, err := range Batches(t.Context(), src, QuestionsOf(&cell.Protocol, datasets.Test)) {
		must.Do(t, err)
		for _, target := range b.Targets {
			answer := []any{words[target], words[target] + ".", "i do not know", 7000, nil, []string{"a", "b"}}[n]
			text := must.Get(json.Marshal(map[string]any{"id": fmt.Sprint(prefix, n), "answer": answer}))(t)
			lines = append(lines, string(text))
			n++
		}
	}
	score := func(strict bool) (*record.Record, error) {
		return Score(context.Background(), &cell, src, strings.NewReader(strings.Join(lines, "\n")), "in", filepath.Join(t.TempDir(), "out"), "", ExternalModel{Name: "x"}, strict)
	}
	r := must.Get(score(false))(t)
	if k := r.Evaluation.Kinds; k[0].Correct != 1 || k[0].Total != 3 || k[1].Correct != 0 || k[1].Total != 3 {
		t.Errorf("%+v", k)
	}
	if c := r.Caveats[len(r.Caveats)-1]; !strings.Contains(c.Text, "5 of 6 questions have answers that are not possible, such as ") {
		t.Errorf("caveats %+v", r.Caveats)
	}
	if _, err := score(true); err == nil || !strings.Contains(err.Error(), `in:2: question "`+prefix+`1": `) {
		t.Errorf("strict: %v", err)
	}
}
