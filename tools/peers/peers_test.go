package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"memobench/benchmarks/record"
)

// executable writes a shell script and returns its path.
func executable(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

// Programs that answer as the real ones do: our step takes 10 ms of 20, with more
// threads 16, the literal form 40, padded rows 200, any other 25.
const (
	fakeBenchmarks = `echo "blas: OpenBLAS 1.2.3 (Core)"; echo "goos: linux"
case $OPENBLAS_NUM_THREADS in 1) ms=20;; *) ms=16;; esac
echo "BenchmarkTrainStep/model=x/task=y-2 100 ${ms}000000 ns/op 10000000 cpu-ns/op 64 examples/s 0 B/op"`
	fakePython = `case $1 in -c) echo 9.9; exit;; esac
case $(cat) in *'"form":"literal"'*) ms=40;; *'"rows":"padded"'*) ms=200;; *) ms=25;; esac
echo "{\"wall_ns\": ${ms}000000, \"cpu_ns\": ${ms}000000, \"blas\": \"BLAS\"}"`
)

// fakes returns the flags of a race between the fakes; blas is PyTorch's.
func fakes(t *testing.T, blas string) []string {
	return []string{
		"--benchmarks", executable(t, "benchmarks.test", fakeBenchmarks), "--directory", t.TempDir(), "--script", "step.py",
		"--python", executable(t, "python", strings.ReplaceAll(fakePython, "BLAS", blas)), "--rounds", "3",
	}
}

func TestRacePrintsMediansAndRatios(t *testing.T) {
	var out, log bytes.Buffer
	if status := run(append(fakes(t, "OpenBLAS 1.2.3 (Core)"), "--only", "memo/pai3,emn4/pai3"), &out, &log); status != 0 {
		t.Fatalf("status %d\n%s", status, &log)
	}
	text := strings.Join(strings.Fields(out.String()), " ")
	for _, want := range []string{
		"ours beside PyTorch 9.9.", "threads of each side: 1.", "BLAS of both: OpenBLAS 1.2.3 (Core).", "Medians of 3 interleaved runs",
		"│ pai3 │ MEMO │ literal │ │ 10.0 │ 40.0 │ 0.25 (0.25-0.25) │ 20.0 │ 40.0 │ 0.50 (0.50-0.50) │ │",
		"│ pai3 │ MEMO │ associative │ │ 10.0 │ 25.0 │ 0.40 (0.40-0.40) │ 20.0 │ 25.0 │ 0.80 (0.80-0.80) │ 0.5 met │",
		"│ pai3 │ EMN, 4 hops │ │ │ 10.0 │ 25.0 │",
		"Target: for the faster form, by CPU time.",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, &out)
		}
	}
	if !strings.Contains(log.String(), "round 3 of 3: emn4/pai3") {
		t.Errorf("progress:\n%s", &log)
	}
}

// With several threads a clock decides, and 16 ms beside 25 miss 0.5.
func TestTargetsAreAboutWallTimeWithThreads(t *testing.T) {
	var out, log bytes.Buffer
	if status := run(append(fakes(t, "B"), "--only", "memo/pai3", "--threads", "2"), &out, &log); status != 0 {
		t.Fatalf("status %d\n%s", status, &log)
	}
	for _, want := range []string{"0.5 missed", "by wall time"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, &out)
		}
	}
}

func TestSlowPairingsGetFewerRounds(t *testing.T) {
	var out, log bytes.Buffer
	if status := run(append(fakes(t, "B"), "--only", "emn4/pai3", "--slow", "1ns"), &out, &log); status != 0 {
		t.Fatalf("status %d\n%s", status, &log)
	}
	if text := log.String(); !strings.Contains(text, "round 2 of 3: emn4/pai3") || strings.Contains(text, "round 3") {
		t.Errorf("rounds:\n%s", text)
	}
	if !strings.Contains(out.String(), "Fewer rounds than the others, 2, because one takes long: emn4/pai3.") {
		t.Errorf("table:\n%s", &out)
	}
}

