package results

import (
	"path/filepath"
	"strings"
	"testing"

	"memobench/benchmarks/record"
)

// Cells of different protocols or data are not paired, whatever their names.
func TestMatchRefusesOtherProtocols(t *testing.T) {
	at := func(change func(r *record.Record)) *Set {
		r := sample(0, 600, 540)
		change(r)
		return read(t, write(t, map[string]string{"record.json": marshal(t, r)}))
	}
	base := at(func(*record.Record) {})
	pairs, onlyA, onlyB, err := Match(base, at(func(r *record.Record) { r.Evaluation.Kinds = r.Evaluation.Kinds[:1] }))
	if err != nil || onlyB != nil || len(onlyA) != 2 || len(pairs) != len(base.Cells)-2 {
		t.Errorf("%d pairs, %d and %d alone, %v", len(pairs), len(onlyA), len(onlyB), err)
	}
	for want, change := range map[string]func(r *record.Record){
		`protocol "5f1c09" against "other"`:  func(r *record.Record) { r.Protocol.Hash = "other" },
		`dataset "ab12" against "other"`:     func(r *record.Record) { r.Dataset.Hash = "other" },
		`data-labels "simulated" against ""`: func(r *record.Record) { r.Dataset.Caveats = nil },
		`labels "" against "changed from the preset: hops=5"`: func(r *record.Record) {
			r.Caveats = record.Caveats{{Kind: "changed-settings", Text: "changed from the preset: hops=5"}}
		},
		`nothing to compare`: func(r *record.Record) { r.Identity.Label = "emn" },
	} {
		other := at(change)
		if _, _, _, err := Match(base, other); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
		if _, _, _, err := Match(other, base); err == nil {
			t.Errorf("%s: the other way round they match", want)
		}
	}
}

// Different settings of a model are refused within a set, and listed for two.
func TestOtherSettings(t *testing.T) {
	a, b := sample(0, 600, 540), sample(1, 600, 540)
	a.Model.Config, b.Model.Config = map[string]any{"hops": 3}, map[string]any{"hops": 5}
	b.Model.Training = map[string]any{"phases": []any{map[string]any{"steps": 5}}}
	dir := write(t, map[string]string{"0/record.json": marshal(t, a), "1/record.json": marshal(t, b)})
	if _, err := Read(dir); err == nil || !strings.Contains(err.Error(), "runs of different settings are not one sample") || !strings.Contains(err.Error(), "model.hops=5") {
		t.Error(err)
	}
	changed := Changed(read(t, filepath.Join(dir, "0")), read(t, filepath.Join(dir, "1")))
	if len(changed) != 1 || changed[0] != "pai3 memo: other settings: model.hops=3, no training.phases, now model.hops=5, training.phases (a curriculum)" {
		t.Errorf("%q", changed)
	}
	if same := Changed(read(t, filepath.Join(dir, "0")), read(t, filepath.Join(dir, "0"))); same != nil {
		t.Errorf("%q", same)
	}
}

// Two protocols may be in one set: each is compared with its own, and one that
// the other set lacks is missing, not taken for the other.
func TestTwoProtocolsInOneSet(t *testing.T) {
	lines := func(protocols ...string) *Set {
		text := ""
		for _, p := range protocols {
			text += "protocol: " + p + "\nBenchmarkX/kind=a 1 9" + p + " accuracy\n"
		}
		return read(t, filepath.Join(write(t, map[string]string{"a": text}), "a"))
	}
	pairs, onlyA, onlyB, err := Match(lines("1", "2"), lines("2", "1", "3"))
	if err != nil || len(pairs) != 2 || onlyA != nil || len(onlyB) != 1 {
		t.Fatalf("%d pairs, %d and %d alone, %v", len(pairs), len(onlyA), len(onlyB), err)
	}
	for _, p := range pairs {
		if p.A.Samples[0].Value != p.B.Samples[0].Value {
			t.Errorf("protocol %s with %s", p.A.Config.Protocol, p.B.Config.Protocol)
		}
	}
	if _, onlyA, _, err := Match(lines("1", "2"), lines("1")); err != nil || len(onlyA) != 1 {
		t.Errorf("%d missing, %v", len(onlyA), err)
	}
}

// Runs are the same when all their numbers are, and these are more than a few that
// may agree by chance.
func TestSameRuns(t *testing.T) {
	at := func(text string) *Set { return read(t, filepath.Join(write(t, map[string]string{"a": text}), "a")) }
	const five = "BenchmarkX 1 90 accuracy\nBenchmarkX 1 91 accuracy\nBenchmarkX 1 92 accuracy\nBenchmarkX 1 93 accuracy\nBenchmarkX 1 94 accuracy\n"
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"BenchmarkX 1 98 accuracy\n", "BenchmarkX 1 98 accuracy\n", false},
		{"BenchmarkX 1 98 accuracy 0.123 nats\n", "BenchmarkX 1 98 accuracy 0.123 nats\n", true},
		{"BenchmarkX 1 98 accuracy 0.123 nats\n", "BenchmarkX 1 98 accuracy 0.124 nats\n", false},
		{"BenchmarkX 1 98 accuracy 0.123 nats 5 wall-s\n", "BenchmarkX 1 98 accuracy 0.123 nats 6 wall-s\n", true},
		{five, five, true},
		{five, strings.Replace(five, "90", "95", 1), false},
	} {
		pairs, _, _, err := Match(at(c.a), at(c.b))
		if err != nil {
			t.Fatal(err)
		}
		if got := Same(pairs)(pairs[0].A.Key); got != c.want {
			t.Errorf("%q against %q: %v", c.a, c.b, got)
		}
	}
}
