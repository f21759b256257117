package main

import (
	"encoding/json"
	"errors"
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

// The programs that are compared compute the functions that our models compute:
// both are compared with the same reference values, with gradients.
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

// MEMO on shortest paths is measured at two sizes, and the table says which is which.
func TestPaperSizes(t *testing.T) {
	list, err := plan(&options{only: []string{"memo/sp20-5-3", "memo-paper/sp20-5-3"}, threads: 1, time: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []struct{ Heads, Width, Hops int }{{8, 64, 3}, {4, 512, 5}} {
		got := struct{ Heads, Width, Hops int }{}
		var halting struct{ Halting string }
		config := list[i].peers[0].job.Config
		if err := errors.Join(json.Unmarshal(config, &got), json.Unmarshal(config, &halting)); err != nil || got != want || halting.Halting != "fixed" {
			t.Errorf("%v: %+v and %+v, %v, want %+v and a fixed number of hops", list[i].pairing, got, halting, err, want)
		}
	}
	if list[0].title != "MEMO" || list[1].title != "MEMO, halting=fixed, paper's size" {
		t.Errorf("titles %q and %q", list[0].title, list[1].title)
	}
	header := (&table{contests: list}).presets()
	if want := "standard (MEMO, halting=fixed, paper's size: of preset paper, hops fixed)"; header != want {
		t.Errorf("%q, want %q", header, want)
	}
}
