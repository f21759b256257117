package sweep

import (
	"slices"
	"strings"
	"testing"
)

func TestShardsPartitionTheCells(t *testing.T) {
	cells := cellsOf(t, tinyGrid, Change{})
	for n := 1; n <= len(cells)+3; n++ {
		var together []string
		least, most := len(cells), 0
		for i := range n {
			part := Shard{i, n}.Pick(cells)
			least, most = min(least, len(part)), max(most, len(part))
			for _, c := range part {
				together = append(together, c.Hash())
			}
		}
		var want []string
		for _, c := range cells {
			want = append(want, c.Hash())
		}
		slices.Sort(together)
		slices.Sort(want)
		if !slices.Equal(together, want) {
			t.Errorf("%d shards: not every cell once", n)
		}
		if most-least > 1 {
			t.Errorf("%d shards have %d to %d cells", n, least, most)
		}
	}
}

func TestParseShard(t *testing.T) {
	for text, want := range map[string]Shard{"0/1": {0, 1}, "3/4": {3, 4}} {
		if got, err := ParseShard(text); err != nil || got != want {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
	for text, want := range map[string]string{
		"4/4": "want 0 to 3", "-1/4": "want 0 to 3", "1/0": "1 shard or more", "1": "want index/count",
		"a/b": "want index/count", "": "want index/count", "1/2/3": "want index/count",
	} {
		if _, err := ParseShard(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
}

func TestShardFromTheEnvironment(t *testing.T) {
	for _, c := range []struct {
		env   string
		count int
		want  Shard
		err   string
	}{
		{"", 0, Whole, ""},
		{"", 3, Whole, "says which one this is"},
		{"SLURM_ARRAY_TASK_ID=5", 8, Shard{5, 8}, ""},
		{"SLURM_ARRAY_TASK_ID=8", 8, Whole, "want 0 to 7"},
		{"SLURM_ARRAY_TASK_ID=5", 0, Whole, "does not say how many"},
		{"SLURM_ARRAY_TASK_ID=x", 4, Whole, `SLURM_ARRAY_TASK_ID="x"`},
		{"JOB_COMPLETION_INDEX=2", 5, Shard{2, 5}, ""},
		{"JOB_COMPLETION_INDEX=2", 0, Whole, "does not say how many"},
		{"JOB_COMPLETION_INDEX=5", 5, Whole, "want 0 to 4"},
	} {
		vars := map[string]string{}
		for _, v := range strings.Fields(c.env) {
			name, value, _ := strings.Cut(v, "=")
			vars[name] = value
		}
		got, _, err := EnvShard(func(name string) string { return vars[name] }, c.count)
		switch {
		case c.err == "" && (err != nil || got != c.want):
			t.Errorf("%s, count %d: %v, %v, want %v", c.env, c.count, got, err, c.want)
		case c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)):
			t.Errorf("%s, count %d: error %v, want %q", c.env, c.count, err, c.err)
		}
	}
}
