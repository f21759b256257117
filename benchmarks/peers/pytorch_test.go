package main

import (
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

var lookForTorch = sync.OnceValues(func() (*torchProgram, error) {
	return findTorch(&options{script: filepath.Join("pytorch", "train_step.py"), threads: 1})
})

// realTorch returns an interpreter with PyTorch, or skips.
func realTorch(t *testing.T) *torchProgram {
	t.Helper()
	torch, err := lookForTorch()
	if err != nil {
		t.Skipf("the PyTorch programs are not tested: %v", err)
	}
	return torch
}

// The programs that are raced compute the functions that our models compute:
// both are held against the same reference values, with gradients.
func TestPyTorchMatchesReferenceValues(t *testing.T) {
	torch := realTorch(t)
	args := []string{filepath.Join("pytorch", "golden.py")}
	for model, least := range map[string]int{"memo": 2, "emn": 1, "ut": 1, "dnc": 1} {
		files, err := filepath.Glob(filepath.Join("..", "..", "models", "testdata", "golden", model+"*.json"))
		if err != nil || len(files) < least {
			t.Fatalf("%d reference files of %s (%v)", len(files), model, err)
		}
		args = append(args, files...)
	}
	cmd := exec.Command(torch.python, args...)
	cmd.Env = append(environment(1), "PYTHONDONTWRITEBYTECODE=1")
	out, err := cmd.CombinedOutput()
	// One line a file and form; only MEMO has two forms.
	lines, want := strings.Count(string(out), ": same\n"), len(args)-1+strings.Count(strings.Join(args, " "), "memo_")
	if err != nil || lines != want {
		t.Errorf("%v, %d of %d match\n%s", err, lines, want, out)
	}
}

// A job as it is planned runs, and its model has as many parameters as ours.
func TestPyTorchTakesTheJobs(t *testing.T) {
	torch := realTorch(t)
	list, err := plan(&options{only: []string{"memo/pai3", "emn4/pai3"}, threads: 1, time: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	j := &list[0].peers[1].job
	if s, err := torch.step(j); err != nil || s.blas == "" {
		t.Errorf("%+v, %v", s, err)
	}
	j = &list[1].peers[0].job
	j.Parameters++
	if _, err := torch.step(j); err == nil || !strings.Contains(err.Error(), "parameters here") {
		t.Errorf("a model with too few parameters: %v", err)
	}
}
