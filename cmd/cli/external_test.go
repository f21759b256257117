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

// A command may have commas: it goes to the end of its flag, and other models are before
// it or in flags of their own.
func TestModelsMayBeCommandsWithCommas(t *testing.T) {
	args := []string{"run", "--preset", "quick", "--tasks", "pai3", "--print-config", "--models"}
	got := command(append(args, "emn4,exec:python3 my_model.py --sizes 64,32", "--models", "exec:other --seeds 1,2", "--models", "memo,ut")...)
	got.want(t, exitGood)
	for _, want := range []string{"label: emn4\n", "label: my_model\n", "command: python3 my_model.py --sizes 64,32\n", "command: other --seeds 1,2\n", "label: memo\n", "label: ut\n"} {
		if strings.Count(got.stdout, want) != 1 {
			t.Errorf("no %q, or several, in\n%s", want, got.stdout)
		}
	}
	command(append(args, "")...).want(t, exitUsage, `unknown model ""`)
}
