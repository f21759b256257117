package data

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"memobench/datasets/babi"
	"memobench/datasets/must"
	"memobench/datasets/npy/npytest"
	_ "memobench/datasets/pai"
	_ "memobench/datasets/shortestpath"
	"memobench/datasets/tfrecord/tfrecordtest"
)

func mustCheck(t *testing.T, path string) *Validation {
	t.Helper()
	return must.Get(Validate(context.Background(), path, nil))(t)
}

// want checks the number of errors and that each of parts is in one of the
// first.
func (r *Validation) want(t *testing.T, n int, parts ...string) {
	t.Helper()
	if r.Errors != n || len(r.First) != min(n, shown) {
		t.Errorf("%s: %d errors, %d shown, want %d: %q", r.Path, r.Errors, len(r.First), n, r.First)
	}
	for _, p := range parts {
		if !slices.ContainsFunc(r.First, func(e string) bool { return strings.Contains(e, p) }) {
			t.Errorf("%s: no %q among %q", r.Path, p, r.First)
		}
	}
}

func (p *Part) n(what string) int {
	for _, c := range p.Counts {
		if c.What == what {
			return c.N
		}
	}
	return -1
}

func write(t *testing.T, dir string, texts map[string]string) {
	t.Helper()
	for name, text := range texts {
		path := filepath.Join(dir, name)
		must.Do(t, os.MkdirAll(filepath.Dir(path), 0o755))
		must.Do(t, os.WriteFile(path, []byte(text), 0o644))
	}
}

const story = "1 Mary went to the office.\n2 Where is Mary?\toffice\t1\n"

func TestStoriesAreChecked(t *testing.T) {
	dir := t.TempDir()
	bad := strings.Repeat("1 Mary sat.\n2 Where is Mary?\n3 Who sat?\tmary\t7\n", 8)
	write(t, dir, map[string]string{"en-10k/qa1_train.txt": story + story, "en-10k/qa2_test.txt": bad, "en-10k/qa1_test.txt": story, "mine.txt": story})
	r := mustCheck(t, dir)
	r.want(t, 16, "qa2_test.txt:2: missing answer", `qa2_test.txt:3: supporting fact "7"`)
	if p := r.Parts[0]; p.Files != 3 || p.n("stories") != 11 || p.n("questions") != 3 || p.Form != "bAbI stories" {
		t.Errorf("%+v", p)
	}
	if !slices.Equal(r.Notes, []string{"no training file of tasks 2-20", "no test file of tasks 3-20"}) {
		t.Errorf("notes %q", r.Notes)
	}
	var out strings.Builder
	if err := r.WriteText(&out); err != nil || !strings.Contains(out.String(), ": bAbI stories, 3 files, 11 stories, 3 questions: 16 errors\n  "+dir) ||
		!strings.Contains(out.String(), "  and 6 more\nnote: no training") {
		t.Errorf("%v\n%s", err, &out)
	}
	alone := t.TempDir()
	write(t, alone, map[string]string{"qa1_train.txt": story})
	if r := mustCheck(t, alone); !slices.Equal(r.Notes, []string{"no training file of tasks 2-20", "no test file of tasks 1-20"}) {
		t.Errorf("a directory of one file: notes %q", r.Notes)
	}
	single := mustCheck(t, filepath.Join(dir, "mine.txt"))
	single.want(t, 0)
	if len(single.Notes) > 0 {
		t.Errorf("a file: notes %q", single.Notes)
	}
	out.Reset()
	if err := single.WriteText(&out); err != nil || !strings.HasSuffix(out.String(), "mine.txt: bAbI stories, 1 file, 1 story, 1 question: no errors\n") {
		t.Errorf("%v\n%s", err, &out)
	}
	write(t, dir, map[string]string{"en-10k/" + babi.Marker: "x"})
	if p := mustCheck(t, dir).Parts[0]; p.Form != "simulated bAbI stories" {
		t.Errorf("%+v", p)
	}
}

