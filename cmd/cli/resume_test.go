package cli

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"memobench/benchmarks/record"
	"memobench/datasets/must"
)

// tiny is a run of about a second, with dropout, so that the state of the random generators
// matters.
func tiny(dir string, more ...string) []string {
	return append([]string{"train", "--model", "memo", "--task", "pai3", "--study", tinyStudy, "--seed", "7", "--quiet",
		"--out", dir, "--checkpoint-every", "50", "--set", "protocol.steps=600", "--set", "evaluate_every=150"}, more...)
}

// read returns a file of a run's directory.
func read(t *testing.T, dir, name string) []byte {
	t.Helper()
	return must.Get(os.ReadFile(filepath.Join(dir, name)))(t)
}

// sameResult checks that two directories have the same weights, bit for bit, and the same
// record and curve except for times.
func sameResult(t *testing.T, want, got string) {
	t.Helper()
	if !bytes.Equal(read(t, want, "model.safetensors"), read(t, got, "model.safetensors")) {
		t.Errorf("%s and %s hold different weights", want, got)
	}
	var records [2]record.Record
	for i, dir := range []string{want, got} {
		r := must.Get(record.ReadFile(filepath.Join(dir, record.FileName)))(t)
		records[i] = r.WithoutTimes()
	}
	if diff := cmp.Diff(records[0], records[1]); diff != "" {
		t.Errorf("records differ (-want +got):\n%s", diff)
	}
}

// TestInterruptedRunsEndAsUninterruptedOnes covers interruptions with real processes.
func TestInterruptedRunsEndAsUninterruptedOnes(t *testing.T) {
	base := t.TempDir()
	whole := filepath.Join(base, "whole")
	process(t, tiny(whole)...).want(t, exitGood)

	t.Run("kill -9, then --resume", func(t *testing.T) {
		dir := filepath.Join(base, "killed")
		// Killed twice: the second time after a resume.
		args := tiny(dir)
		for range 2 {
			cmd, _ := startAndWaitFor(t, filepath.Join(dir, "checkpoint", "*.json"), args...)
			must.Do(t, cmd.Process.Kill())
			if err := cmd.Wait(); err == nil {
				t.Fatal("the run ended before it was killed: make it longer")
			}
			if _, err := os.Stat(filepath.Join(dir, record.FileName)); err == nil {
				t.Fatal("the killed run left a record")
			}
			args = tiny(dir, "--resume")
		}
		process(t, args...).want(t, exitGood)
		sameResult(t, whole, dir)
	})

	t.Run("a damaged checkpoint is named even with --quiet", func(t *testing.T) {
		dir := filepath.Join(base, "damaged")
		cmd, _ := startAndWaitFor(t, filepath.Join(dir, "checkpoint", "000000100.json"), tiny(dir)...)
		must.Do(t, cmd.Process.Kill())
		_ = cmd.Wait()
		saved := glob(filepath.Join(dir, "checkpoint", "*.json"))
		must.Do(t, os.Truncate(saved[len(saved)-1], 40))
		process(t, tiny(dir, "--resume", "--json")...).want(t, exitGood, "resuming from the checkpoint of step ", "because a newer one is damaged").prints(t, `"damaged_checkpoints": 1`)
		sameResult(t, whole, dir)
	})

	t.Run("Ctrl-C, then the command it names", func(t *testing.T) {
		dir := filepath.Join(base, "stopped dir") // a blank, to be quoted
		cmd, stderr := startAndWaitFor(t, filepath.Join(dir, "checkpoint", "*.json"), tiny(dir)...)
		must.Do(t, cmd.Process.Signal(os.Interrupt))
		_ = cmd.Process.Signal(os.Interrupt) // as a parent process sends it, too
		_ = cmd.Wait()
		if status := cmd.ProcessState.ExitCode(); status != exitInterrupted {
			t.Fatalf("exit status %d, want %d; stderr:\n%s", status, exitInterrupted, stderr)
		}
		lines := strings.Split(strings.TrimSpace(stderr.String()), "\n")
		resume := lines[len(lines)-1]
		if !strings.Contains(resume, "--resume") || !strings.Contains(stderr.String(), "is saved") {
			t.Fatalf("no command to go on with in:\n%s", stderr)
		}
		if out, err := exec.Command("sh", "-c", resume).CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", resume, err, out)
		}
		sameResult(t, whole, dir)
	})

	t.Run("a closed terminal saves, except under nohup", func(t *testing.T) {
		dir := filepath.Join(base, "hung up")
		cmd, stderr := startAndWaitFor(t, filepath.Join(dir, "checkpoint", "*.json"), tiny(dir)...)
		must.Do(t, cmd.Process.Signal(syscall.SIGHUP))
		_ = cmd.Wait()
		result{status: cmd.ProcessState.ExitCode(), stderr: stderr.String()}.want(t, exitInterrupted, "is saved in", "--resume")
		ready := filepath.Join(base, "ready")
		ignoring := exec.Command("sh", append([]string{"-c", `trap "" HUP; : > "$0"; exec "$@"`, ready, binary}, tiny(dir, "--resume")...)...)
		must.Do(t, ignoring.Start())
		ended := make(chan error, 1)
		go func() { ended <- ignoring.Wait() }()
		for {
			select {
			case err := <-ended:
				if err != nil {
					t.Fatalf("under nohup: %v", err)
				}
				sameResult(t, whole, dir)
				return
			case <-time.After(5 * time.Millisecond):
				if _, err := os.Stat(ready); err == nil {
					_ = ignoring.Process.Signal(syscall.SIGHUP) // fails when it has ended
				}
			}
		}
	})

	t.Run("a finished run is kept", func(t *testing.T) {
		process(t, tiny(whole)...).want(t, exitFailed, "--resume", "--overwrite")
		process(t, tiny(whole, "--resume")...).want(t, exitGood)
		process(t, tiny(whole, "--resume", "--set", "hops=2")...).want(t, exitFailed, "another run", "model.hops: ", ", now 2", "--out")
		must.Do(t, os.Remove(filepath.Join(whole, record.FileName)))
		must.Do(t, os.RemoveAll(filepath.Join(whole, "checkpoint")))
		process(t, tiny(whole, "--resume")...).want(t, exitFailed, "a checkpoint is not", "--out", "--overwrite")
	})
}

