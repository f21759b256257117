package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memobench/benchmarks/evaluate"
	"memobench/benchmarks/record"
	"memobench/datasets/must"
	"memobench/models/checkpoint"
	"memobench/models/engine"
)

// pretrained is MEMO trained on pai3 at the paper's sizes, with its weights and
// its answers.
var pretrained = filepath.Join(recorded, "pretrained", "pai3-memo")

// The regression check on accuracy: trained weights give today what they gave
// when they were recorded, question by question up to rounding, and A-C is
// answered as well as the paper has it.
func TestPretrainedMEMOGivesItsRecordedAccuracy(t *testing.T) {
	now := filepath.Join(t.TempDir(), "now")
	command("eval", "--checkpoint", pretrained, "--out", now, "--keep-predictions", "--quiet").want(t, exitGood)
	command("check", pretrained, now, "--floor", "accuracy=98").want(t, exitGood).prints(t, "PASS: 8 numbers checked")
}

// The same for bAbI: MEMO trained on the official files answers simulated stories,
// which need no files, nearly as well as it answers the official ones.
func TestPretrainedMEMOAnswersSimulatedStories(t *testing.T) {
	trained := filepath.Join(recorded, "pretrained", "babi-memo")
	official := must.Get(record.ReadFile(filepath.Join(trained, record.FileName)))(t)
	got := command("eval", "--checkpoint", trained, "--data", "simulated", "--quiet", "--json").want(t, exitGood)
	var simulated struct{ Evaluation record.Evaluation }
	must.Do(t, json.Unmarshal([]byte(got.stdout), &simulated))
	if len(simulated.Evaluation.Kinds) != len(official.Evaluation.Kinds) {
		t.Fatalf("%d tasks, want %d", len(simulated.Evaluation.Kinds), len(official.Evaluation.Kinds))
	}
	for i, k := range simulated.Evaluation.Kinds {
		// Both counts are of 1,000 questions: 2 points and two standard errors.
		if want := official.Evaluation.Kinds[i].PerCent(); k.Total != 1000 || k.PerCent() < want-3 || k.PerCent() < 95 {
			t.Errorf("task %s: %d of %d simulated questions, %.1f %% of the official ones", k.Name, k.Correct, k.Total, want)
		}
	}
}

// What that check is for: weights or code that no longer infer, though every
// pair that was shown is still remembered, fail it.
func TestDamagedWeightsFailTheCheck(t *testing.T) {
	dir := t.TempDir()
	damaged, now := filepath.Join(dir, "damaged"), filepath.Join(dir, "now")
	must.Do(t, os.CopyFS(damaged, os.DirFS(pretrained)))
	weights := filepath.Join(damaged, evaluate.WeightsName)
	meta, tensors, err := checkpoint.LoadWeights(weights)
	if err != nil {
		t.Fatal(err)
	}
	found := false
	for _, one := range tensors {
		if one.Name == "Wq" { // the recurrent attention
			found = true
			for i := range one.F32 {
				one.F32[i] /= 2
			}
		}
	}
	if !found {
		t.Fatal("no W_q among the weights")
	}
	must.Get(checkpoint.SaveWeights(weights, meta, tensors))(t)
	args := []string{"eval", "--checkpoint", damaged, "--out", now, "--keep-predictions", "--quiet"}
	command(args...).want(t, exitFailed, "its SHA-256 is ")
	path := filepath.Join(damaged, record.FileName)
	intact := must.Get(record.SHA256(filepath.Join(pretrained, evaluate.WeightsName)))(t)
	text := strings.Replace(string(must.Get(os.ReadFile(path))(t)), intact, must.Get(record.SHA256(weights))(t), 1)
	must.Do(t, os.WriteFile(path, []byte(text), 0o666))
	command(args...).want(t, exitGood)
	command("check", pretrained, now).want(t, exitFailed, "check: FAIL")
}

// Training still learns: a recorded run of the small PAI, repeated from its
// configuration, against its record. With the same matrix products it is the same run.
func TestTrainingGivesItsRecordedAccuracy(t *testing.T) {
	if testing.Short() {
		t.Skip("trains for some seconds")
	}
	// The two kinds of linear algebra round differently, which makes other runs.
	set := "quick"
	if strings.HasPrefix(engine.BLAS().Name, "OpenBLAS") {
		set = "quick-openblas"
	}
	out := filepath.Join(t.TempDir(), "runs")
	command("run", filepath.Join(recorded, set, record.StudyName), "--tasks", "pai3", "--only", "memo", "--seeds", "0", "--out", out, "--quiet").want(t, exitGood)
	after := must.Get(record.ReadFile(glob(filepath.Join(out, "*", record.FileName))[0]))(t)
	list := recordsOf(t, filepath.Join(recorded, set))
	before := list[slices.IndexFunc(list, func(r *record.Record) bool { return r.Identity.Cell == after.Identity.Cell })]
	command("check", writeRecords(t, before), out, "--margin", "accuracy=3").want(t, exitGood)
	// AVX-512 and AVX2 give the same bits.
	products := strings.NewReplacer("AVX-512", "AVX", "AVX2", "AVX").Replace
	if products(before.Environment.BLAS) != products(after.Environment.BLAS) {
		t.Logf("recorded with %s, repeated with %s: not compared to the bit", before.Environment.BLAS, after.Environment.BLAS)
		return
	}
	if d := cmp.Diff(before.Training.Loss, after.Training.Loss); d != "" {
		t.Errorf("loss of the last steps (-recorded +repeated):\n%s", d)
	}
	if d := cmp.Diff(before.Evaluation, after.Evaluation); d != "" {
		t.Errorf("evaluation (-recorded +repeated):\n%s", d)
	}
}

// Weights trained on all tasks jointly answer own files of one of them.
func TestJointlyTrainedWeightsOnOwnFilesOfOneTask(t *testing.T) {
	dir := t.TempDir()
	story := "1 Mary moved to the garden.\n2 John went to the office.\n3 Where is John? \toffice\t2\n4 Where is Mary? \tgarden\t1\n"
	must.Do(t, os.WriteFile(filepath.Join(dir, "qa1_own_test.txt"), []byte(story), 0o666))
	command("eval", "--checkpoint", filepath.Join(recorded, "pretrained", "babi-memo"), "--data", dir, "--quiet").want(t, exitGood).
		prints(t, "(2 of 2)", "tasks 1 of 20")
}

// The MEMO that was trained on at most four facts answers a typed question of twelve or eleven,
// with another chain in memory.
func TestPretrainedMEMOWalksTwelvePairs(t *testing.T) {
	var memory strings.Builder
	for _, chain := range []string{"abcdefghijklm", "nopqrstuvwxyz"} {
		for i := range len(chain) - 1 {
			memory.WriteString(chain[i:i+1] + " " + chain[i+1:i+2] + "\n")
		}
	}
	path := filepath.Join(t.TempDir(), "questions")
	must.Do(t, os.WriteFile(path, []byte(memory.String()+"a ? m z\nn ? m z\na ? l y\n"), 0o666))
	got := command("ask", path, "--checkpoint", filepath.Join(recorded, "pretrained", "pai5-memo"), "--json").want(t, exitGood)
	var answers []string
	for line := range strings.Lines(got.stdout) {
		var one struct {
			Answers []struct{ Best []struct{ Answer string } }
		}
		must.Do(t, json.Unmarshal([]byte(line), &one))
		answers = append(answers, one.Answers[0].Best[0].Answer)
	}
	if want := []string{"m", "z", "l"}; !slices.Equal(answers, want) {
		t.Errorf("answers %q, want %q", answers, want)
	}
}
