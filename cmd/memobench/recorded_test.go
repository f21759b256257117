package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"memobench/benchmarks"
	"memobench/benchmarks/record"
	"memobench/benchmarks/scaling"
)

// TestTablesOfMakeRunAreRecorded holds the documents' tables of make run against the
// recorded runs that they come from.
func TestTablesOfMakeRunAreRecorded(t *testing.T) {
	t.Setenv("LC_ALL", "C.UTF-8")
	for _, table := range []struct {
		document, name string
		tasks          []string
	}{
		{readme, "table:quick", []string{"pai3-*"}},
		{findings, "table:quick-others", []string{"sp10-2-2-*", "babi-*"}},
	} {
		var text strings.Builder
		for _, task := range table.tasks {
			dirs, err := filepath.Glob(filepath.Join(recorded, "quick", task))
			if err != nil || dirs == nil {
				t.Fatalf("no recorded runs %s (%v)", task, err)
			}
			var stdout, stderr bytes.Buffer
			if status := run(append([]string{"table"}, dirs...), &stdout, &stderr); status != 0 {
				t.Fatalf("exit status %d: %s", status, stderr.String())
			}
			text.WriteString("```text\n" + strings.TrimSpace(stdout.String()) + "\n```\n")
		}
		holdTable(t, table.document, table.name, text.String())
	}
}

// finding is a line of a table of what was found on PAI 3: what was run, and the
// folders of its seeds.
type finding struct {
	what string
	dirs []string
}

// atPaperSize compares how long the networks take to learn.
func atPaperSize(t *testing.T) []finding {
	runs := reproduced(t)
	dirs := func(label string) []string {
		var list []string
		for _, r := range pick(runs, "pai3", label) {
			dir, err := filepath.Rel(recorded, r.dir)
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, dir)
		}
		slices.Sort(list)
		return list
	}
	return []finding{
		{"MEMO", dirs("memo")},
		{"DNC", dirs("dnc")},
		{"UT", dirs("ut")},
		{"UT from a neutral start", []string{"standard/pai3-ut-neutral"}},
		{"the same, 2 recurrent steps, rate 1e-3", []string{"standard/pai3-ut-neutral-2"}},
		{"EMN, 4 hops", dirs("emn4")},
		{"EMN, 4 hops, longer", []string{"standard/pai3-emn4-40000"}},
	}
}

var atSmallSize = []finding{
	{"MEMO, 3 hops (as in `quick`)", []string{"small/memo-0"}},
	{"MEMO that learns when to halt: the paper's policy", []string{"small/memo-reinforce-0", "small/memo-reinforce-1", "small/memo-reinforce-2"}},
	{"the same by adaptive computation time, ponder cost 0.01", []string{"small/memo-act-0", "small/memo-act-1", "small/memo-act-2"}},
	{"the same without ponder cost", []string{"small/memo-act-free-0"}},
	{"the same, its halting network ten times faster", []string{"small/memo-act-fast-0"}},
	{"UT, 4 steps", []string{"small/ut4-0"}},
	{"UT, 4 steps, dropout 0.1", []string{"small/ut4-dropout-0"}},
	{"DNC, 192 units, 1 pondering step", []string{"small/dnc-ponder1-0"}},
	{"DNC as in `quick`: 128 units, no pondering step", []string{"small/dnc-0"}},
	{"the same with neutral initial values", []string{"small/dnc-neutral-0"}},
	{"EMN, 4 hops", []string{"small/emn4-20000"}},
}

// TestTablesOfFindingsAreRecorded does the same for these tables.
func TestTablesOfFindingsAreRecorded(t *testing.T) {
	holdTable(t, findings, "table:findings", findingsTable(t, atPaperSize(t)))
	holdTable(t, findings, "table:small", findingsTable(t, atSmallSize))
}

// learned is the accuracy on A-C, in per cent, at which it counts as learned.
const learned = 95

