package main

import (
	"encoding/json"
	"path/filepath"
	"testing"

	"memobench/report/compare"
)

// Recorded results are compared, in every form that they have.
func TestCompareRecordedRuns(t *testing.T) {
	quick, other := filepath.Join(recorded, "quick"), filepath.Join(recorded, "quick-openblas")
	got := command("compare", quick, other)
	got.want(t, exitGood)
	all := command("compare", quick, other, "--all", "--json")
	all.want(t, exitGood)
	var c compare.Comparison
	if err := json.Unmarshal([]byte(all.stdout), &c); err != nil || len(c.Differences) < 60 || c.OnlyA != nil {
		t.Errorf("%d differences, %v", len(c.Differences), err)
	}
	part := command("compare", quick, other, "--filter", "/model:memo .unit:accuracy", "--json")
	part.want(t, exitGood)
	c = compare.Comparison{}
	if err := json.Unmarshal([]byte(part.stdout), &c); err != nil || len(c.Differences) != 9 {
		t.Errorf("%d differences, %v", len(c.Differences), err)
	}
	command("compare", quick, other, "--filter", "(((").want(t, exitUsage, "--filter")
	command("compare", quick).want(t, exitUsage, "name two sets of results")
	command("compare", quick, t.TempDir()).want(t, exitUsage, "no record.json and no bench.txt")
	command("compare", filepath.Join(recorded, "small", "memo-0"), filepath.Join(quick, "pai3-memo-s0-f2091c35")).want(t, exitUsage, "is not comparable: protocol", "8f5e3380111d")
}
