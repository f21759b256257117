package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

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

// Programs that answer as the real ones do: our step takes 10 ms of 20, the
// literal form 40, any other 25.
const (
	fakeBenchmarks = `echo "blas: OpenBLAS 1.2.3 (Core)"; echo "goos: linux"
echo "BenchmarkTrainStep/model=x/task=y-2 100 20000000 ns/op 10000000 cpu-ns/op 64 examples/s 0 B/op"`
	fakePython = `case $1 in -c) echo 9.9; exit;; esac
case $(cat) in *'"form":"literal"'*) ms=40;; *) ms=25;; esac
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
		"ours beside PyTorch 9.9.", "batches of 64; threads of each side: 1.", "BLAS of both: OpenBLAS 1.2.3 (Core).",
		"Medians of 3 interleaved runs",
		"│ pai3 │ MEMO │ literal │ 10.0 │ 40.0 │ 0.25 (0.25-0.25) │ 20.0 │ 40.0 │ 0.50 (0.50-0.50) │",
		"│ pai3 │ MEMO │ associative │ 10.0 │ 25.0 │ 0.40 (0.40-0.40) │ 20.0 │ 25.0 │ 0.80 (0.80-0.80) │",
		"│ pai3 │ EMN, 4 hops │ │ 10.0 │ 25.0 │",
		"MEMO: PyTorch's faster form is the associative one",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, &out)
		}
	}
	if !strings.Contains(log.String(), "round 3 of 3: emn4/pai3") {
		t.Errorf("progress:\n%s", &log)
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
		{[]string{"--python", "/nonexistent/python"}, 2, "/nonexistent/python does not have it"},
		{[]string{"--rounds", "0"}, 2, "--rounds 0"},
		{[]string{"--round", "1"}, 2, "unknown flag"},
		{[]string{"pai3"}, 2, `unexpected argument "pai3"`},
		{[]string{"--benchmarks", "/nonexistent/benchmarks.test"}, 1, "go test -c -o /nonexistent/benchmarks.test"},
		{[]string{"--benchmarks", silent}, 1, "0 results, want 1"},
		{[]string{"--only", "mem/pai3"}, 1, `"mem"`},
		{[]string{"--only", "memo"}, 1, "want MODEL/TASK"},
		{[]string{"--only", "*/pai"}, 1, "matches none"},
		{[]string{"--only", "memo/babi"}, 1, "task babi: the PyTorch programs know"},
		{[]string{"--preset", "standart"}, 1, "standart"},
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
	if m := median([]float64{5, 1, 3}); m != 3 {
		t.Errorf("median of three: %v", m)
	}
	if m := median([]float64{4, 1, 3, 2}); m != 2.5 {
		t.Errorf("median of four: %v", m)
	}
	// Ratio of medians 2/4, of rounds 1/4, 2/2, 3/8.
	if got, want := ratios([]float64{1, 2, 3}, []float64{4, 2, 8}), "0.50 (0.25-1.00)"; got != want {
		t.Errorf("ratios: %s, want %s", got, want)
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