// The flag reaches PyTorch's process, and the table says so.
func TestKeepMemory(t *testing.T) {
	for _, keep := range []bool{false, true} {
		var out, log bytes.Buffer
		python := executable(t, "python", `[ -n "$MALLOC_MMAP_MAX_" ] && B=kept || B=given-back
`+strings.ReplaceAll(fakePython, "BLAS", "$B"))
		args := append(fakes(t, ""), "--only", "emn4/pai3", "--python", python, fmt.Sprintf("--keep-memory=%t", keep))
		if status := run(args, &out, &log); status != 0 {
			t.Fatalf("status %d\n%s", status, &log)
		}
		if text := out.String(); strings.Contains(text, "PyTorch's kept.") != keep || strings.Contains(text, "keeps the memory") != keep {
			t.Errorf("%t:\n%s", keep, text)
		}
	}
}

// With --compile PyTorch's job says so, and the table.
func TestCompile(t *testing.T) {
	python := executable(t, "python", `case $1 in -c) echo 9.9; exit;; esac
case $(cat) in *'"compile":true'*) cpu=40;; *) cpu=50;; esac
echo "{\"wall_ns\": ${cpu}000000, \"cpu_ns\": ${cpu}000000, \"blas\": \"B\"}"`)
	for _, compile := range []bool{false, true} {
		var out, log bytes.Buffer
		args := append(fakes(t, "B"), "--only", "emn4/pai3", "--python", python, fmt.Sprintf("--compile=%t", compile))
		if status := run(args, &out, &log); status != 0 {
			t.Fatalf("status %d\n%s", status, &log)
		}
		if text := out.String(); strings.Contains(text, "40.0") != compile || strings.Contains(text, "are compiled") != compile {
			t.Errorf("%t:\n%s", compile, text)
		}
	}
}

// A GPU is named, and wall time alone is compared, also that of PyTorch's forms.
func TestDevice(t *testing.T) {
	var out, log bytes.Buffer
	file := filepath.Join(t.TempDir(), "peers.json")
	python := executable(t, "python", `case $3 in cuda) echo The GPU; exit;; tpu) printf "Traceback\nRuntimeError: no such device\nSome advice." >&2; exit 1;; esac
case $1 in -c) echo 9.9; exit;; esac
case $(cat) in *'"form":"literal"'*'"device":"cuda"'*) wall=30 cpu=9;; *) wall=40 cpu=1;; esac
echo "{\"wall_ns\": ${wall}000000, \"cpu_ns\": ${cpu}000000, \"blas\": \"\"}"`)
	args := append(fakes(t, "B"), "--only", "memo/pai3", "--python", python, "--json", file, "--device")
	if status := run(append(args, "cuda"), &out, &log); status != 0 {
		t.Fatalf("status %d\n%s", status, &log)
	}
	text := strings.Join(strings.Fields(out.String()), " ")
	for _, want := range []string{
		"ours beside PyTorch 9.9 on The GPU.", "BLAS of ours: OpenBLAS 1.2.3 (Core).", "│ wall ms, ours │ PyTorch │ ratio │",
		"│ pai3 │ MEMO │ literal │ │ 20.0 │ 30.0 │ 0.67 (0.67-0.67) │", "│ pai3 │ MEMO │ associative │ │ 20.0 │ 40.0 │ 0.50 (0.50-0.50) │",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, &out)
		}
	}
	if strings.Contains(text, "CPU ms") || strings.Contains(text, "arget") {
		t.Errorf("CPU time or a target in\n%s", &out)
	}
	if r := readReport(t, file); r.Device != "The GPU" || !r.Results[0].Peers[0].Fastest || r.Results[0].Peers[0].Target != 0 {
		t.Errorf("%+v", r)
	}
	if status := run(append(args, "tpu"), &out, &log); status != 1 || !strings.Contains(log.String(), "--device tpu: PyTorch 9.9 of "+python+": RuntimeError: no such device\n") {
		t.Errorf("status %d\n%s", status, &log)
	}
	out.Reset()
	if status := run(append(args, "cpu"), &out, &log); status != 0 || !strings.Contains(out.String(), "CPU ms") {
		t.Errorf("--device cpu: status %d\n%s%s", status, &log, &out)
	}
}

