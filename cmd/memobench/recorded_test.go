package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memobench/benchmarks/record"
)

var update = flag.Bool("update", false, "write README.md's tables anew")

// recorded is where the runs lie that README.md's numbers come from.
var recorded = filepath.Join(root, "benchmarks", "recorded")

// TestREADMETableIsRecorded holds the README's table against the recorded runs
// that it comes from.
func TestREADMETableIsRecorded(t *testing.T) {
	var stdout, stderr bytes.Buffer
	t.Setenv("LC_ALL", "C.UTF-8")
	if status := run([]string{"table", filepath.Join(recorded, "quick")}, &stdout, &stderr); status != 0 {
		t.Fatalf("exit status %d: %s", status, stderr.String())
	}
	holdREADME(t, "table:quick", "```text\n"+strings.TrimSpace(stdout.String())+"\n```\n")
}

// findings are the lines of the README's table of what was found on PAI 3:
// what was run, and the folders of its seeds.
var findings = []struct {
	what string
	dirs []string
}{
	{"MEMO", []string{"pai3-memo-0", "pai3-memo-1", "pai3-memo-2"}},
	{"MEMO, rows in generation order", []string{"pai3-memo-generation"}},
	{"MEMO, items in random order", []string{"pai3-memo-items-random"}},
	{"EMN, 4 hops", []string{"pai3-emn4-0"}},
	{"EMN, 4 hops", []string{"pai3-emn4-40000"}},
	{"EMN, 4 hops, at the small size of `quick`", []string{"quick-emn4-20000"}},
	{"MEMO that learns when to halt (at most 5 hops), at the small size of `quick`", []string{"quick-memo-reinforce-0", "quick-memo-reinforce-1", "quick-memo-reinforce-2"}},
	{"the same with adaptive computation time", []string{"quick-memo-act-0"}},
}

// TestREADMEFindingsAreRecorded does the same for that table.
func TestREADMEFindingsAreRecorded(t *testing.T) {
	var b strings.Builder
	b.WriteString("| PAI, chains of 3 | Steps | Seeds | Hops | A-B | B-C | A-C |\n|---|---|---|---|---|---|---|\n")
	for _, f := range findings {
		sum := map[string]float64{}
		steps, hops := 0, 0.0
		for _, dir := range f.dirs {
			r, err := record.ReadFile(filepath.Join(recorded, "standard", dir, record.FileName))
			if err != nil {
				t.Fatal(err)
			}
			steps = r.Training.Steps
			if r.Evaluation.Hops == nil {
				t.Fatalf("%s: no hops", dir)
			}
			hops += *r.Evaluation.Hops / float64(len(f.dirs))
			for _, k := range r.Evaluation.Kinds {
				sum[k.Name] += 100 * float64(k.Correct) / float64(k.Total) / float64(len(f.dirs))
			}
		}
		fmt.Fprintf(&b, "| %s | %d | %d | %.2f | %.1f | %.1f | %.1f |\n", f.what, steps, len(f.dirs), hops, sum["A-B"], sum["B-C"], sum["A-C"])
	}
	holdREADME(t, "table:findings", b.String())
}

// TestREADMEBabiIsRecorded does the same for the table of bAbI.
func TestREADMEBabiIsRecorded(t *testing.T) {
	var b strings.Builder
	b.WriteString("| bAbI, 20 tasks | Steps | Minutes, one core | Mean error, % | Solved (above 95 %) |\n|---|---|---|---|---|\n")
	for _, dir := range []string{"memo-0", "emn-0"} {
		r, err := record.ReadFile(filepath.Join(recorded, "babi", dir, record.FileName))
		if err != nil {
			t.Fatal(err)
		}
		failed, solved := 0.0, 0
		for _, k := range r.Evaluation.Kinds {
			accuracy := float64(k.Correct) / float64(k.Total)
			failed += 100 * (1 - accuracy) / float64(len(r.Evaluation.Kinds))
			if accuracy > 0.95 {
				solved++
			}
		}
		fmt.Fprintf(&b, "| %s | %d | %.0f | %.1f | %d |\n", strings.ToUpper(r.Identity.Model), r.Training.Steps, r.Times.CPUSeconds/60, failed, solved)
	}
	holdREADME(t, "table:babi", b.String())
}

// holdREADME compares what stands between the marks of a name with want, or
// writes it there with -update.
func holdREADME(t *testing.T, name, want string) {
	t.Helper()
	begin, end := "<!-- "+name+" -->\n", "<!-- /"+name+" -->"
	path := filepath.Join(root, "README.md")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(data), begin)
	have, after, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatalf("README.md lacks %q or %q", begin, end)
	}
	if have == want {
		return
	}
	if !*update {
		t.Fatalf("README.md's %s is not what benchmarks/recorded gives; run this test with -update\nwant:\n%s", name, want)
	}
	if err := os.WriteFile(path, []byte(before+begin+want+end+after), 0o666); err != nil {
		t.Fatal(err)
	}
}
