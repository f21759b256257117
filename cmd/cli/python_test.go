package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"memobench/benchmarks/record"
	"memobench/datasets/must"
)

// A network in PyTorch is evaluated with what training left in its buffers: the accuracy is the
// recorded one.
func TestBuffersOfAModuleAreInItsWeights(t *testing.T) {
	python := pythonWith("torch")
	if python == "" {
		t.Skip("left out: no python3 with torch here")
	}
	t.Setenv("PYTHONPATH", absolute(t, filepath.Join(root, "tools", "python")))
	run := filepath.Join(t.TempDir(), "run")
	command("train", "--study", "quick", "--task", "pai3", "--model", "exec:"+python+" testdata/batch_norm.py", "--set", "protocol.steps=200",
		"--set", "protocol.evaluate_every=200", "--set", "protocol.test_per_kind=50", "--set", "validation_per_kind=20", "--quiet", "--out", run).want(t, exitGood)
	again := filepath.Join(t.TempDir(), "again")
	command("eval", "--checkpoint", run, "--out", again, "--quiet", "--allow-command").want(t, exitGood)
	trained, evaluated := must.Get(record.ReadFile(filepath.Join(run, record.FileName)))(t), must.Get(record.ReadFile(filepath.Join(again, record.FileName)))(t)
	want, _ := record.Accuracy.Overall(trained)
	if got, _ := record.Accuracy.Overall(evaluated); got != want || want < 30 {
		t.Errorf("accuracy %v of the stored weights, recorded %v, want the same and 30 or more", got, want)
	}
}

// The Python package passes its tests, those that need PyTorch where it is installed.
func TestPythonPackage(t *testing.T) {
	python := pythonWith("torch")
	if python == "" {
		python = pythonWith("numpy")
	}
	if python == "" {
		t.Skip("left out: no python3 with numpy here")
	}
	tests := exec.Command(python, "-m", "unittest", "discover", filepath.Join(root, "tools", "python"))
	tests.Env = append(os.Environ(), "MEMOBENCH="+binary)
	out, err := tests.CombinedOutput()
	t.Logf("%s", out)
	if err != nil {
		t.Error(err)
	}
}
