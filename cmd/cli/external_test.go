package cli

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat"

	"memobench/benchmarks/record"
	"memobench/datasets/must"
)

// A model in another process goes through the same commands as the others: it is a
// column of the table, a run that was cut short ends as one that was not, and its weights
// are evaluated only where the user allows its command.
func TestExternalModelTrainsResumesAndIsEvaluated(t *testing.T) {
	python := pythonWith("numpy")
	if python == "" {
		t.Skip("left out: no python3 with numpy here")
	}
	script := must.Get(filepath.Abs("../../tools/python/bag_of_words.py"))(t)
	dir := t.TempDir()
	whole, parts := filepath.Join(dir, "whole"), filepath.Join(dir, "parts")
	args := []string{"train", "--preset", "quick", "--task", "pai3", "--model", "exec:" + python + " " + script, "--set", "protocol.steps=60",
		"--set", "protocol.evaluate_every=20", "--set", "protocol.test_per_kind=50", "--set", "validation_per_kind=20", "--quiet"}
	command(append(args, "--out", whole)...).want(t, exitGood).prints(t, "bag_of_words")
	command(append(args, "--out", parts, "--limit", "1ms", "--checkpoint-every", "1ms")...).want(t, exitGood)
	command(append(args, "--out", parts, "--resume")...).want(t, exitGood)
	var weights [2]string
	for i, run := range []string{whole, parts} {
		r := must.Get(record.ReadFile(filepath.Join(run, record.FileName)))(t)
		if r.Training.Steps != 60 || r.Model.Parameters == 0 {
			t.Errorf("%s: %d steps, %d parameters", run, r.Training.Steps, r.Model.Parameters)
		}
		data := must.Get(os.ReadFile(filepath.Join(run, "model.safetensors")))(t)
		weights[i] = string(data)
	}
	if weights[0] != weights[1] {
		t.Error("a run that was cut short ends with other weights")
	}
	command("eval", "--checkpoint", whole, "--quiet").want(t, exitFailed, "bag_of_words.py", "--allow-command")
	command("eval", "--checkpoint", whole, "--quiet", "--allow-command").want(t, exitGood)
	command("train", "--preset", "quick", "--task", "pai3", "--model", "exec:exit 3", "--out", filepath.Join(dir, "none"), "--quiet").
		want(t, exitFailed, `model process "exit 3": hello: it ended (exit status 3)`)
}

// MEMO in PyTorch learns as MEMO does: at every evaluation loss and accuracy are those of
// other seeds.
func TestMEMOInPyTorchHasTheSameLearningCurve(t *testing.T) {
	if testing.Short() {
		t.Skip("trains for some seconds")
	}
	python := pythonWith("torch")
	if python == "" {
		t.Skip("left out: no python3 with torch here")
	}
	script := must.Get(filepath.Abs("../../tools/python/torch_memo.py"))(t)
	train := func(model, seeds string, more ...string) [][]record.Point {
		dir := t.TempDir()
		args := []string{"run", "--preset", "quick", "--tasks", "pai3", "--models", model, "--seeds", seeds, "--out", dir, "--quiet", "--set", "early_stop=off",
			"--set", "classes=40", "--set", "sequences=4", "--set", "batch_size=32", "--set", "protocol.steps=600", "--set", "evaluate_every=100",
			"--set", "validation_per_kind=400", "--set", "test_per_kind=2", "--set", "plateau_fraction=0"}
		command(append(args, more...)...).want(t, exitGood)
		var curves [][]record.Point
		for _, path := range glob(filepath.Join(dir, "*", record.CurveName)) {
			points, err := record.ReadCurve(path)
			if err != nil || len(points) != 6 {
				t.Fatalf("%s: %d points (%v)", path, len(points), err)
			}
			curves = append(curves, points)
		}
		return curves
	}
	ours := train("memo", "0,1,2,3,4,5,6,7", "--set", "model.embedding=64", "--set", "model.width=64", "--set", "model.answer_width=64")
	theirs := train("exec:"+python+" "+script+" --embedding 64 --width 64 --answer 64", "0,1")
	if len(ours) != 8 || len(theirs) != 2 {
		t.Fatalf("%d curves and %d", len(ours), len(theirs))
	}
	compare := func(step int, what string, of func(record.Point) float64, floor float64) {
		values := func(curves [][]record.Point) (list []float64) {
			for _, points := range curves {
				list = append(list, of(points[step]))
			}
			return list
		}
		mean, sd := stat.MeanStdDev(values(ours), nil)
		other := stat.Mean(values(theirs), nil)
		if most := 4*sd*math.Sqrt(1.0/8+1.0/2) + floor; math.Abs(other-mean) > most {
			t.Errorf("step %d, %s: %.3f in PyTorch, %.3f ± %.3f here", ours[0][step].Step, what, other, mean, sd)
		}
	}
	for step := range ours[0] {
		compare(step, "loss", func(p record.Point) float64 { return p.Loss }, 0.01)
		for k, kind := range ours[0][step].Kinds {
			compare(step, kind.Name, func(p record.Point) float64 { return p.Kinds[k].PerCent() }, 1)
		}
	}
}

// A command may have commas: it goes to the end of its flag, and other models are before
// it or in flags of their own.
func TestModelsMayBeCommandsWithCommas(t *testing.T) {
	args := []string{"run", "--preset", "quick", "--tasks", "pai3", "--print-config", "--models"}
	got := command(append(args, "emn4,exec:python3 my_model.py --sizes 64,32", "--models", "exec:other --seeds 1,2", "--models", "memo,ut")...).want(t, exitGood)
	for _, want := range []string{"label: emn4\n", "label: my_model\n", "command: python3 my_model.py --sizes 64,32\n", "command: other --seeds 1,2\n", "label: memo\n", "label: ut\n"} {
		if strings.Count(got.stdout, want) != 1 {
			t.Errorf("no %q, or several, in\n%s", want, got.stdout)
		}
	}
	command(append(args, "")...).want(t, exitUsage, `unknown model ""`)
}
