package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memobench/cmd/memobench/data"
)

// smallSets makes the tasks small.
var smallSets = map[string][]string{
	"pai3": {"--set", "classes=60"}, "sp": {"--set", "nodes=12", "--set", "targets=random"}, "babi": {"--set", "tasks=1,15"},
	"pai3-embeddings": {"--set", "classes=60", "--set", "task.features=16", "--set", "train_items=200", "--set", "validation_items=100", "--set", "test_items=100"},
}

func TestDataGenWritesWhatTheOtherCommandsRead(t *testing.T) {
	t.Chdir(t.TempDir())
	for task, set := range smallSets {
		dir := filepath.Join("below", task)
		got := command(with([]string{"data", "gen", task, "--out", dir, "--seed", "9", "--count", "30", "--quiet"}, set...)...)
		got.want(t, exitGood)
		if !strings.HasPrefix(got.stdout, dir+": "+task+", seed 9, ") || !strings.Contains(got.stdout, filepath.Join(dir, "SCHEMA.md")) {
			t.Errorf("%s: printed\n%s", task, got.stdout)
		}
		checked := command("data", "validate", dir)
		checked.want(t, exitGood)
		h, err := data.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		// Both count all files, the header too.
		n := fmt.Sprintf("%d files, ", len(h.Header.Files)+1)
		if !strings.Contains(got.stdout, " in "+n) || !strings.Contains(checked.stdout, n) {
			t.Errorf("%s: not both speak of %s\n%s%s", task, n, got.stdout, checked.stdout)
		}
		if !strings.Contains(checked.stdout, ": no errors\n") {
			t.Errorf("%s: validate printed\n%s", task, checked.stdout)
		}
		described := command("data", "stats", dir, "--quiet")
		described.want(t, exitGood)
		if strings.Contains(described.stdout, "note: ") {
			t.Errorf("%s: stats printed\n%s", task, described.stdout)
		}
		again := command(with([]string{"data", "gen", task, "--out", dir, "--quiet"}, set...)...)
		again.want(t, exitFailed, "it contains a dataset already")
	}
	// What it says of their use holds.
	command("data", "show", "babi", "--data", "below/babi", "--kind", "15").want(t, exitGood)
	command("data", "show", "pai3-npy", "--data", "below/pai3-embeddings", "--set", "scale=raw", "--set", "sequences=8").want(t, exitGood)
	command("train", "--model", "emn", "--task", "babi", "--data", "below/babi", "--set", "tasks=1,15", "--print-config").want(t, exitGood)
}

func TestDataGenPrintsTheHeaderAsJSON(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "d")
	got := command("data", "gen", "sp10-2-2", "--out", dir, "--count", "20", "--json")
	got.want(t, exitGood)
	var printed data.Header
	if err := json.Unmarshal([]byte(got.stdout), &printed); err != nil {
		t.Fatal(err)
	}
	d, err := data.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(*d.Header, printed); diff != "" || printed.Files[0].Count != 20 || printed.Files[1].Count != 2 {
		t.Errorf("-written +printed:\n%s", diff)
	}
}

// Ctrl-C leaves no file, and the message names the command.
func TestAnInterruptedDataGenLeavesNothing(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "emb")
	cmd, stderr := startAndWaitFor(t, filepath.Join(parent, ".writing-*", "train.npy"), "data", "gen", "pai3-embeddings", "--out", dir, "--count", "10", "--all-items", "--large")
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	err := cmd.Wait()
	exit, ok := err.(*exec.ExitError)
	if !ok || exit.ExitCode() != exitInterrupted {
		t.Errorf("%v, want exit status %d", err, exitInterrupted)
	}
	if want := "interrupted; nothing was written. To resume:\n  " + binary + " data gen pai3-embeddings --out " + dir + " --count 10 --all-items --large"; !strings.Contains(stderr.String(), want) {
		t.Errorf("stderr lacks %q:\n%s", want, stderr)
	}
	if left, err := os.ReadDir(parent); err != nil || len(left) > 0 {
		t.Errorf("left: %v (%v)", left, err)
	}
}

// What a killed one left is removed by the next one, and nothing else.
func TestDataGenRemovesWhatAKilledOneLeft(t *testing.T) {
	parent := t.TempDir()
	foreign := filepath.Join(parent, ".writing-mine-7")
	if err := os.Mkdir(foreign, 0o755); err != nil {
		t.Fatal(err)
	}
	large := []string{"--count", "10", "--all-items", "--large"}
	start := func(name string) *exec.Cmd {
		cmd, _ := startAndWaitFor(t, filepath.Join(parent, ".writing-"+name+"-*", "train.npy"),
			append([]string{"data", "gen", "pai3-embeddings", "--out", filepath.Join(parent, name)}, large...)...)
		return cmd
	}
	kill := func(cmd *exec.Cmd) {
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait()
	}
	kill(start("killed"))
	working := start("working")
	defer kill(working)
	command("data", "gen", "sp10-2-2", "--out", filepath.Join(parent, "next"), "--count", "10").want(t, exitGood)
	left := glob(filepath.Join(parent, ".writing-*"))
	if len(left) != 2 || left[0] != foreign || !strings.Contains(left[1], "working") {
		t.Errorf("left: %q", left)
	}
	if entries := glob(filepath.Join(parent, "next", "*")); len(entries) != 5 {
		t.Errorf("written: %q", entries)
	}
}

// What is large is not written unless that is asked for, and its size is said.
func TestALargeDataGenIsRefusedUnlessAskedFor(t *testing.T) {
	t.Chdir(t.TempDir())
	for line, want := range map[string]string{
		"pai3-embeddings":                           "10000 examples of pai3-embeddings take about 1.7 GiB: --large writes them all the same",
		"pai3-embeddings --count 1 --all-items":     "pai3-embeddings with all items takes about 4.8 GiB: --large writes it all the same, without --all-items it is less",
		"pai3 --count 90000000":                     "about ",
		"babi --count 1000000 --set tasks=1-20":     "about ",
		"pai3 --all-items":                          "--all-items is for generated embeddings, and pai3 has none",
		"babi --all-items --count 20 --set tasks=1": "--all-items is for generated embeddings, and babi has none",
	} {
		got := command(append([]string{"data", "gen", "--out", "x"}, strings.Fields(line)...)...)
		got.want(t, exitUsage, want)
	}
	if left := glob("*"); len(left) > 0 {
		t.Errorf("left: %q", left)
	}
	said := command("data", "gen", "pai3", "--out", "said", "--count", "20", "--set", "classes=60")
	said.want(t, exitGood)
	if strings.Contains(said.stderr, "takes about") {
		t.Errorf("of a small dataset: %s", said.stderr)
	}
}
