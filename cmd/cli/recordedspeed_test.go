package cli

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"memobench/benchmarks/scaling"
	"memobench/benchmarks/scaling/slope"
	"memobench/datasets/must"
)

// The guide's tables of times next to PyTorch, of the share of a matrix product and of the cost of a
// hop are the recorded measurements.
func TestTablesOfSpeedAreRecorded(t *testing.T) {
	checkTable(t, "table:ratios", ratiosTable(t))
	checkTable(t, "table:gpu", gpuTable(t))
	checkTable(t, "table:sgemm", sgemmTable(t))
	checkTable(t, "table:roofline", rooflineTable(t))

	text := must.Get(os.ReadFile(filepath.Join(recorded, "halting", "bench.txt")))(t)
	head, line := "| Examples stop after hop |", "| CPU ms |"
	hops := regexp.MustCompile(`(?m)^BenchmarkHalting/hops=(\w+?)(?:-\d+)?\s.*\s(\d+) cpu-ns/op`).FindAllStringSubmatch(string(text), -1)
	for _, m := range hops {
		ns := must.Get(strconv.ParseFloat(m[2], 64))(t)
		head += " " + strings.Replace(m[1], "1and5", "half 1, half 5", 1) + " |"
		line += fmt.Sprintf(" %.1f |", ns/1e6)
	}
	if len(hops) != 6 {
		t.Fatalf("%d lines of BenchmarkHalting, want 6", len(hops))
	}
	checkTable(t, "table:halting", head+"\n"+strings.Repeat("|---", 7)+"|\n"+line+"\n")
}

// recordedStep returns a value of a recorded benchmark by its unit.
func recordedStep(t *testing.T, name, unit string) (float64, bool) {
	text := must.Get(os.ReadFile(filepath.Join(recorded, "steps", "bench.txt")))(t)
	m := regexp.MustCompile(`(?m)^Benchmark` + name + `(?:-\d+)?\s.*\s([\d.e+]+) ` + unit).FindSubmatch(text)
	if m == nil {
		return 0, false
	}
	return must.Get(strconv.ParseFloat(string(m[1]), 64))(t), true
}

// sgemmTable is the share of the speed of a matrix product at which models train.
func sgemmTable(t *testing.T) string {
	var b strings.Builder
	b.WriteString("| Training step of | PAI, chains of 3 | shortest paths, 20-5-3 | bAbI |\n|---|---|---|---|\n")
	for _, model := range []struct{ name, title string }{{"memo", "MEMO"}, {"memo-babi", "MEMO of `make babi`"}, {"emn4", "EMN, 4 hops"}, {"dnc", "DNC"}, {"ut", "UT"}} {
		b.WriteString("| " + model.title)
		for _, task := range []string{"pai3", "sp20-5-3", "babi"} {
			v, ok := recordedStep(t, "TrainStep/model="+model.name+"/task="+task, "of-sgemm")
			switch {
			case ok:
				fmt.Fprintf(&b, " | %.0f", 100*v)
			case model.name == "memo-babi":
				b.WriteString(" | –")
			default:
				t.Errorf("no share of %s on %s", model.name, task)
			}
		}
		b.WriteString(" |\n")
	}
	return b.String()
}

// rooflineTable has the time of the training steps of the most expensive runs next to the
// least times that the speed of products and the speed of memory allow.
func rooflineTable(t *testing.T) string {
	value := func(name, unit string) float64 {
		t.Helper()
		v, ok := recordedStep(t, name, unit)
		if !ok {
			t.Fatalf("no %s of %s", unit, name)
		}
		return v
	}
	var b strings.Builder
	b.WriteString("| Training step of | GFLOP | MB in use | ms of products | ms of memory | CPU ms | share of product speed, % |\n" + strings.Repeat("|---", 7) + "|\n")
	for _, row := range [][2]string{{"DNC, 20-5-3", "dnc-tuned/task=sp20-5-3"}, {"DNC, 20-3-3", "dnc-tuned/task=sp20-3-3"}, {"DNC, chains of 5", "dnc-tuned/task=pai5"}, {"UT, chains of 5", "ut-tuned/task=pai5"}, {"UT, 20-5-3", "ut-tuned/task=sp20-5-3"}, {"MEMO, bAbI", "memo-babi/task=babi"}, {"EMN, bAbI", "emn-tuned/task=babi"}} {
		name := "TrainStep/model=" + row[1]
		flop, ms, share, held := value(name, "FLOP/op"), value(name, "cpu-ns/op")/1e6, value(name, "of-sgemm"), value(name, "held-B/op")/1e6
		fmt.Fprintf(&b, "| %s | %.2f | %.0f | %.1f | %.1f | %.1f | %.0f |\n", row[0], flop/1e9, held, share*ms, 2*held/value("Copy", "MB/s")*1e3, ms, 100*share)
	}
	return b.String()
}

