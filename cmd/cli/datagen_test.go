package cli

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
	"memobench/datasets/must"
)

// smallSets makes the tasks small.
var smallSets = map[string][]string{
	"babi":            {"--set", "tasks=1,15", "--seed", "9", "--count", "30"},
	"pai3-embeddings": {"--set", "classes=60", "--set", "task.features=16", "--set", "train_items=200", "--set", "validation_items=100", "--set", "test_items=100"},
}

func TestDataGenWritesWhatTheOtherCommandsRead(t *testing.T) {
	t.Chdir(t.TempDir())
	for task, set := range smallSets {
		dir := filepath.Join("below", task)
		got := command(with([]string{"data", "gen", task, "--out", dir, "--quiet"}, set...)...).want(t, exitGood)
		if !strings.HasPrefix(got.stdout, dir+": "+task+", seed ") || !strings.Contains(got.stdout, filepath.Join(dir, "SCHEMA.md")) {
			t.Errorf("%s: printed\n%s", task, got.stdout)
		}
		checked := command("data", "validate", dir).want(t, exitGood)
		h := must.Get(data.Open(dir))(t)
		// Both count all files, the header too.
		n := fmt.Sprintf("%d files, ", len(h.Header.Files)+1)
		if !strings.Contains(got.stdout, " in "+n) || !strings.Contains(checked.stdout, n) {
			t.Errorf("%s: not both speak of %s\n%s%s", task, n, got.stdout, checked.stdout)
		}
		if !strings.Contains(checked.stdout, ": no errors\n") {
			t.Errorf("%s: validate printed\n%s", task, checked.stdout)
		}
		command(with([]string{"data", "gen", task, "--out", dir, "--quiet"}, set...)...).want(t, exitFailed, "it contains a dataset already")
	}
	// What it says of their use holds.
	command("data", "stats", "below/babi", "--quiet").want(t, exitGood)
	command("data", "show", "babi", "--data", "below/babi", "--kind", "15").want(t, exitGood)
	command("data", "show", "pai3-npy", "--data", "below/pai3-embeddings", "--set", "scale=raw", "--set", "sequences=8").want(t, exitGood)
	command("train", "--model", "emn", "--task", "babi", "--data", "below/babi", "--set", "tasks=1,15", "--print-config").want(t, exitGood)
}

func TestDataExportPrintsTheHeaderAsJSON(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "d")
	got := command("data", "export", "sp10-2-2", "--out", dir, "--set", "test_per_kind=20", "--set", "validation_per_kind=2", "--json").want(t, exitGood)
	var printed data.Header
	must.Do(t, json.Unmarshal([]byte(got.stdout), &printed))
	d := must.Get(data.Open(dir))(t)
	if diff := cmp.Diff(*d.Header, printed); diff != "" || printed.Files[0].Count != 2 || printed.Files[1].Count != 20 {
		t.Errorf("-written +printed:\n%s", diff)
	}
}

// Ctrl-C leaves no file, and the message names the command.
func TestAnInterruptedDataGenLeavesNothing(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "emb")
	cmd, stderr := startAndWaitFor(t, filepath.Join(parent, ".writing-*", "train.npy"), "data", "gen", "pai3-embeddings", "--out", dir, "--large")
	must.Do(t, cmd.Process.Signal(syscall.SIGINT))
	err := cmd.Wait()
	exit, ok := err.(*exec.ExitError)
	if !ok || exit.ExitCode() != exitInterrupted {
		t.Errorf("%v, want exit status %d", err, exitInterrupted)
	}
	if want := "interrupted; nothing was written. To resume:\n  " + binary + " data gen pai3-embeddings --out " + dir + " --large"; !strings.Contains(stderr.String(), want) {
		t.Errorf("stderr lacks %q:\n%s", want, stderr)
	}
	if left, err := os.ReadDir(parent); err != nil || len(left) > 0 {
		t.Errorf("left: %v (%v)", left, err)
	}
}

// The next run removes the leftovers of a killed one, and nothing else.
func TestDataGenRemovesWhatAKilledOneLeft(t *testing.T) {
	parent := t.TempDir()
	foreign := filepath.Join(parent, ".writing-mine-7")
	must.Do(t, os.Mkdir(foreign, 0o755))
	large := []string{"--large"}
	start := func(name string) *exec.Cmd {
		cmd, _ := startAndWaitFor(t, filepath.Join(parent, ".writing-"+name+"-*", "train.npy"),
			append([]string{"data", "gen", "pai3-embeddings", "--out", filepath.Join(parent, name)}, large...)...)
		return cmd
	}
	kill := func(cmd *exec.Cmd) {
		must.Do(t, cmd.Process.Kill())
		_ = cmd.Wait()
	}
	kill(start("killed"))
	working := start("working")
	defer kill(working)
	command("data", "gen", "babi", "--set", "tasks=1", "--out", filepath.Join(parent, "next"), "--count", "10").want(t, exitGood)
	left := glob(filepath.Join(parent, ".writing-*"))
	if len(left) != 2 || left[0] != foreign || !strings.Contains(left[1], "working") {
		t.Errorf("left: %q", left)
	}
	if entries := glob(filepath.Join(parent, "next", "*")); len(entries) != 5 {
		t.Errorf("written: %q", entries)
	}
}

// Large data are written only with a flag, and their size is printed.
func TestWhatIsLargeIsRefusedUnlessAskedFor(t *testing.T) {
	t.Chdir(t.TempDir())
	for line, want := range map[string]string{
		"gen pai3-embeddings":                       "pai3-embeddings takes about 4.8 GiB: --large writes it all the same",
		"gen babi --count 1000000 --set tasks=1-20": "about ",
		"export pai3 --steps 90000000":              "about ",
		"gen pai3":                                  "pai3 has no files of its own format; memobench data export pai3 writes its examples",
		"gen pai3-embeddings --count 20":            "data gen: --count is for stories",
		"export babi --steps 3 --preset babi":       "--steps 0 writes the questions alone, --set mixture=uniform batches of another protocol",
		"export pai3 --as csv":                      `unknown format "csv"`,
		"export pai3 --split test":                  "--split is for --out -",
	} {
		command(append([]string{"data"}, append(strings.Fields(line), "--out", "x")...)...).want(t, exitUsage, want)
	}
	if left := glob("*"); len(left) > 0 {
		t.Errorf("left: %q", left)
	}
}
