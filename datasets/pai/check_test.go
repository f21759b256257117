package pai

import (
	"errors"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"memobench/datasets/tfrecord/tfrecordtest"
)

func TestShardsAreFoundInEveryForm(t *testing.T) {
	dir := t.TempDir()
	r := smallRelease(3)
	r.write(t, filepath.Join(dir, "length3"))
	for path, want := range map[string]int{
		dir:                                    8,
		filepath.Join(dir, "length3"):          8,
		filepath.Join(dir, "length3/train"):    4,
		r.shardPath(dir+"/length3", 0, 2):      1,
		filepath.Join(dir, "length3/valid/.."): 8,
	} {
		if got, err := Shards(path); err != nil || len(got) != want {
			t.Errorf("%s: %d shards, want %d (%v)", path, len(got), want, err)
		}
	}
	text := filepath.Join(dir, "a.txt")
	if err := os.WriteFile(text, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{t.TempDir(), filepath.Join(dir, "nowhere"), text} {
		if got, err := Shards(path); !errors.Is(err, fs.ErrNotExist) || got != nil {
			t.Errorf("%s: %q, %v", path, got, err)
		}
	}
}

// check checks all shards and returns the numbers of records and the errors.
func check(t *testing.T, dir string) (records int, problems []string) {
	t.Helper()
	paths, err := Shards(dir)
	if err != nil {
		t.Fatal(err)
	}
	var c ShardChecker
	for _, path := range paths {
		records += c.Check(path, func(err error) { problems = append(problems, err.Error()) })
	}
	return records, problems
}

func TestGoodShardsHaveNoErrors(t *testing.T) {
	for _, length := range []int{3, 4} {
		r := smallRelease(length)
		r.left, r.right = 7, -2
		if n, problems := check(t, r.write(t, t.TempDir())); n != 34 || problems != nil {
			t.Errorf("length %d: %d records, errors %q", length, n, problems)
		}
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
	wide, long, swapped := r, smallRelease(4), r
	wide.dim = 6
	swapped.left, swapped.right = r.right, r.left
	bad := []struct {
		record []byte
		want   string
	}{
		{[]byte("tiny"), "a record of 4 bytes holds no trials"},
		{slices.Repeat([]byte{0xff}, 100), "no field of a message"},
		{with("trial_type", tfrecordtest.Ints()), "feature trial_type: 0 values"},
		{with("memory", tfrecordtest.Floats(slices.Repeat([]float32{float32(math.NaN())}, 80)...)), "value 0 of the feature is NaN"},
		{example(wide.features(rng)), "dim:6}, want {sequences:4 trials:12 rows:8 dim:5} as the first one"},
		{example(long.features(rng)), "{sequences:4 trials:24 rows:12 dim:5}, want {sequences:4 trials:12 rows:8 dim:5} as the first one"},
		{example(swapped.features(rng)), "which earlier trials contradict"},
	}
	dir := r.write(t, t.TempDir())
	records := [][]byte{good()}
	for _, b := range bad {
		records = append(records, b.record, good())
	}
	r.rewrite(t, dir, records...)
	n, problems := check(t, dir)
	if n != 29+len(records) || len(problems) < len(bad) {
		t.Fatalf("%d records, want %d; errors %q", n, 29+len(records), problems)
	}
	for i, b := range bad {
		ok := slices.ContainsFunc(problems, func(p string) bool {
			return strings.Contains(p, b.want) && strings.Contains(p, "trials-00000-of-00004: offset ")
		})
		if !ok {
			t.Errorf("bad record %d: no %q in %q", i, b.want, problems)
		}
	}
	if len(problems) != len(bad) {
		t.Errorf("%d errors, want %d: %q", len(problems), len(bad), problems)
	}

	// The first record is found behind those that are none.
	r.rewrite(t, dir, with("trial_type", tfrecordtest.Ints()), slices.Repeat([]byte{0xff}, 100), good())
	if n, problems := check(t, dir); n != 32 || len(problems) != 2 {
		t.Errorf("%d records, want 32; errors %q", n, problems)
	}
}

func TestChecksumsAndLengthsAreReported(t *testing.T) {
	r := smallRelease(3)
	dir := r.write(t, t.TempDir())
	flip := func(path string, at int) {
		t.Helper()
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		data[at] ^= 1
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	flip(r.shardPath(dir, 0, 0), 50) // data: the records behind are read
	flip(r.shardPath(dir, 0, 1), 3)  // length: nothing behind can be
	if err := os.Remove(r.shardPath(dir, 2, 1)); err != nil {
		t.Fatal(err)
	}
	n, problems := check(t, dir)
	if n != 34-5-4 || len(problems) != 2 || !strings.Contains(problems[0], "offset 12: checksum of the ") ||
		!strings.Contains(problems[1], "offset 0: checksum of the length") {
		t.Errorf("%d records, errors %q", n, problems)
	}
	var c ShardChecker
	c.Check(filepath.Join(dir, "trials-00000-of-00001"), func(err error) {
		if !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("no file: %v", err)
		}
		problems = nil
	})
	if problems != nil {
		t.Error("a file that is not there is no error")
	}
}