// The same command resumes a comparison that was stopped.
func TestRunGoesOnAfterCtrlC(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "runs")
	args := []string{"run", tinyStudy, "--only", "memo,emn4", "--seeds", "0", "--jobs", "1", "--out", dir,
		"--set", "protocol.steps=800", "--set", "evaluate_every=400", "--checkpoint-every", "50"}
	cmd, stderr := startAndWaitFor(t, filepath.Join(dir, "*", "checkpoint", "*.json"), args...)
	must.Do(t, cmd.Process.Signal(os.Interrupt))
	_ = cmd.Wait()
	stopped := result{status: cmd.ProcessState.ExitCode(), stderr: stderr.String()}
	stopped.want(t, exitInterrupted, "To resume:", "--only memo,emn4")
	if strings.Contains(stopped.stderr, "failed") {
		t.Errorf("a run whose turn did not come is said to have failed:\n%s", stopped.stderr)
	}
	if strings.Contains(stopped.stderr, "--resume") {
		t.Errorf("run has no --resume, but it is named in:\n%s", stopped.stderr)
	}
	finished := process(t, args...).want(t, exitGood)
	if !strings.Contains(finished.stdout, "MEMO") || strings.Contains(finished.stdout, "not run") {
		t.Errorf("the table lacks a model:\n%s", finished.stdout)
	}
}

// A model process that hangs does not outlive the program when that is interrupted twice.
func TestASecondCtrlCEndsModelProcesses(t *testing.T) {
	pid := filepath.Join(t.TempDir(), "pid")
	cmd, stderr := startAndWaitFor(t, pid, "run", "--tasks", "pai3", "--only", "exec:echo $$ > "+pid+".new; mv "+pid+".new "+pid+"; exec sleep 600", "--out", t.TempDir())
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	must.Do(t, cmd.Process.Signal(os.Interrupt))
	time.Sleep(repeatedSignal + 100*time.Millisecond)
	_ = cmd.Process.Signal(os.Interrupt) // it may have ended
	select {
	case <-ended:
	case <-time.After(time.Minute):
		t.Fatalf("it did not end; it wrote:\n%s", stderr)
	}
	result{status: cmd.ProcessState.ExitCode(), stderr: stderr.String()}.want(t, exitInterrupted)
	child := must.Get(strconv.Atoi(strings.TrimSpace(string(read(t, filepath.Dir(pid), "pid")))))(t)
	for range 100 {
		if syscall.Kill(child, 0) != nil {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Error("the model process is alive")
}

// A run whose model process hangs when it is interrupted ends as interrupted when the process is
// late, whether it answered before or not.
func TestCtrlCWhileAModelProcessHangs(t *testing.T) {
	const answers = `printf '\044\000\000\000{"type":"hello","id":1,"protocol":1}\027\000\000\000{"type":"saved","id":2}'; `
	for name, c := range map[string]struct{ process, wait, note string }{
		"after its first answers": {answers + ": > started; exec sleep 600", "started", ""},
		"before any answer":       {": > started; exec sleep 600", "started", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			cmd, stderr := startAndWaitFor(t, c.wait, "train", "--study", "quick", "--task", "pai3", "--model", "exec:"+c.process,
				"--set", "protocol.steps=25000", "--set", "model.timeout=2", "--out", "run")
			must.Do(t, cmd.Process.Signal(os.Interrupt))
			_ = cmd.Wait()
			result{status: cmd.ProcessState.ExitCode(), stderr: stderr.String()}.
				want(t, exitInterrupted, "no answer within 2s", c.note, "interrupted; nothing was saved", "train --study quick", "--resume")
		})
	}
}
