package cli

import (
	"os"
	"path/filepath"
	"testing"

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
	args := []string{"train", "--study", "quick", "--task", "pai3", "--model", "exec:" + python + " " + script, "--set", "protocol.steps=60",
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
	command("train", "--study", "quick", "--task", "pai3", "--model", "exec:exit 3", "--out", filepath.Join(dir, "none"), "--quiet").
		want(t, exitFailed, `model process "exit 3": hello: it ended (exit status 3)`)
}
