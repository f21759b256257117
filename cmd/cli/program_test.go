package cli

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"memobench/datasets/must"
)

// Pipes and devices are refused at once as files.
func TestSpecialFilesAreRefused(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, dir := range []string{"run", "stories"} {
		must.Do(t, os.Mkdir(dir, 0o755))
	}
	pipes := []string{"pipe.yaml", filepath.Join("run", "model.safetensors"), filepath.Join("stories", "qa1_x_test.txt"), filepath.Join("stories", "qa1_x_train.txt")}
	if err := exec.Command("mkfifo", pipes...).Run(); err != nil {
		t.Skip(err)
	}
	for link, target := range map[string]string{"zero.yaml": "/dev/zero", "zero.safetensors": "/dev/zero"} {
		if err := os.Symlink(target, link); err != nil {
			t.Skip(err)
		}
	}
	for _, c := range []struct {
		want int
		args []string
	}{
		{exitUsage, []string{"run", "pipe.yaml", "--out", "o"}},
		{exitUsage, []string{"run", "zero.yaml", "--out", "o"}},
		{exitFailed, []string{"eval", "--quiet", "--checkpoint", "run"}},
		{exitFailed, []string{"eval", "--quiet", "--checkpoint", "zero.safetensors"}},
		{exitFailed, []string{"attention", "--checkpoint", "run"}},
		{exitFailed, []string{"train", "--quiet", "--task", "babi", "--model", "emn", "--data", "stories", "--set", "tasks=1", "--out", "o"}},
	} {
		command(c.args...).want(t, c.want, ", want a regular file")
	}
}

// At the paper's sizes products are large enough to be divided among cores,
// which must not change a bit.
func TestTheNumberOfCoresDoesNotChangeTheResult(t *testing.T) {
	base := t.TempDir()
	var weights [][]byte
	for _, cores := range []string{"1", "2"} {
		dir := filepath.Join(base, cores)
		cmd, _, stderr := prepare("train", "--model", "memo", "--task", "pai3", "--out", dir, "--quiet",
			"--set", "protocol.steps=3", "--set", "evaluate_every=3", "--set", "validation_per_kind=2", "--set", "test_per_kind=2")
		cmd.Env = append(os.Environ(), "GOMAXPROCS="+cores)
		if err := cmd.Run(); err != nil {
			t.Fatal(err, stderr)
		}
		weights = append(weights, read(t, dir, "model.safetensors"))
	}
	if !bytes.Equal(weights[0], weights[1]) {
		t.Error("one core and two give different weights")
	}
}

// A program whose messages nobody reads, such as one that is piped into a pager, ends when it
// is interrupted twice.
func TestItEndsWithABlockedStandardError(t *testing.T) {
	out, in, err := os.Pipe()
	must.Do(t, err)
	defer out.Close()
	defer in.Close()
	fd := int(in.Fd())
	must.Do(t, syscall.SetNonblock(fd, true))
	for err == nil { // until the pipe is full
		_, err = syscall.Write(fd, make([]byte, 1<<12))
	}
	must.Do(t, syscall.SetNonblock(fd, false))
	cmd, _, _ := prepare("train", "--model", "memo", "--task", "pai3", "--study", "quick", "--out", filepath.Join(t.TempDir(), "run"))
	cmd.Stderr = in
	must.Do(t, cmd.Start())
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for range 2 {
		time.Sleep(2 * repeatedSignal)
		_ = cmd.Process.Signal(os.Interrupt) // it may have ended
	}
	select {
	case <-ended:
	case <-time.After(20 * time.Second):
		_ = cmd.Process.Kill()
		t.Error("it did not end")
	}
}

// --tensorboard writes the learning curve of every run.
func TestTensorBoard(t *testing.T) {
	dir := t.TempDir()
	command(with([]string{"run", tinyStudy, "--only", "memo", "--seeds", "0,1", "--out", dir, "--quiet", "--tensorboard"})...).want(t, exitGood)
	if files := glob(filepath.Join(dir, "*", "events.out.tfevents.*")); len(files) != 2 {
		t.Errorf("files: %q", files)
	}
}