func TestSpeedupComparesOurThreads(t *testing.T) {
	var out, log bytes.Buffer
	file := filepath.Join(t.TempDir(), "speedup.json")
	args := append(fakes(t, "B"), "--speedup", "--only", "memo/pai3,memo/sp20-5-3", "--json", file, "--python", "/nonexistent/python")
	if status := run(args, &out, &log); status != 0 {
		t.Fatalf("status %d\n%s", status, &log)
	}
	text := strings.Join(strings.Fields(out.String()), " ")
	for _, want := range []string{
		"with 2 threads beside one", "│ pai3 │ MEMO │ 20.0 │ 16.0 │ 1.25 (1.25-1.25) │ 10.0 │ 10.0 │ │",
		"│ sp20-5-3 │ MEMO │ 20.0 │ 16.0 │ 1.25 (1.25-1.25) │ 10.0 │ 10.0 │ 1.6 missed │",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, &out)
		}
	}
	r := readReport(t, file)
	if len(r.Results) != 2 || r.Threads != 2 || !slices.Equal(r.Results[1].One.Wall, []float64{.02, .02, .02}) || !slices.Equal(r.Results[1].Wall, []float64{.016, .016, .016}) {
		t.Errorf("%+v", r)
	}
}

func readReport(t *testing.T, file string) (r report) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &r); err != nil {
		t.Fatal(err)
	}
	return r
}

func TestJSONHoldsEveryMeasurement(t *testing.T) {
	var out, log bytes.Buffer
	file := filepath.Join(t.TempDir(), "peers.json")
	if status := run(append(fakes(t, "B"), "--only", "memo/pai3", "--json", file), &out, &log); status != 0 {
		t.Fatalf("status %d\n%s", status, &log)
	}
	r := readReport(t, file)
	if len(r.Results) != 1 || len(r.Results[0].Peers) != 2 {
		t.Fatalf("%+v", r)
	}
	one, fast := r.Results[0], r.Results[0].Peers[1]
	if one.Model != "memo" || one.Task != "pai3" || one.Batch != 64 || !slices.Equal(one.CPU, []float64{.01, .01, .01}) || one.Peers[0].Fastest {
		t.Errorf("%+v", one)
	}
	if fast.Form != "associative" || !fast.Fastest || fast.BLAS != "B" || !slices.Equal(fast.CPU, []float64{.025, .025, .025}) || math.Abs(fast.CPURatio-.4) > 1e-9 || fast.Target != .5 {
		t.Errorf("%+v", fast)
	}
}

// A failure in a later round leaves the measurements of the earlier ones.
func TestRoundsAreSaved(t *testing.T) {
	file := filepath.Join(t.TempDir(), "peers.json")
	one := newTable(&options{threads: 1, rounds: 3, json: file}, new(torchProgram), []contest{{pairing: pairing{"emn4", "pai3"}}})
	err := one.rounds(io.Discard, func(c *contest, _ bool) error {
		if len(c.ours) == 1 {
			return errors.New("broken")
		}
		c.ours = append(c.ours, sample{wall: .01, cpu: .02})
		return nil
	})
	if r := readReport(t, file); err == nil || len(r.Results) != 1 || !slices.Equal(r.Results[0].Wall, []float64{.01}) {
		t.Errorf("error %v, saved %+v", err, r)
	}
}

