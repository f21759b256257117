package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memobench/benchmarks/record"
)

// A model in another process goes through the same commands as the others: it is a
// column of the table, a run that was cut short ends as one that was not, and its weights
// are evaluated only where the user allows its command.
func TestExternalModelTrainsResumesAndIsEvaluated(t *testing.T) {
	python := withNumPy()
	if python == "" {
		t.Skip("left out: no python3 with numpy here")
	}
	script, err := filepath.Abs("../../tools/python/bag_of_words.py")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	whole, parts := filepath.Join(dir, "whole"), filepath.Join(dir, "parts")
	args := []string{"train", "--preset", "quick", "--task", "pai3", "--model", "exec:" + python + " " + script, "--set", "protocol.steps=60",
		"--set", "protocol.evaluate_every=20", "--set", "protocol.test_per_kind=50", "--set", "validation_per_kind=20", "--quiet"}
	got := command(append(args, "--out", whole)...)
	got.want(t, exitGood)
	if !strings.Contains(got.stdout, "bag_of_words") {
		t.Errorf("no column of the model in\n%s", got.stdout)
	}
	command(append(args, "--out", parts, "--limit", "1ms", "--checkpoint-every", "1ms")...).want(t, exitGood)
	command(append(args, "--out", parts, "--resume")...).want(t, exitGood)
	var weights [2]string
	for i, run := range []string{whole, parts} {
		r, err := record.ReadFile(filepath.Join(run, record.FileName))
		if err != nil {
			t.Fatal(err)
		}
		if r.Training.Steps != 60 || r.Model.Parameters == 0 {
			t.Errorf("%s: %d steps, %d parameters", run, r.Training.Steps, r.Model.Parameters)
		}
		data, err := os.ReadFile(filepath.Join(run, "model.safetensors"))
		if err != nil {
			t.Fatal(err)
		}
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