// peersFile is what tools/peers writes with --json.
type peersFile struct {
	Results []struct {
		Model, Task string
		Wall        []float64
		Peers       []struct {
			Rows     string
			Fastest  bool
			Wall     []float64
			CPURatio float64 `json:"cpu_ratio"`
		}
	}
}

func readPeers(t *testing.T, name string) (file peersFile) {
	t.Helper()
	must.Do(t, json.Unmarshal(must.Get(os.ReadFile(filepath.Join(recorded, "peers", name)))(t), &file))
	return file
}

// ratiosTable is the CPU time of a training step, ours to that of PyTorch's
// faster form on the same rows: of PyTorch 1.13, of 2.6, and of 2.6 compiled.
func ratiosTable(t *testing.T) string {
	ratios := map[[2]string]*[3]string{}
	for i, file := range []string{"threads-1.json", "torch-2.6.json", "torch-2.6-compiled.json"} {
		for _, r := range readPeers(t, file).Results {
			cell := [2]string{r.Task, r.Model}
			if ratios[cell] == nil {
				ratios[cell] = &[3]string{"–", "–", "–"}
			}
			for _, p := range r.Peers {
				if p.Fastest && p.Rows == "packed" {
					ratios[cell][i] = fmt.Sprintf("%.2f", p.CPURatio)
				}
			}
		}
	}
	cells := map[[2]string]string{}
	for cell, r := range ratios {
		cells[cell] = strings.Join(r[:], " / ")
	}
	return stepsTable(t, []string{"memo", "emn4", "dnc", "ut"}, cells)
}

// gpuTable is the wall time of a training step in milliseconds, ours and that
// of PyTorch's fastest form on a GPU.
func gpuTable(t *testing.T) string {
	times := map[[2]string]string{}
	ms := func(seconds float64) string {
		if seconds < 0.1 {
			return fmt.Sprintf("%.1f", 1e3*seconds)
		}
		return fmt.Sprintf("%.0f", 1e3*seconds)
	}
	for _, r := range readPeers(t, "gpu.json").Results {
		best := math.Inf(1)
		for _, p := range r.Peers {
			best = min(best, slope.Median(p.Wall))
		}
		times[[2]string{r.Task, r.Model}] = ms(slope.Median(r.Wall)) + " / " + ms(best)
	}
	return stepsTable(t, []string{"memo", "memo-paper", "emn4", "dnc", "ut"}, times)
}

// stepsTable has a cell for each task and model; – where only MEMO at the
// paper's size has none.
func stepsTable(t *testing.T, models []string, cells map[[2]string]string) string {
	titles := map[string]string{"memo": "MEMO", "memo-paper": "MEMO, paper's size", "emn4": "EMN", "dnc": "DNC", "ut": "UT"}
	var b strings.Builder
	b.WriteString("| Training step on |")
	for _, model := range models {
		b.WriteString(" " + titles[model] + " |")
	}
	b.WriteString("\n" + strings.Repeat("|---", len(models)+1) + "|\n")
	for _, task := range []struct{ name, title string }{{"pai3", "PAI, chains of 3"}, {"sp20-5-3", "shortest paths, 20-5-3"}, {"babi", "bAbI"}} {
		b.WriteString("| " + task.title)
		for _, model := range models {
			cell, ok := cells[[2]string{task.name, model}]
			if !ok && model != "memo-paper" {
				t.Errorf("nothing for %s on %s", model, task.name)
			}
			b.WriteString(" | " + cmp.Or(cell, "–"))
		}
		b.WriteString(" |\n")
	}
	return b.String()
}

// The guide's slopes of times over the number of memory rows are those of the recorded report.
func TestTableOfSlopesIsRecorded(t *testing.T) {
	text := must.Get(os.ReadFile(filepath.Join(recorded, "scaling", "scaling.json")))(t)
	var r scaling.Report
	must.Do(t, json.Unmarshal(text, &r))
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
	checkTable(t, "table:slopes", b.String())
}
