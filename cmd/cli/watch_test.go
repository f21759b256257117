package cli

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"memobench/benchmarks/record"
	"memobench/benchmarks/train"
	"memobench/datasets/must"
	"memobench/datasets/tfrecord"
)

// watch shows a run that is being trained; when it is killed, it is unfinished everywhere,
// and no command fails because of it.
func TestUnfinishedRunsAreShown(t *testing.T) {
	parent := t.TempDir()
	args := []string{"train", "--preset", "quick", "--task", "pai3", "--model", "emn4", "--quiet", "--set", "early_stop=off",
		"--set", "protocol.evaluate_every=1", "--set", "validation_per_kind=2", "--set", "test_per_kind=2", "--checkpoint-every", "1"}
	dir := filepath.Join(parent, "long")
	cmd, _ := startAndWaitFor(t, filepath.Join(dir, "checkpoint", "*"), append(args, "--set", "protocol.steps=100000", "--out", dir)...)
	got := command("watch", dir)
	// In a terminal the curves are drawn until an interrupt.
	ctx, stop := context.WithTimeout(t.Context(), time.Second)
	defer stop()
	var screen, errs strings.Builder
	p := &program{name: "memobench", ctx: ctx, stdout: &screen, stderr: &errs, getenv: os.Getenv}
	if status := p.exit(p.drawCurves([]string{dir}, 10*time.Millisecond, []string{dir})); status != exitInterrupted ||
		!strings.Contains(errs.String(), "interrupted; what is being trained continues. To resume:\n  memobench watch "+dir) || strings.Count(screen.String(), clearScreen) < 2 {
		t.Errorf("watch, interrupted: status %d\n%s\n%s", status, errs.String(), screen.String())
	}
	must.Do(t, cmd.Process.Kill())
	_ = cmd.Wait()
	got.want(t, exitGood)
	got.prints(t, "training, step ", " of 100000, ", "100 │")
	table := command("table", dir).want(t, exitGood)
	table.prints(t, dir+": unfinished, after step ")
	command("report", dir).want(t, exitFailed, "no run has finished yet: "+dir+": unfinished")

	short := filepath.Join(parent, "short")
	command(append(args, "--set", "protocol.steps=3", "--out", short)...).want(t, exitGood)
	command("watch", parent).want(t, exitGood).prints(t, dir+"   ", "unfinished, step ", short+"  ", "complete, step 3 of 3, ")
	for _, line := range [][]string{{"table", parent}, {"report", parent}} {
		got := command(line...).want(t, exitGood)
		if text := strings.Join(strings.Fields(got.stdout), " "); !strings.Contains(text, "unfinished, after step ") || !strings.Contains(text, "EMN") {
			t.Errorf("%v printed\n%s", line, got.stdout)
		}
	}
	link := filepath.Join(t.TempDir(), "link")
	must.Do(t, os.Symlink(parent, link))
	command("watch", link).want(t, exitGood).prints(t, filepath.Join(link, "short")+"  ")
	command("watch", t.TempDir()).want(t, exitFailed, "no run in or below")
	command("watch").want(t, exitUsage, "name a run's directory")
	command("watch", dir, "--every", "1ms").want(t, exitUsage, "--every 1ms: want 100ms or more")
}

// A curve for TensorBoard has one event per evaluation, one file per session, and does not
// prevent resuming or overwriting a run.
func TestTrainWritesTensorBoardFiles(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	args := []string{"train", "--preset", "quick", "--task", "pai3", "--model", "emn4", "--quiet", "--tensorboard", "--out", dir, "--set", "early_stop=off",
		"--set", "protocol.steps=6", "--set", "protocol.evaluate_every=2", "--set", "validation_per_kind=2", "--set", "test_per_kind=2"}
	command(args...).want(t, exitGood)
	files := glob(filepath.Join(dir, tfrecord.EventsPrefix+"*"))
	if len(files) != 1 {
		t.Fatal(files)
	}
	f := must.Get(tfrecord.Open(files[0]))(t)
	defer f.Close()
	n := 0
	for rec, err := range f.Records() {
		if err != nil {
			t.Fatal(err)
		}
		data, err := f.Read(nil, rec)
		if n > 0 && (err != nil || !strings.Contains(string(data), "accuracy/A-C") || !strings.Contains(string(data), "loss/validation")) {
			t.Errorf("event %d: %q (%v)", n, data, err)
		}
		n++
	}
	if n != 4 {
		t.Errorf("%d events, want a version and 3 evaluations", n)
	}
	command(append(args, "--resume")...).want(t, exitGood)
	command(append(args, "--overwrite")...).want(t, exitGood)
	if now := glob(filepath.Join(dir, tfrecord.EventsPrefix+"*")); len(now) != 1 || now[0] == files[0] {
		t.Errorf("files %q after %q", now, files)
	}
	// A file that cannot be written is a warning.
	bad := &tensorboard{Progress: train.Silent, dir: filepath.Join(dir, "none")}
	bad.Evaluated(train.Point{})
	if err := os.Remove(files[0]); err == nil {
		t.Error("the file of the run before is still there")
	}
}

func TestCurvesAreDrawnInOneLine(t *testing.T) {
	r := watchedRun{steps: 8}
	for i := range 4 {
		r.points = append(r.points, pointOf(i+1, 25*(i+1)))
	}
	if got := r.sparkline(8, false); got != "▃▅▇█    " {
		t.Errorf("%q", got)
	}
	if got := r.sparkline(8, true); got != "-+%#    " {
		t.Errorf("%q", got)
	}
}

// pointOf is an evaluation with so many right answers of 100.
func pointOf(step, right int) train.Point {
	return train.Point{Step: step, Kinds: []record.Kind{{Name: "A-B", Total: 100, Correct: right}}}
}