// Where stories differ in length, MEMO's rows are padded as well, and a form that
// takes over twice as long as another is measured once.
func TestStoriesPackedAndPadded(t *testing.T) {
	c := &contest{pairing: pairing{"memo", "babi"}, title: "MEMO", ours: []sample{{wall: .01, cpu: .01}}}
	for _, p := range []struct {
		form, rows string
		cpu        float64
	}{{"literal", packed, .05}, {"associative", packed, .03}, {"literal", padded, 2}, {"associative", padded, .5}} {
		c.peers = append(c.peers, peer{job: job{Form: p.form, Rows: p.rows}, samples: []sample{{wall: p.cpu, cpu: p.cpu}}})
	}
	c.dropBeaten()
	for i, want := range []bool{false, false, true, false} {
		if c.peers[i].beaten != want {
			t.Errorf("%+v: beaten %v", c.peers[i].job, c.peers[i].beaten)
		}
	}
	c.ours, c.peers[3].samples = append(c.ours, sample{wall: .03, cpu: .03}), append(c.peers[3].samples, sample{wall: .1, cpu: .1})
	one := newTable(&options{threads: 1}, new(torchProgram), []contest{*c})
	var text bytes.Buffer
	if err := one.render(&text); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"│ literal │ packed │ 20.0 │ 50.0 │ 0.20 (0.20-0.20) │", "0.6 missed", "0.1 met", "│ 20.0 │ 2000 │ 0.01 (0.01-0.01) │"} {
		if !strings.Contains(strings.Join(strings.Fields(text.String()), " "), want) {
			t.Errorf("no %q in\n%s", want, &text)
		}
	}
	if notes := one.notes(); !strings.Contains(notes, "over 2 times as long") || !strings.Contains(notes, "packed, PyTorch works") {
		t.Errorf("notes:\n%s", notes)
	}
}

func TestChoose(t *testing.T) {
	for _, c := range []struct {
		patterns []string
		want     []pairing
	}{
		{nil, usual},
		{[]string{"memo/pai3"}, []pairing{{"memo", "pai3"}}},
		{[]string{"memo/pai4"}, []pairing{{"memo", "pai4"}}},
		{[]string{"*/babi", "emn4/*"}, []pairing{{"memo", "babi"}, {"emn4", "babi"}, {"ut", "babi"}, {"dnc", "babi"}, {"emn4", "pai3"}, {"emn4", "sp20-5-3"}}},
	} {
		if got, err := choose(c.patterns); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%q: %v, %v", c.patterns, got, err)
		}
	}
	for pattern, want := range map[string]string{"memo": "want MODEL/TASK", "/pai3": "want MODEL/TASK", "*/pai": "matches none", "[/babi": "syntax error"} {
		if _, err := choose([]string{pattern}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", pattern, err, want)
		}
	}
}

// Each batch of stories is gone through as often as the others.
func TestWholePassesThroughStories(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	program := executable(t, "benchmarks.test", fmt.Sprintf("echo $3 >>%s\n%s", log, fakeBenchmarks))
	p := &benchmarkProgram{&options{directory: t.TempDir(), time: time.Second}, program}
	if _, err := p.step(pairing{"memo", "babi"}, 1, false); err != nil {
		t.Fatal(err)
	}
	if _, err := p.step(pairing{"memo", "pai3"}, 1, true); err != nil {
		t.Fatal(err)
	}
	// A pass of 4 steps of 20 ms takes 80 ms.
	text, err := os.ReadFile(log)
	if want := "-test.benchtime=4x\n-test.benchtime=52x\n-test.benchtime=1s\n"; err != nil || string(text) != want {
		t.Errorf("%q, %v, want %q", text, err, want)
	}
}

func TestDifferentLibrariesAreSaidToDiffer(t *testing.T) {
	var out, log bytes.Buffer
	if status := run(append(fakes(t, "MKL"), "--only", "emn4/pai3"), &out, &log); status != 0 {
		t.Fatalf("status %d\n%s", status, &log)
	}
	for _, want := range []string{"BLAS: ours OpenBLAS 1.2.3 (Core), PyTorch's MKL.", "NOT THE SAME"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, &out)
		}
	}
}

func TestCrowdedMachine(t *testing.T) {
	for _, c := range []struct {
		load    string
		threads int
		want    bool
	}{{"0.20", 2, false}, {"1.70", 2, true}, {"9.00", 1, false}, {"unknown", 2, false}} {
		one := &table{options: &options{threads: c.threads}, host: record.Environment{Cores: 2}, before: c.load}
		if got := one.crowded(); got != c.want {
			t.Errorf("load %s, %d threads, 2 cores: %v", c.load, c.threads, got)
		}
	}
}

