package pai

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"memobench/datasets/must"
	"memobench/datasets/tfrecord/tfrecordtest"
)

// check checks the shards of a directory and returns the number of records and the
// errors.
func check(t *testing.T, dir string) (records int, problems []string) {
	t.Helper()
	dirs, err := ReleasedDirs(dir)
	if err != nil || len(dirs) != 1 {
		t.Fatalf("%q, %v", dirs, err)
	}
	_, records = CheckReleased(dirs[0], func() error { return nil }, func(err error) { problems = append(problems, err.Error()) })
	return records, problems
}

func TestGoodShardsHaveNoErrors(t *testing.T) {
	for length, below := range map[int]string{3: "length3", 4: "."} {
		r := smallRelease(length)
		r.left, r.right = 7, -2
		dir := t.TempDir()
		r.write(t, filepath.Join(dir, below))
		if n, problems := check(t, dir); n != 34 || problems != nil {
			t.Errorf("length %d: %d records, errors %q", length, n, problems)
		}
	}
	if dirs, err := ReleasedDirs(t.TempDir()); dirs != nil || err != nil {
		t.Errorf("an empty directory: %q, %v", dirs, err)
	}
}

// Every bad record of a shard is found, and the good ones between them are not.
func TestEveryBadRecordIsReported(t *testing.T) {
	r := smallRelease(3)
	rng := rand.New(rand.NewPCG(2, 2))
	good := func() []byte { return example(r.features(rng)) }
	with := func(name string, f []byte) []byte {
		features := r.features(rng)
		features[name] = f
		return example(features)
	}
	wide, swapped := r, r
	wide.dim = 6
	swapped.left, swapped.right = r.right, r.left
	bad := []struct {
		record []byte
		want   string
	}{
		{slices.Repeat([]byte{0xff}, 100), "no field of a message"},
		{with("trial_type", tfrecordtest.Ints()), "feature trial_type: no values"},
		{with("memory", tfrecordtest.Floats(slices.Repeat([]float32{float32(math.NaN())}, 80)...)), "value 0 of the feature is NaN"},
		{example(wide.features(rng)), "dim:6}, want {sequences:4 trials:12 rows:8 dim:5} as the first one"},
		{example(smallRelease(4).features(rng)), "feature memory: 120 values, want 16 x 2 x features"},
		{example(swapped.features(rng)), "where the chain of the cue has the"},
	}
	dir := r.write(t, t.TempDir())
	records := [][]byte{good()}
	for _, b := range bad {
		records = append(records, b.record, good())
	}
	r.rewrite(t, dir, records...)
	n, problems := check(t, dir)
	if n != 29+len(records) || len(problems) != len(bad) {
		t.Fatalf("%d records, want %d; errors %q", n, 29+len(records), problems)
	}
	for i, b := range bad {
		if !strings.Contains(problems[i], b.want) || !strings.Contains(problems[i], "trials-00000-of-00004: offset ") {
			t.Errorf("bad record %d: no %q in %q", i, b.want, problems[i])
		}
	}
}

// A wrong checksum of data is one error; after a wrong length nothing can be read.
func TestChecksumsAndLengthsAreReported(t *testing.T) {
	r := smallRelease(3)
	dir := r.write(t, t.TempDir())
	flip := func(at int) {
		t.Helper()
		path := r.shardPath(dir, 0, 1)
		data := must.Get(os.ReadFile(path))(t)
		data[at] ^= 1
		must.Do(t, os.WriteFile(path, data, 0o666))
	}
	flip(50)
	if n, problems := check(t, dir); n != 34 || len(problems) != 1 || !strings.Contains(problems[0], "offset 12: checksum of the ") {
		t.Errorf("%d records, errors %q", n, problems)
	}
	flip(3)
	if n, problems := check(t, dir); n != 0 || len(problems) != 1 || !strings.Contains(problems[0], "offset 0: checksum of the length") {
		t.Errorf("%d records, errors %q", n, problems)
	}
}