func TestArraysAreChecked(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "odd [name]*") // no pattern
	must.Do(t, os.Mkdir(dir, 0o755))
	items := make([]float32, 40*3)
	classes := make([]int64, 40)
	for i := range items {
		items[i] = float32(i + 1)
		classes[i/3] = int64(i / 3 % 10)
	}
	put := func() {
		npytest.Write(t, filepath.Join(dir, "test.npy"), "<f4", items, 40, 3)
		npytest.Write(t, filepath.Join(dir, "test_classes.npy"), "<i8", classes, 40)
	}
	put()
	r := mustCheck(t, dir)
	r.want(t, 0)
	if p := r.Parts[0]; p.Form != "arrays" || p.Files != 2 || p.n("numbers") != 160 || len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "test: 40 items of 10 classes") {
		t.Errorf("%+v", r)
	}
	mustCheck(t, filepath.Join(dir, "test.npy")).want(t, 0)
	for name, c := range map[string]struct {
		fault  func()
		errors int
		want   string
	}{
		"not finite": {func() {
			x := slices.Clone(items)
			x[4] = float32(math.NaN())
			npytest.Write(t, filepath.Join(dir, "test.npy"), "<f4", x, 40, 3)
		}, 1, "test.npy: offset 144: value 4 is NaN"},
		"negative classes": {func() {
			npytest.Write(t, filepath.Join(dir, "test_classes.npy"), "<i8", slices.Repeat([]int64{-1}, 40), 40)
		}, 40, "test_classes.npy: offset 128: class -1 of item 0"},
		"classes of floats": {func() { npytest.Write(t, filepath.Join(dir, "test_classes.npy"), "<f4", make([]float32, 40), 40) }, 1,
			"classes of type float32, want integers"},
		"too few classes": {func() { npytest.Write(t, filepath.Join(dir, "test_classes.npy"), "<i8", classes[:20], 20) }, 1, "want one class for each of the 40 items"},
		"no classes":      {func() { os.Remove(filepath.Join(dir, "test_classes.npy")) }, 1, "classes of "},
		"truncated":       {func() { os.Truncate(filepath.Join(dir, "test.npy"), 200) }, 1, "test.npy: offset 200: 72 bytes of data, want 480"},
		"no array":        {func() { os.WriteFile(filepath.Join(dir, "test.npy"), []byte("x"), 0o644) }, 1, "test.npy: offset 0: not an .npy file"},
	} {
		t.Run(name, func(t *testing.T) {
			put()
			c.fault()
			mustCheck(t, dir).want(t, c.errors, c.want)
		})
	}
}

func TestShardsAreChecked(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "length3", "train", "trials-00000-of-00001")
	write(t, dir, map[string]string{"length3/train/trials-00000-of-00001": ""})
	tfrecordtest.Write(t, path, slices.Repeat([]byte{0xff}, 100))
	r := mustCheck(t, dir)
	r.want(t, 1, path+": offset 12: no field of a message")
	if r.Parts[0].Form != "released PAI shards" {
		t.Errorf("%+v", r.Parts[0])
	}
	write(t, dir, map[string]string{"length3/train/trials-00001-of-00007": ""})
	if _, err := Validate(context.Background(), dir, nil); err == nil || !strings.Contains(err.Error(), "keep those of one set") {
		t.Errorf("two sets: %v", err)
	}
}

func TestNothingToCheckIsAnError(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"sub/picture.png": "x", "lonely.jsonl": "{}"})
	for path, want := range map[string]string{
		dir: "no data there: no dataset.json, no folders of shards trials-NNNNN-of-NNNNN, no .npy files", filepath.Join(dir, "none"): "no such file",
		filepath.Join(dir, "lonely.jsonl"): "which is not in their directory",
	} {
		if _, err := Validate(context.Background(), path, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want ...%s...", path, err, want)
		}
	}
	mustCheck(t, filepath.Join(dir, "sub/picture.png")).want(t, 1, "picture.png:1: malformed line")
}

func TestValidationEndsWithTheContext(t *testing.T) {
	dir := generate(t, "pai3", "classes=60")
	ctx, cancel := context.WithCancel(context.Background())
	ticks := 0
	_, err := Validate(ctx, dir, func(file string, done, total int64) {
		if ticks++; done != 0 || total != 4 || file == "" {
			t.Errorf("%q, %d of %d", file, done, total)
		}
		cancel()
	})
	if !errors.Is(err, context.Canceled) || ticks != 1 {
		t.Errorf("%v after %d ticks", err, ticks)
	}
	if _, err := Validate(ctx, filepath.Join(dir, "none"), nil); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}
