package cli

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"memobench/datasets/must"
)

// binary is the program as a user runs it, built once by TestMain.
var binary string

func TestMain(m *testing.M) {
	// The program ignores a hangup that it was started to ignore. A signal that this process
	// handles is at its default in children, also where nohup runs the tests.
	if signal.Ignored(syscall.SIGHUP) {
		signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP)
	}
	os.Unsetenv("COLUMNS")        // which would decide the width of all output
	os.Unsetenv("MEMOBENCH_BABI") // and this what the data are
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "memobench-test-")
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer os.RemoveAll(dir)
		binary = filepath.Join(dir, "memobench")
		build := exec.Command("go", append(append([]string{"build"}, buildTags...), "-o", binary, "../memobench")...)
		if out, err := build.CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "building the program: %v\n%s", err, out)
			return 1
		}
		return m.Run()
	}())
}

// result is the result of a finished process.
type result struct {
	line           string // the command
	status         int
	stdout, stderr string
}

// command runs the program in this process and returns what it printed.
func command(args ...string) result {
	var stdout, stderr bytes.Buffer
	status := run(args, &stdout, &stderr)
	return result{strings.Join(args, " "), status, stdout.String(), stderr.String()}
}

// process runs the program in a separate process to its end.
func process(t *testing.T, args ...string) result {
	t.Helper()
	cmd, stdout, stderr := prepare(args...)
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return result{strings.Join(args, " "), cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()}
}

func prepare(args ...string) (*exec.Cmd, *bytes.Buffer, *bytes.Buffer) {
	cmd := exec.Command(binary, args...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	return cmd, &stdout, &stderr
}

// startAndWaitFor starts the program and returns when there is a file that the
// pattern matches and that was not there before, or fails the test after a
// minute.
func startAndWaitFor(t *testing.T, pattern string, args ...string) (*exec.Cmd, *bytes.Buffer) {
	t.Helper()
	before := map[string]bool{}
	for _, file := range glob(pattern) {
		before[file] = true
	}
	cmd, _, stderr := prepare(args...)
	must.Do(t, cmd.Start())
	for start := time.Now(); ; time.Sleep(5 * time.Millisecond) {
		for _, file := range glob(pattern) {
			if !before[file] {
				return cmd, stderr
			}
		}
		if time.Since(start) > time.Minute {
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
			t.Fatalf("%s did not appear within a minute; the program wrote:\n%s", pattern, stderr)
		}
	}
}

func glob(pattern string) []string {
	files, err := filepath.Glob(pattern)
	if err != nil {
		panic(err) // the pattern is malformed
	}
	return files
}

// want checks a status and that stderr holds every one of parts.
func (r result) want(t *testing.T, status int, parts ...string) result {
	t.Helper()
	if r.status != status {
		t.Errorf("%s: exit status %d, want %d; stderr:\n%s", r.line, r.status, status, r.stderr)
	}
	r.holds(t, "stderr", r.stderr, parts)
	return r
}

// prints checks that stdout holds every one of parts.
func (r result) prints(t *testing.T, parts ...string) result {
	t.Helper()
	r.holds(t, "stdout", r.stdout, parts)
	return r
}

func (r result) holds(t *testing.T, name, text string, parts []string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%s: %s lacks %q:\n%s", r.line, name, part, text)
		}
	}
}

// Files that the last task of a sweep lacks are missed before the first run.
func TestRunMissesDataBeforeTheFirstRun(t *testing.T) {
	t.Chdir(t.TempDir())
	writeStories(t, "stories") // of task 1 alone
	command("run", "standard", "--tasks", "sp10-2-2,babi", "--only", "memo", "--data", "stories", "--out", "runs").want(t, exitFailed, "nothing was run: task babi: babi: tasks 2-20 cannot be run: stories has no training file")
	if _, err := os.Stat("runs"); !os.IsNotExist(err) {
		t.Errorf("something was run: %v", err)
	}
}
