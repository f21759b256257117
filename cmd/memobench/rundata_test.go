package main

import (
	"os"
	"testing"
)

// Files that the last task of a sweep lacks are missed before the first run.
func TestRunMissesDataBeforeTheFirstRun(t *testing.T) {
	t.Chdir(t.TempDir())
	writeStories(t, "stories") // of task 1 alone
	got := command("run", "--preset", "standard", "--tasks", "sp10-2-2,babi", "--models", "memo", "--data", "stories", "--out", "runs")
	got.want(t, exitFailed, "nothing was run: task babi: babi: task 2-20 cannot be run: stories has no training file")
	if _, err := os.Stat("runs"); !os.IsNotExist(err) {
		t.Errorf("something was run: %v", err)
	}
}
