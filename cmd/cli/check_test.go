package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memobench/benchmarks/record"
	"memobench/datasets/must"
)

// lower writes a copy of recorded runs with a share of the right answers to each kind of
// question taken away.
func lower(t *testing.T, from, to string, share float64) {
	t.Helper()
	records := must.Get(record.ReadRecords(filepath.Join(from, record.RecordsName)))(t)
	for i, r := range records {
		for k := range r.Evaluation.Kinds {
			kind := &r.Evaluation.Kinds[k]
			lost := int(share*float64(kind.Correct)) + i%3
			kind.Correct -= lost
			if kind.ChoiceCorrect != nil {
				*kind.ChoiceCorrect -= lost
			}
		}
	}
	must.Do(t, os.MkdirAll(to, 0o755))
	must.Do(t, os.WriteFile(filepath.Join(to, record.RecordsName), must.Get(record.MarshalRecords(records))(t), 0o644))
}

// The exit status is the verdict: 0, 1 or 3, and 2 for a wrong command.
func TestCheckExitsWithItsVerdict(t *testing.T) {
	quick := filepath.Join(recorded, "quick")
	worse, slightly := filepath.Join(t.TempDir(), "worse"), filepath.Join(t.TempDir(), "slightly")
	command("check", quick, quick).want(t, exitGood).prints(t, "PASS")
	lower(t, quick, slightly, 0.005) // one seed of DNC and UT: too little to see a point
	command("check", quick, slightly).want(t, exitInconclusive, "inconclusive")
	command("check", quick, slightly, "--margin", "accuracy=10", "--margin", "choice-accuracy=10").want(t, exitGood)
	lower(t, quick, worse, 0.2)
	command("check", quick, worse).want(t, exitFailed, "check: FAIL").prints(t, "FAIL")
	command("check", quick).want(t, exitUsage)
	command("check", quick, filepath.Join(t.TempDir(), "none")).want(t, exitUsage, "none")
	command("check", quick, quick, "--margin", "accuracy").want(t, exitUsage, "margin")
}

func TestCompareNamesModelsAndPrintsJSON(t *testing.T) {
	quick := filepath.Join(recorded, "quick")
	two := command("compare", quick+":emn4", quick+":memo").want(t, exitGood)
	if !strings.Contains(two.stdout, "emn4") || !strings.Contains(two.stdout, "memo") {
		t.Errorf("printed\n%s", two.stdout)
	}
	var out map[string]any
	asJSON := command("compare", quick+":emn4", quick+":memo", "--json").want(t, exitGood)
	if err := json.Unmarshal([]byte(asJSON.stdout), &out); err != nil || len(out) == 0 {
		t.Errorf("%v\n%s", err, asJSON.stdout)
	}
	command("compare", quick+":nobody", quick).want(t, exitUsage, "nobody")
}
