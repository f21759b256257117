package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memobench/benchmarks/evaluate/trace"
	"memobench/datasets/must"
)

func TestReportWritesEveryFormatWithTheAttentionThatWasTraced(t *testing.T) {
	dir := t.TempDir()
	runs, out := filepath.Join(dir, "runs"), filepath.Join(dir, "out")
	run := filepath.Join(runs, "memo")
	trainTiny(t, "memo", run)
	trainTiny(t, "dnc", filepath.Join(runs, "dnc"), "--set", "protocol.steps=2", "--set", "evaluate_every=2")

	file := filepath.Join(run, trace.FileName)
	looked := command("attention", "--checkpoint", run, "--kind", "A-C", "--question", "2", "--out", file).want(t, exitGood)
	if !strings.HasPrefix(looked.stdout, "A-C: ") || !strings.Contains(looked.stdout, "hop 3") {
		t.Errorf("attention prints\n%s", looked.stdout)
	}
	tr, err := trace.Read(file)
	if err != nil || tr.Kind != "A-C" || len(tr.Rows) != 8 || len(tr.Answers) != 1 || len(tr.Answers[0].Hops) != 3 || tr.Step != 30 {
		t.Fatalf("%+v, %v", tr, err)
	}
	deep := filepath.Join(dir, "not", "there", "yet.trace.json")
	command("attention", "--checkpoint", run, "--out", deep).want(t, exitGood)
	if _, err := trace.Read(deep); err != nil {
		t.Error(err)
	}
	other := command("attention", "--checkpoint", run, "--kind", "A-C")
	if other.stdout == looked.stdout {
		t.Error("questions 0 and 2 are the same")
	}
	command("attention", "--checkpoint", run, "--question", "10000").want(t, exitUsage, "from 0 to 9999")
	command("attention", "--checkpoint", run, "--kind", "A-D").want(t, exitUsage, "unknown kind of question \"A-D\"")
	command("attention", "--checkpoint", filepath.Join(runs, "dnc")).want(t, exitFailed, "a dnc does not show its attention")

	command("report", runs, "--out", out).want(t, exitGood)
	for _, name := range []string{"report.txt", "report.md", "report.tex", "report.html", "tables.csv", "tables.json", "runs.csv",
		"figures/figure-2.svg", "figures/figure-2.png", "figures/figure-3a.svg"} {
		if info, err := os.Stat(filepath.Join(out, name)); err != nil || info.Size() < 500 {
			t.Errorf("%s: %v", name, err)
		}
	}
	printed := command("report", runs, "--format", "markdown").want(t, exitGood)
	if file, err := os.ReadFile(filepath.Join(out, "report.md")); err != nil || printed.stdout != string(file) {
		t.Errorf("printed and written Markdown differ (%v)", err)
	}
}

// Ctrl-C while the files are written does not leave a mixture of two reports.
func TestInterruptedReportIsWhole(t *testing.T) {
	runs, dir := quick, t.TempDir()
	whole, out := filepath.Join(dir, "whole"), filepath.Join(dir, "out")
	process(t, "report", runs, "--out", whole).want(t, exitGood)
	cmd, stderr := startAndWaitFor(t, filepath.Join(out, "report.*"), "report", runs, "--out", out)
	must.Do(t, cmd.Process.Signal(os.Interrupt))
	if err := cmd.Wait(); err != nil {
		t.Errorf("%v\n%s", err, stderr)
	}
	for _, pattern := range []string{"*", "*/*"} {
		if want, got := glob(filepath.Join(whole, pattern)), glob(filepath.Join(out, pattern)); len(want) == 0 || len(got) != len(want) {
			t.Errorf("%d of %d files %s", len(got), len(want), pattern)
		}
	}
}
