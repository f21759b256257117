package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"memobench/benchmarks/record"
	"memobench/datasets/must"
)

// A report of 5,000 runs takes less than a minute: a fifth of that is enough for 1,000, each
// with its learning curve.
func TestAReportOfManyRunsIsWrittenSoon(t *testing.T) {
	if testing.Short() {
		t.Skip("writes reports of 1,250 runs")
	}
	took := func(n int) (cpu time.Duration, memory int64) {
		dir := t.TempDir()
		copyUnderSeeds(t, n, filepath.Join(dir, "runs"), "quick", "standard")
		cmd, _, stderr := prepare("report", filepath.Join(dir, "runs"), "--out", filepath.Join(dir, "out"))
		if err := cmd.Run(); err != nil {
			t.Fatalf("%v\n%s", err, stderr)
		}
		if text := string(readAll(t, filepath.Join(dir, "out", "report.md"))); !strings.Contains(text, fmt.Sprintf("Made from %d runs ", n)) {
			t.Errorf("the report is not of %d runs:\n%.300s", n, text)
		}
		usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage)
		if !ok || runtime.GOOS != "linux" {
			t.Skip("the system does not say what a process used, or in other units")
		}
		return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), int64(usage.Maxrss) << 10
	}
	few, _ := took(250)
	many, memory := took(1000)
	t.Logf("250 runs take %v of CPU time, 1,000 runs %v and %d MiB", few, many, memory>>20)
	if many > 12*time.Second || memory > 400<<20 || many > 8*few {
		t.Errorf("250 runs take %v, 1,000 runs %v and %d MiB", few, many, memory>>20)
	}
}

// copyUnderSeeds writes n runs into dir: the recorded ones of the sets in turn, under other
// seeds and with other losses.
func copyUnderSeeds(t *testing.T, n int, dir string, sets ...string) {
	t.Helper()
	var runs []string
	for _, set := range sets {
		runs = append(runs, glob(filepath.Join(recorded, set, "*", record.FileName))...)
	}
	var records []*record.Record
	for _, path := range runs {
		r := must.Get(record.ReadFile(path))(t)
		records = append(records, r)
	}
	for i := range n {
		r, from := *records[i%len(runs)], filepath.Dir(runs[i%len(runs)])
		r.Identity.Seed = uint64(i)
		r.Evaluation.Loss = new(1 + float64(i)) // else they are copies of one run
		data := must.Get(r.Marshal())(t)
		to := filepath.Join(dir, strconv.Itoa(i))
		must.Do(t, os.MkdirAll(to, 0o755))
		files := map[string][]byte{record.FileName: data}
		if curve := filepath.Join(from, record.CurveName); len(glob(curve)) > 0 {
			files[record.CurveName] = readAll(t, curve)
		}
		for name, data := range files {
			must.Do(t, os.WriteFile(filepath.Join(to, name), data, 0o644))
		}
	}
}
