package pai

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"memobench/datasets/tfrecord"
	"memobench/datasets/tfrecord/tfrecordtest"
)

func mustSurvey(t *testing.T, dir string, perShard int) []Survey {
	t.Helper()
	all, err := SurveyReleased(dir, perShard)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestSurveySaysWhatIsThere(t *testing.T) {
	dir := t.TempDir()
	for _, length := range []int{3, 4} {
		smallRelease(length).write(t, filepath.Join(dir, fmt.Sprintf("length%d", length)))
	}
	all := mustSurvey(t, dir, 0)
	if len(all) != 2 {
		t.Fatalf("%d surveys, want 2", len(all))
	}
	for i, s := range all {
		r := smallRelease(3 + i)
		if s.Length != r.length || len(s.Splits) != 3 || s.Shared != 0 {
			t.Fatalf("length %d: %+v", r.length, s)
		}
		for split, got := range s.Splits {
			records := r.shards[split] * r.records[split]
			kinds := len(trialTypes[r.length])
			if got.Shards != r.shards[split] || got.Of != r.shards[split] || got.Records != records || got.Read != records ||
				got.Items != records*r.sequences*r.length || got.Problems != nil {
				t.Errorf("length %d: %+v", r.length, got)
			}
			if len(got.Trials) != kinds {
				t.Errorf("trials %+v", got.Trials)
			}
			for k, trials := range got.Trials {
				letters := trialTypes[r.length][k]
				want := TrialSurvey{int64(k + 1), letters[:1] + "-" + letters[1:], int64(letters[1]-letters[0]) - 1, records * r.sequences}
				if trials != want {
					t.Errorf("trials %+v, want %+v", trials, want)
				}
			}
			left, right := got.Answers["left"], got.Answers["right"]
			if len(got.Answers) != 2 || len(left) != 1 || len(right) != 1 || left[0]+right[1] != records*r.sequences*kinds {
				t.Errorf("answers %v", got.Answers)
			}
		}
		var names, shapes []string
		for _, f := range s.Splits[0].Features {
			names = append(names, f.Name+" "+f.Type)
			shapes = append(shapes, f.shape())
		}
		if want := []string{"correct_answer int64", "difficulty int64", "memory float32", "trial_type int64", "trials float32"}; !slices.Equal(names, want) {
			t.Errorf("features %q, want %q", names, want)
		}
		if want := []string{"12", "12", "8 x 2 x 5", "12", "12 x 3 x 5"}; i == 0 && !slices.Equal(shapes, want) {
			t.Errorf("shapes %q, want %q", shapes, want)
		}
	}
	if got := mustSurvey(t, filepath.Join(dir, "length3"), 2)[0].Splits[0]; got.Records != 20 || got.Read != 8 {
		t.Errorf("two records of each shard: %d of %d were read", got.Read, got.Records)
	}
}

func TestSurveyIsWritten(t *testing.T) {
	dir := t.TempDir()
	r := smallRelease(3)
	r.write(t, dir)
	for _, gone := range []string{"train", "valid"} {
		os.RemoveAll(filepath.Join(dir, gone))
	}
	os.Remove(r.shardPath(dir, 2, 1))
	s := mustSurvey(t, dir, 0)[0]
	left, right := s.Splits[0].Answers["left"][0], s.Splits[0].Answers["right"][1]
	if left+right != 48 || left < 10 || right < 10 {
		t.Errorf("answers %v", s.Splits[0].Answers)
	}
	for i := range s.Splits[0].Features { // as drawn
		s.Splits[0].Features[i].Lowest, s.Splits[0].Features[i].Highest = 0.25, 0.75
	}
	s.Splits[0].Features[0].NotFinite = 3
	s.Dir, s.Splits[0].Bytes = "DIR", 1000
	var out strings.Builder
	if err := s.WriteText(&out); err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprintf(`DIR: trials on sequences of 3
test: 1 of 2 shards, 4 records, 1000 bytes; read 4 records with 48 distinct items
  feature         type     shape       records  lowest  highest
  correct_answer  int64    12          4        0.25    0.75  3 values not finite
  difficulty      int64    12          4        0.25    0.75
  memory          float32  8 x 2 x 5   4        0.25    0.75
  trial_type      int64    12          4        0.25    0.75
  trials          float32  12 x 3 x 5  4        0.25    0.75
  trial_type 1 (A-B), difficulty 0: 16 trials
  trial_type 2 (B-C), difficulty 0: 16 trials
  trial_type 3 (A-C), difficulty 1: 16 trials
  correct_answer where the chain leads to left: 0 in %d trials
  correct_answer where the chain leads to right: 1 in %d trials
`, left, right)
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", &out, want)
	}
}