func TestFailuresSayWhatIsMissing(t *testing.T) {
	silent := executable(t, "silent", "")
	for _, c := range []struct {
		args   []string
		status int
		want   string
	}{
		{[]string{"--python", executable(t, "python", "exit 1")}, 2, "apt-get install python3-torch"},
		{[]string{"--python", "/nonexistent/python"}, 2, "is not in /nonexistent/python."},
		{[]string{"--rounds", "0"}, 2, "--rounds 0"},
		{[]string{"--round", "1"}, 2, "unknown flag"},
		{[]string{"--speedup", "--device", "cuda"}, 2, "which does not run PyTorch"},
		{[]string{"--speedup", "--compile"}, 2, "which does not run PyTorch"},
		{[]string{"pai3"}, 2, `unexpected argument "pai3"`},
		{[]string{"--benchmarks", "/nonexistent/benchmarks.test"}, 1, "go test -c -o /nonexistent/benchmarks.test"},
		{[]string{"--benchmarks", silent}, 1, "0 results, want 1"},
		{[]string{"--only", "mem/pai3"}, 1, `"mem"`},
		{[]string{"--only", "memo"}, 1, "want MODEL/TASK"},
		{[]string{"--only", "*/pai"}, 1, "matches none"},
		{[]string{"--only", "memo/pai3-embeddings"}, 1, "dense items"},
		{[]string{"--speedup", "--threads", "1"}, 2, "--speedup with --threads 1"},
		{[]string{"--only", "emn4/pai3", "--json", "/nonexistent/peers.json"}, 1, "/nonexistent/peers.json"},
	} {
		var out, log bytes.Buffer
		if status := run(append(fakes(t, "B"), c.args...), &out, &log); status != c.status || !strings.Contains(log.String(), c.want) || out.Len() > 0 {
			t.Errorf("%q: status %d, want %d and %q, printed %s%s", c.args, status, c.status, c.want, &out, &log)
		}
	}
}

func TestParseBenchmark(t *testing.T) {
	const line = "BenchmarkTrainStep/model=memo/task=pai3-2 5 3000000 ns/op 2000000 cpu-ns/op\n"
	s, err := parseBenchmark([]byte("blas: B\nUnit cpu-ns/op better=lower\ngoos: linux\n" + line + "PASS\n"))
	if err != nil || s != (sample{wall: 3e-3, cpu: 2e-3, blas: "B"}) {
		t.Errorf("got %+v, %v", s, err)
	}
	for text, want := range map[string]string{
		"PASS\n":                               "0 results",
		line + line:                            "2 results",
		"BenchmarkTrainStep 5 3000000 ns/op\n": "no processor time",
		"BenchmarkTrainStep 5 many ns/op\n":    "benchmark:1",
	} {
		if _, err := parseBenchmark([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %q", text, err, want)
		}
	}
}

func TestStatistics(t *testing.T) {
	// Ratio of medians 2/4, of rounds 1/4, 2/2, 3/8.
	if got, want := ratios([]float64{1, 2, 3}, []float64{4, 2, 8}), "0.50 (0.25-1.00)"; got != want {
		t.Errorf("ratios: %s, want %s", got, want)
	}
	if got, want := ratios([]float64{1, 5, 9}, []float64{4}), "0.25 (0.25-0.25)"; got != want {
		t.Errorf("ratios with a form that was left out: %s, want %s", got, want)
	}
	for seconds, want := range map[float64]string{0.0012345: "1.23", 0.012345: "12.3", 0.12345: "123", 1.2345: "1234"} {
		if got := milliseconds(seconds); got != want {
			t.Errorf("%v s: %s ms, want %s", seconds, got, want)
		}
	}
}

func TestCoreTypeIsThatOfOpenBLASOnly(t *testing.T) {
	for name, want := range map[string]string{"OpenBLAS 0.3.21 (SkylakeX)": "SkylakeX", "gonum (pure Go)": "", "OpenBLAS": ""} {
		if core, ok := coreType(name); core != want || ok != (want != "") {
			t.Errorf("%s: %q, %v", name, core, ok)
		}
	}
}
