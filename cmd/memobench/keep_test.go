package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memobench/benchmarks/record"
)

// All commands that evaluate keep the same answers.
func TestKeepPredictions(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	path := filepath.Join(dir, record.PredictionsName)
	read := func() string {
		t.Helper()
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	args := with([]string{"train", "--model", "memo", "--task", "pai3", "--preset", "quick", "--out", dir, "--quiet"}, tinySizes...)
	command(with(args, "--keep-predictions")...).want(t, exitGood)
	first := read()
	if n := strings.Count(first, "\n"); n != 1+3*20 {
		t.Errorf("%d lines, want a head and 60 answers", n)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	got := command("eval", "--checkpoint", dir, "--keep-predictions")
	got.want(t, exitGood)
	if !strings.Contains(got.stdout, path) || read() != first {
		t.Errorf("eval keeps other answers, or does not say where:\n%s", got.stdout)
	}
	command("eval", "--checkpoint", dir, "--keep-predictions", "--per-kind", "7").want(t, exitUsage, "leave out --split, --per-kind")
}
