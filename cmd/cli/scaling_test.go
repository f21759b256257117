package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/perf/benchfmt"

	"memobench/benchmarks/scaling"
	"memobench/datasets/must"
)

func TestScalingPrintsAndWrites(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "deep", "scaling")
	args := []string{"scaling", "--models", "memo-nowh,emn4", "--modes", "infer", "--to", "256", "--rounds", "2", "--out", dir}
	command(args...).want(t, exitGood, "scaling: ").prints(t, "BLAS: ", "EMN, 4 hops", "MEMO without W_h", "linear", "second difference", "slope of time")
	data := must.Get(os.ReadFile(filepath.Join(dir, scalingRecord)))(t)
	var written scaling.Report
	if err := json.Unmarshal(data, &written); err != nil || len(written.Series) != 2 || len(written.Series[0].Points) != 3 {
		t.Errorf("%s: %v\n%s", scalingRecord, err, data)
	}
	f := must.Get(os.Open(filepath.Join(dir, scalingBench)))(t)
	defer f.Close()
	results := 0
	for r := benchfmt.NewReader(f, scalingBench); r.Scan(); {
		switch rec := r.Result().(type) {
		case *benchfmt.SyntaxError:
			t.Error(rec)
		case *benchfmt.Result:
			results++
		}
	}
	if results != 2*3*2 {
		t.Errorf("%d results, want 2 models x 3 sizes x 2 rounds", results)
	}
	if figure, err := os.ReadFile(filepath.Join(dir, scalingFigure("infer"))); err != nil || !strings.Contains(string(figure), "</svg>") {
		t.Errorf("figure: %v", err)
	}

	t.Run("nothing is overwritten", func(t *testing.T) {
		command(args...).want(t, exitUsage, "is there already", "--overwrite")
		command(with(args, "--overwrite", "--quiet")...).want(t, exitGood)
	})
	t.Run("as JSON, quietly", func(t *testing.T) {
		got := command("scaling", "--models", "emn4", "--modes", "train", "--to", "64", "--rounds", "1", "--json", "--quiet").want(t, exitGood)
		var r scaling.Report
		if err := json.Unmarshal([]byte(got.stdout), &r); err != nil || got.stderr != "" {
			t.Errorf("%v; stdout\n%s\nstderr\n%s", err, got.stdout, got.stderr)
		}
	})
}

// The first interrupt ends the measurement, names the command to repeat, and
// leaves no files.
func TestInterruptedScaling(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "scaling")
	cmd, _, stderr := prepare("scaling", "--models", "emn4", "--rounds", "100000", "--to", "128", "--out", dir)
	path := filepath.Join(t.TempDir(), "stdout")
	out := must.Get(os.Create(path))(t)
	defer out.Close()
	cmd.Stdout = out
	must.Do(t, cmd.Start())
	stdout := func() string {
		return string(must.Get(os.ReadFile(path))(t))
	}
	for start := time.Now(); stdout() == "" && time.Since(start) < time.Minute; { // the line about BLAS: the measurement follows
		time.Sleep(5 * time.Millisecond)
	}
	time.Sleep(200 * time.Millisecond)
	must.Do(t, cmd.Process.Signal(os.Interrupt))
	_ = cmd.Wait()
	if status := cmd.ProcessState.ExitCode(); status != exitInterrupted {
		t.Errorf("exit status %d (%v), want %d; stderr:\n%s", status, cmd.ProcessState.Sys().(syscall.WaitStatus), exitInterrupted, stderr)
	}
	if text := stderr.String(); !strings.Contains(text, "scaling --models emn4 --rounds 100000") {
		t.Errorf("stderr does not name the command:\n%s", text)
	}
	if strings.Contains(stdout(), "Growth") {
		t.Errorf("printed:\n%s", stdout())
	}
	if files := glob(filepath.Join(dir, "*")); files != nil {
		t.Errorf("files were written: %q", files)
	}
}
