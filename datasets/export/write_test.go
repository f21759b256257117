package export

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"memobench/datasets"
	"memobench/datasets/must"
	"memobench/datasets/shortestpath"
)

// plan exports training batches of shortest paths, and a few questions. Package file tests that what is
// written can be read.
func plan(t testing.TB, steps int) Plan {
	t.Helper()
	src := must.Get(shortestpath.New(*shortestpath.Defaults(10, 2, 2), datasets.Options{}))(t)
	return Plan{
		Task: "sp10-2-2", Seed: 3, Source: src, Formats: []string{"jsonl", "npz", "text"}, Splits: []datasets.Split{datasets.Train, datasets.Test},
		Protocol: Protocol{Hash: "hash"},
		IDs:      func(split datasets.Split) string { return fmt.Sprintf("%v-", split) },
		Batches: func(ctx context.Context, split datasets.Split) iter.Seq2[*datasets.Batch, error] {
			return func(yield func(*datasets.Batch, error) bool) {
				var b datasets.Batch
				for step := range steps {
					err := src.Batch(&b, split, 3, step, 20)
					if ctx.Err() != nil {
						err = ctx.Err()
					}
					if !yield(&b, err) {
						return
					}
				}
			}
		},
	}
}

// names lists a directory.
func names(t *testing.T, dir string) string {
	t.Helper()
	var list []string
	for _, e := range must.Get(os.ReadDir(dir))(t) {
		list = append(list, e.Name())
	}
	return fmt.Sprint(list)
}

// Fewer steps are a prefix of more, and the same number gives the same file, also on standard output.
func TestFewerStepsAreTheFirst(t *testing.T) {
	var texts []string
	for _, n := range []int{5, 3, 5} {
		p, dir := plan(t, n), filepath.Join(t.TempDir(), "a", "b")
		h := must.Get(Write(t.Context(), dir, p, nil))(t)
		if read := must.Get(ParseHeader(must.Get(os.ReadFile(filepath.Join(dir, HeaderName)))(t)))(t); !slices.Equal(read.Files, h.Files) || read.Seed != 3 {
			t.Errorf("the header read is another: %+v, want %+v", read, h)
		}
		text := string(must.Get(os.ReadFile(filepath.Join(dir, "train.jsonl")))(t))
		var out strings.Builder
		if err := p.Stream(t.Context(), &out, datasets.Train, false); err != nil || out.String() != text {
			t.Errorf("the stream is another one (%v)", err)
		}
		line, _ := json.Marshal(p.Header())
		out.Reset()
		if err := p.Stream(t.Context(), &out, datasets.Train, true); err != nil || out.String() != string(line)+"\n"+text {
			t.Errorf("the stream with a header is another one (%v)", err)
		}
		texts = append(texts, text)
		if want := "[SCHEMA.md dataset.json memobench_common memobench_kinds.py memobench_sp10-2-2.yaml memobench_sp10-2-2_path.yaml test.jsonl test.npz test.text.jsonl train.jsonl train.npz train.text.jsonl]"; names(t, dir) != want {
			t.Errorf("%s, want %s", names(t, dir), want)
		}
	}
	if texts[0] != texts[2] || !strings.HasPrefix(texts[0], texts[1]) || texts[0] == texts[1] {
		t.Error("files of 5 and 3 steps do not begin alike")
	}
}

func TestAnInterruptionLeavesNothing(t *testing.T) {
	parent := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	ticks := 0
	_, err := Write(ctx, filepath.Join(parent, "d"), plan(t, 10), func(file string, done, total int64) {
		if ticks++; ticks == 2 {
			cancel()
		}
		if file != "train.jsonl" || done != int64(20*ticks) {
			t.Errorf("%s: %d after %d ticks", file, done, ticks)
		}
	})
	if err == nil || ticks != 2 || names(t, parent) != "[]" {
		t.Errorf("%v after %d ticks; left: %s", err, ticks, names(t, parent))
	}
}

// What a killed process left is removed, also behind a link, and a living one is not disturbed.
func TestStageTakesOverWhatAKilledProcessLeft(t *testing.T) {
	parent := t.TempDir()
	left := filepath.Join(parent, ".writing-out")
	must.Do(t, os.MkdirAll(filepath.Join(left, "half"), 0o755))
	must.Do(t, os.WriteFile(filepath.Join(left, "half", "record.json"), nil, 0o644))
	must.Do(t, os.Mkdir(filepath.Join(parent, "out"), 0o755))
	link := filepath.Join(parent, "link")
	must.Do(t, os.Symlink("out", link))
	fill := func(staged string) error {
		if err := Stage(filepath.Join(parent, "out"), func(string) error { return nil }); err == nil || !strings.Contains(err.Error(), "another process") {
			t.Errorf("two at a time: %v", err)
		}
		return os.WriteFile(filepath.Join(staged, "a"), nil, 0o666)
	}
	must.Do(t, Stage(link, fill))
	if names(t, parent) != "[link out]" || names(t, filepath.Join(parent, "out")) != "[a]" {
		t.Errorf("there are %s, in out %s", names(t, parent), names(t, filepath.Join(parent, "out")))
	}
	if target, err := os.Readlink(link); err != nil || target != "out" {
		t.Errorf("the link leads to %s (%v)", target, err)
	}
	t.Chdir(filepath.Join(parent, "out"))
	must.Do(t, os.Remove("a"))
	must.Do(t, Stage(".", func(staged string) error { return os.WriteFile(filepath.Join(staged, "b"), nil, 0o666) }))
	if names(t, filepath.Join(parent, "out")) != "[b]" {
		t.Errorf("the present directory has %s", names(t, filepath.Join(parent, "out")))
	}
}

func TestOnlyAFreeDirectoryIsTaken(t *testing.T) {
	parent := t.TempDir()
	empty, full := filepath.Join(parent, "empty"), filepath.Join(parent, "full")
	must.Do(t, os.Mkdir(empty, 0o755))
	must.Do(t, os.Mkdir(full, 0o755))
	must.Do(t, os.WriteFile(filepath.Join(full, "mine"), nil, 0o644))
	must.Get(Write(t.Context(), empty, plan(t, 1), nil))(t)
	for dir, want := range map[string]string{empty: "not empty", full: "not empty", filepath.Join(full, "mine"): "not a directory"} {
		if _, err := Write(t.Context(), dir, plan(t, 1), nil); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), dir) {
			t.Errorf("%s: %v, want ...%s...", dir, err, want)
		}
	}
	if names(t, full) != "[mine]" || names(t, parent) != "[empty full]" {
		t.Errorf("left: %s, %s", names(t, parent), names(t, full))
	}
}

func TestDraw(t *testing.T) {
	src := plan(t, 1).Source
	list, err := Draw(src, Pick{Kind: "path", N: 2, Split: datasets.Test})
	if err != nil || len(list) != 2 || list[1].Kind != "path" || len(list[0].Rows) != 20 || !strings.HasPrefix(list[0].Text[0], "path from ") {
		t.Errorf("%+v, %v", list, err)
	}
	mute := struct{ datasets.Source }{src}
	if list, err := Draw(mute, Pick{N: 1}); err != nil || len(list) != 1 || list[0].Text != nil {
		t.Errorf("a source that does not print: %+v, %v", list, err)
	}
	var out strings.Builder
	must.Do(t, WriteExamples(&out, src, Pick{N: 2, Split: datasets.Validation}))
	if !strings.HasPrefix(out.String(), "sp10-2-2, validation split\n\npath from ") || strings.Count(out.String(), "path from ") != 2 {
		t.Errorf("written\n%s", &out)
	}
}