func findingsTable(t *testing.T, findings []finding) string {
	t.Helper()
	var b strings.Builder
	fmt.Fprintf(&b, "| PAI, chains of 3 | Steps | Seeds | Hops | A-B | B-C | A-C | A-C above %d %% from step |\n|---|---|---|---|---|---|---|---|\n", learned)
	for _, f := range findings {
		n := float64(len(f.dirs))
		sum := map[string]float64{}
		steps, hops := 0, 0.0
		var from []string
		for _, dir := range f.dirs {
			r, err := record.ReadFile(filepath.Join(recorded, dir, record.FileName))
			if err != nil {
				t.Fatal(err)
			}
			steps = r.Training.Steps
			if h := r.Evaluation.Hops; h != nil {
				hops += *h / n
			}
			for _, k := range r.Evaluation.Kinds {
				sum[k.Name] += 100 * float64(k.Correct) / float64(k.Total) / n
			}
			from = append(from, learnedFrom(t, filepath.Join(recorded, dir)))
		}
		reads := "–"
		if hops > 0 {
			reads = fmt.Sprintf("%.2f", hops)
		}
		fmt.Fprintf(&b, "| %s | %d | %d | %s | %.1f | %.1f | %.1f | %s |\n", f.what, steps, len(f.dirs), reads,
			sum["A-B"], sum["B-C"], sum["A-C"], strings.Join(slices.Compact(from), ", "))
	}
	return b.String()
}

// learnedFrom returns the step from which on every evaluation on the validation
// split has A-C above learned.
func learnedFrom(t *testing.T, dir string) string {
	t.Helper()
	curve, err := record.ReadCurve(filepath.Join(dir, benchmarks.CurveName))
	if err != nil {
		t.Fatal(err)
	}
	from := "never"
	for _, e := range slices.Backward(curve) {
		for _, k := range e.Kinds {
			if k.Name == "A-C" && 100*k.Correct <= learned*k.Total {
				return from
			}
		}
		from = fmt.Sprint(e.Step)
	}
	return from
}

// TestTableOfOtherTasksIsRecorded does the same for MEMO's single runs on other
// tasks.
func TestTableOfOtherTasksIsRecorded(t *testing.T) {
	var b strings.Builder
	b.WriteString("| MEMO on | Steps | CPU minutes | Accuracy, % |\n|---|---|---|---|\n")
	for _, f := range []finding{
		{"PAI on generated embeddings, 100 classes, 8 sequences", []string{"small/embeddings-memo-0"}},
		{"bAbI tasks 1 and 15, official files", []string{"small/babi-official-memo-0"}},
	} {
		r, err := record.ReadFile(filepath.Join(recorded, f.dirs[0], record.FileName))
		if err != nil {
			t.Fatal(err)
		}
		var parts []string
		for _, k := range r.Evaluation.Kinds {
			percent := func(correct int) float64 { return 100 * float64(correct) / float64(k.Total) }
			parts = append(parts, fmt.Sprintf("%s %.1f", k.Name, percent(k.Correct)))
			for _, a := range k.Answers {
				parts = append(parts, fmt.Sprintf("%s %.1f", a.Name, percent(a.Correct)))
			}
		}
		fmt.Fprintf(&b, "| %s | %d | %.1f | %s |\n", f.what, r.Training.Steps, r.Times.CPUSeconds/60, strings.Join(parts, ", "))
	}
	holdTable(t, findings, "table:other-tasks", b.String())
}

// TestTableOfSlopesIsRecorded does the same for the slopes of times over I.
func TestTableOfSlopesIsRecorded(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(recorded, "scaling", "scaling.json"))
	if err != nil {
		t.Fatal(err)
	}
	var r scaling.Report
	if err := json.Unmarshal(text, &r); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	b.WriteString("| slope, with 95 % interval | prediction | training |\n|---|---|---|\n")
	for i, s := range r.Series {
		if i%2 == 0 {
			fmt.Fprintf(&b, "| %s |", s.Title)
		}
		fmt.Fprintf(&b, " %.2f (%.2f to %.2f), I = %d to %d |", s.Slope.Value, s.Slope.Low, s.Slope.High, s.Slope.From, s.Slope.To)
		if i%2 == 1 {
			b.WriteString("\n")
		}
	}
	holdTable(t, speed, "table:slopes", b.String())
}