// A survey describes what is no task too.
func TestSurveyNamesWhatMakesNoTask(t *testing.T) {
	r := smallRelease(3)
	good := func() map[string][]byte { return r.features(rand.New(rand.NewPCG(2, 2))) }
	broken := func(name string, f []byte) []byte {
		features := good()
		if features[name] = f; f == nil {
			delete(features, name)
		}
		return example(features)
	}
	long := smallRelease(4)
	for name, c := range map[string]struct {
		second []byte
		want   string
	}{
		"no types":        {broken("trial_type", nil), "record without the feature trial_type"},
		"no memory":       {broken("memory", nil), "record without the feature memory"},
		"difficulty":      {broken("difficulty", tfrecordtest.Ints(1)), "feature difficulty: 1 values, want 12"},
		"negative type":   {broken("trial_type", tfrecordtest.Ints(slices.Repeat([]int64{-1}, 12)...)), "feature trial_type: -1, want 1 to 3"},
		"another length":  {example(long.features(rand.New(rand.NewPCG(2, 2)))), "sequences of 4, of 3 in earlier records"},
		"not finite":      {broken("memory", tfrecordtest.Floats(slices.Repeat([]float32{float32(math.NaN())}, 80)...)), "value 0 of the feature is NaN"},
		"other features":  {tfrecordtest.Example(tfrecordtest.Feature("text", tfrecordtest.Bytes(strings.Repeat("x", 80)))), "record without the feature trial_type"},
		"an empty record": {slices.Repeat([]byte{9 << 3, 1}, 40), "record without the feature trial_type"},
	} {
		dir := r.write(t, t.TempDir())
		r.rewrite(t, dir, example(good()), c.second)
		s := mustSurvey(t, dir, 0)[0]
		p := s.Splits[0].Problems
		if len(p) != 1 || !strings.Contains(p[0], c.want) || !strings.Contains(p[0], "trials-00000-of-00004: offset ") || s.Splits[0].Read != 17 {
			t.Errorf("%s: %q, want ...%s...", name, p, c.want)
		}
		var out strings.Builder
		if err := s.WriteText(&out); err != nil || !strings.Contains(out.String(), "  no task: ") {
			t.Errorf("%s: %v\n%s", name, err, &out)
		}
	}

	// An item that is in two splits.
	dir := r.write(t, t.TempDir())
	r.rewrite(t, dir, example(good()))
	tfrecordtest.Write(t, r.shardPath(dir, 2, 1), example(good()))
	if s := mustSurvey(t, dir, 0)[0]; s.Shared != 12 {
		t.Errorf("%d shared items, want 12", s.Shared)
	}
}

func TestSurveyOfBrokenFilesNamesTheOffset(t *testing.T) {
	r := smallRelease(3)
	dir := r.write(t, t.TempDir())
	path := r.shardPath(dir, 1, 0)
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	file[50] ^= 1
	if err := os.WriteFile(path, file, 0o666); err != nil {
		t.Fatal(err)
	}
	var where *tfrecord.Error
	if _, err := SurveyReleased(dir, 0); !errors.As(err, &where) || where.File != path || where.Offset != 12 {
		t.Errorf("a flipped bit: %v", err)
	}
	if err := os.Truncate(path, 70); err != nil {
		t.Fatal(err)
	}
	if _, err := SurveyReleased(dir, 0); !errors.As(err, &where) || where.Offset != 0 {
		t.Errorf("a truncated file: %v", err)
	}
	r.rewrite(t, dir, slices.Repeat([]byte{0xff}, 100))
	if _, err := SurveyReleased(dir, 0); !errors.As(err, &where) || !strings.Contains(err.Error(), "no field of a message") {
		t.Errorf("no message: %v", err)
	}
	if _, err := SurveyReleased(t.TempDir(), 0); err == nil || !strings.Contains(err.Error(), "no folders train, valid or test there") {
		t.Errorf("an empty directory: %v", err)
	}
}

func TestSurveyTellsHowFarItIs(t *testing.T) {
	dir := t.TempDir()
	for _, length := range []int{3, 4} {
		smallRelease(length).write(t, filepath.Join(dir, fmt.Sprintf("length%d", length)))
	}
	enough := errors.New("enough")
	calls := 0
	_, err := SurveyReleasedFunc(dir, 1, func(shard string, done, total int) error {
		if done != calls || total != 16 || !strings.Contains(shard, "trials-") {
			t.Errorf("%s: %d of %d, want %d of 16", shard, done, total, calls)
		}
		if calls++; calls == 12 {
			return enough
		}
		return nil
	})
	if !errors.Is(err, enough) || calls != 12 {
		t.Errorf("%v after %d shards", err, calls)
	}
}
