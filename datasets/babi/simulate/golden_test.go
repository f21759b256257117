package simulate_test

import (
	"crypto/sha256"
	"encoding/hex"
	"testing"

	"memobench/datasets"
	"memobench/datasets/babi/simulate"
	"memobench/datasets/must"
)

// A change of the rules shows here: raise version with it.
func TestSimulatedFilesAreTheRecordedOnes(t *testing.T) {
	sum := sha256.New()
	for task := 1; task <= simulate.NumTasks; task++ {
		for split := datasets.Train; split <= datasets.Test; split++ {
			must.Do(t, simulate.Rules{}.Write(sum, task, split, 1, 300))
		}
	}
	const want = "f95a4790f79f5f7512509db61f6309e59ea1d1e77e51df97f2454bd2f611bc45"
	if got := hex.EncodeToString(sum.Sum(nil)); got != want {
		t.Errorf("SHA-256 %s, want %s", got, want)
	}
}
