package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
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
	if out, _ := exec.Command("pgrep", "-P", strconv.Itoa(os.Getpid()), "-f", script).Output(); len(out) > 0 {
		t.Errorf("processes of models live on: %s", out)
	}
	command("train", "--study", "quick", "--task", "pai3", "--model", "exec:exit 3", "--out", filepath.Join(dir, "none"), "--quiet").
		want(t, exitFailed, `model process "exit 3": hello: it ended (exit status 3)`)
}

// A study of another person starts no command unless the user says so: neither for a plan, nor for
// settings in ranges, phases, or a printed configuration. A command that the user types is his word.
func TestCommandsInFilesNeedConsent(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	const study = `
about: of another person
experiments:
  - task: pai3
    from: quick
    protocol: {steps: 20, evaluate_every: 10, test_per_kind: 10, validation_per_kind: 10}
    seeds: [0]
    runs:
      - name: theirs
        model: exec
`
	for name, run := range map[string]string{
		"config": "        config: {command: touch ran; exit 1}\n",
		"ranges": "        config: {command: exit 1}\n        ranges: {model.command: [touch ran, exit 1]}\n",
		"phases": "        config: {command: exit 1}\n        training: {phases: [{steps: 10, config: {command: touch ran}}]}\n",
	} {
		must.Do(t, os.WriteFile(name+".yaml", []byte(study+run), 0o600))
		for _, args := range [][]string{{"run", name + ".yaml"}, {"run", name + ".yaml", "--plan"}, {"run", name + ".yaml", "--print-config"},
			{"train", "--study", name + ".yaml", "--task", "pai3", "--model", "theirs"}} {
			command(args...).want(t, exitUsage, "starts the command", "--allow-command")
		}
		if _, err := os.Stat("ran"); err == nil {
			t.Errorf("%s: a command was run", name)
		}
	}
	command("run", "config.yaml", "--plan", "--allow-command").want(t, exitGood)
	command("run", "config.yaml", "--plan", "--set", "model.command=exit 4").want(t, exitGood)
	command("run", "config.yaml", "--plan", "--only", "exec:exit 5").want(t, exitGood)
	command("run", "config.yaml", "--allow-command", "--out", "allowed", "--quiet").want(t, exitFailed, "exit status 1")
	if _, err := os.Stat("ran"); err != nil {
		t.Error("an allowed command was not run")
	}
}