// TestTableOfBabiIsRecorded does the same for the table of bAbI.
func TestTableOfBabiIsRecorded(t *testing.T) {
	var b strings.Builder
	b.WriteString("| bAbI, 20 tasks | Steps | CPU minutes | Mean error, % | paper | Solved (above 95 %) | paper | Lowest tasks |\n|---|---|---|---|---|---|---|---|\n")
	for _, row := range []struct{ recipe, dir string }{
		{"MEMO, 4 heads of 512, rate 2e-4, uniform mixture", "memo-0"},
		{"MEMO, 8 heads of 32, adaptive mixture, linear start on task 16", "memo-linear-0"},
		{"MEMO, the same, the task of the linear start by rule", "memo-rule-0"},
		{"MEMO, the same by rule, empty rows and weight decay", "memo-rule-regularized-0"},
		{"MEMO, 8 heads of 32, adaptive mixture, half of the heads linear", "memo-mixed-0"},
		{"EMN, uniform mixture, rate from the first step", "emn-0"},
		{"EMN, uniform mixture", "emn-uniform-0"},
		{"EMN, adaptive mixture", "emn-adaptive-0"},
		{"EMN, adaptive mixture, linear start on all tasks", "emn-linear-0"},
	} {
		r, err := record.ReadFile(filepath.Join(recorded, "babi", row.dir, record.FileName))
		if err != nil {
			t.Fatal(err)
		}
		accuracy := func(k record.Kind) float64 { return 100 * float64(k.Correct) / float64(k.Total) }
		failed, solved := 0.0, 0
		for _, k := range r.Evaluation.Kinds {
			failed += (100 - accuracy(k)) / float64(len(r.Evaluation.Kinds))
			if accuracy(k) > 95 {
				solved++
			}
		}
		kinds := slices.SortedStableFunc(slices.Values(r.Evaluation.Kinds), func(x, y record.Kind) int { return cmp.Compare(accuracy(x), accuracy(y)) })
		var lowest []string
		for _, k := range kinds[:3] {
			lowest = append(lowest, fmt.Sprintf("%s: %.1f", k.Name, accuracy(k)))
		}
		fmt.Fprintf(&b, "| %s | %s | %.0f | %.2f | %s | %d | %s | %s |\n", row.recipe, thousands(r.Training.Steps), r.Times.CPUSeconds/60,
			failed, printed(3, "babi", "mean error", r.Identity.Model), solved, printed(3, "babi", "tasks solved", r.Identity.Model), strings.Join(lowest, ", "))
	}
	holdTable(t, findings, "table:babi", b.String())
}

// TestTableOfTransferIsRecorded does the same for the table of stories that a
// network was trained on against those that it was tested on.
func TestTableOfTransferIsRecorded(t *testing.T) {
	kinds := []string{"simulated", "official"}
	accuracy := map[[2]string]map[string]float64{}
	var names []string
	for _, trained := range kinds {
		for _, tested := range kinds {
			data, err := os.ReadFile(filepath.Join(recorded, "transfer", "emn-"+trained, "eval-"+tested+".json"))
			if err != nil {
				t.Fatal(err)
			}
			var judged struct{ Evaluation record.Evaluation }
			if err := json.Unmarshal(data, &judged); err != nil {
				t.Fatal(err)
			}
			percent := map[string]float64{}
			names = names[:0]
			for _, k := range judged.Evaluation.Kinds {
				percent[k.Name] = 100 * float64(k.Correct) / float64(k.Total)
				names = append(names, k.Name)
			}
			accuracy[[2]string{trained, tested}] = percent
		}
	}
	line := func(b *strings.Builder, what string, value func(map[string]float64) float64) {
		fmt.Fprintf(b, "| %s |", what)
		for _, trained := range kinds {
			for _, tested := range kinds {
				fmt.Fprintf(b, " %.1f |", value(accuracy[[2]string{trained, tested}]))
			}
		}
		b.WriteString("\n")
	}
	var b strings.Builder
	b.WriteString("| Task | trained and tested on simulated stories | trained on simulated, tested on official | trained on official, tested on simulated | trained and tested on official |\n|---|---|---|---|---|\n")
	for _, name := range names {
		line(&b, name, func(percent map[string]float64) float64 { return percent[name] })
	}
	line(&b, "mean", func(percent map[string]float64) float64 {
		sum := 0.0
		for _, p := range percent {
			sum += p
		}
		return sum / float64(len(percent))
	})
	holdTable(t, findings, "table:transfer", b.String())
}
