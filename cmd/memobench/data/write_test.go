package data

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memobench/benchmarks/config"
	"memobench/benchmarks/record"
	"memobench/datasets"
	_ "memobench/datasets/babi"
	_ "memobench/datasets/shortestpath"
)

var update = flag.Bool("update", false, "write SCHEMA.md anew")

// plan returns the plan of a task with a few examples.
func plan(t testing.TB, task string, counts [3]int, set ...string) Plan {
	t.Helper()
	e, ok := datasets.Lookup(task)
	if !ok {
		t.Fatalf("no task %s", task)
	}
	settings := e.Defaults()
	for _, s := range set {
		if err := config.SetTask(settings, s); err != nil {
			t.Fatal(err)
		}
	}
	p, err := NewPlan(task, e, settings)
	if err != nil {
		t.Fatal(err)
	}
	p.Seed, p.Counts = 5, counts
	return p
}

// whole does not end reading.
func whole() error { return nil }

// smallEmbeddings makes generated embeddings small.
var smallEmbeddings = []string{"classes=60", "features=16", "train_items=700", "validation_items=90", "test_items=130"}

func mustWrite(t testing.TB, dir string, p Plan) *Dataset {
	t.Helper()
	h, err := Write(context.Background(), dir, p, nil)
	if err != nil {
		t.Fatal(err)
	}
	d, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(h, d.Header); diff != "" {
		t.Fatalf("the header read is another than that written:\n%s", diff)
	}
	for i := range d.Header.Files {
		if err := d.Verify(&d.Header.Files[i], whole); err != nil {
			t.Error(err)
		}
	}
	return d
}

// examplesOf reads all examples of a split.
func examplesOf(t testing.TB, d *Dataset, split datasets.Split) []Example {
	t.Helper()
	f, ok := d.Header.find(ContentExamples, split.String())
	if !ok {
		t.Fatalf("no examples of %v", split)
	}
	var list []Example
	n := d.Scan(f, func(b *datasets.Batch) error {
		list = append(list, exampleOf(b, 0, d.Header.Kinds))
		return nil
	}, func(err error) { t.Error(err) })
	if n != f.Count || len(list) != f.Count {
		t.Errorf("%v: %d lines, %d examples, want %d", split, n, len(list), f.Count)
	}
	return list
}

// What is read is what the generator draws.
func TestExamplesAreThoseOfTheGenerator(t *testing.T) {
	for task, set := range map[string][]string{
		"pai3": {"classes=60", "sequences=4"}, "pai4": {"classes=90"}, "sp10-2-2": nil, "sp20-3-3": {"labels=random", "targets=random"},
		"sp": {"nodes=12", "length=4", "edges=uniform"},
	} {
		t.Run(task, func(t *testing.T) {
			p := plan(t, task, [3]int{150, 64, 1}, set...)
			d := mustWrite(t, filepath.Join(t.TempDir(), "a", "b"), p)
			spec := p.Source.Spec()
			h := d.Header
			if h.Task != task || h.Seed != 5 || h.Fingerprint != spec.Hash || h.Form != formExamples || len(h.Files) != 4 || !slices.Equal(h.Labels, spec.Caveats.Texts()) {
				t.Errorf("header %+v", h)
			}
			for split, count := range p.Counts {
				got := examplesOf(t, d, datasets.Split(split))
				var want []Example
				for step := 0; len(want) < count; step++ {
					var b datasets.Batch
					if err := p.Source.Batch(&b, datasets.Split(split), p.Seed, step, h.Batch); err != nil {
						t.Fatal(err)
					}
					for i := range b.Size() {
						want = append(want, exampleOf(&b, i, p.Source.Kinds()))
					}
				}
				if diff := cmp.Diff(want[:count], got); diff != "" {
					t.Errorf("%v:\n%s", datasets.Split(split), diff)
				}
			}
			src, same, err := d.Source()
			if err != nil || !same || src.Spec().Hash != spec.Hash {
				t.Errorf("rebuilt from its header: same %v, %v", same, err)
			}
		})
	}
}

// Fewer examples are the beginning of more, and the same ones are the same file.
func TestFewerExamplesAreTheFirst(t *testing.T) {
	var texts []string
	for _, n := range []int{100, 70, 100} {
		d := mustWrite(t, filepath.Join(t.TempDir(), "d"), plan(t, "sp10-2-2", [3]int{n, 1, 1}))
		text, err := os.ReadFile(filepath.Join(d.Dir, "train.jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(text))
	}
	if texts[0] != texts[2] || !strings.HasPrefix(texts[0], texts[1]) || texts[0] == texts[1] {
		t.Error("files of 100 and 70 examples do not begin alike")
	}
}

func TestSchemaIsWritten(t *testing.T) {
	want := schemaMarkdown()
	if *update {
		if err := os.WriteFile(SchemaName, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(SchemaName)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("%s is not up to date (-update writes it):\n%s", SchemaName, diff)
	}
	for _, l := range strings.Split(want, "\n") {
		if strings.HasPrefix(l, "| ") && strings.HasSuffix(l, "|  |") {
			t.Errorf("a key without a meaning: %s", l)
		}
	}
	d := mustWrite(t, filepath.Join(t.TempDir(), "d"), plan(t, "sp10-2-2", [3]int{1, 1, 1}))
	if next, err := os.ReadFile(filepath.Join(d.Dir, SchemaName)); err != nil || string(next) != want {
		t.Errorf("the directory has another one (%v)", err)
	}
}

// The progress ends where everything is done.
func TestProgressOfWritingReachesTheEnd(t *testing.T) {
	for task, set := range map[string][]string{"pai3": {"classes=60"}, "pai3-embeddings": smallEmbeddings, "babi": {"tasks=1,2"}} {
		var done, total int64
		calls := 0
		_, err := Write(context.Background(), filepath.Join(t.TempDir(), "d"), plan(t, task, [3]int{100, 10, 10}, set...), func(file string, d, n int64) {
			if d < done || file == "" {
				t.Errorf("%s: %q, %d after %d", task, file, d, done)
			}
			done, total = d, n
			calls++
		})
		if err != nil || done != total || total == 0 || calls < 3 {
			t.Errorf("%s: %d of %d after %d calls (%v)", task, done, total, calls, err)
		}
	}
}

// entries lists a directory.
func entries(t *testing.T, dir string) string {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range list {
		names = append(names, e.Name())
	}
	return fmt.Sprint(names)
}

func TestAnInterruptionLeavesNothing(t *testing.T) {
	for task, set := range map[string][]string{"pai3": {"classes=60"}, "pai3-embeddings": smallEmbeddings, "babi": {"tasks=1,2"}} {
		parent := t.TempDir()
		ctx, cancel := context.WithCancel(context.Background())
		ticks := 0
		_, err := Write(ctx, filepath.Join(parent, "d"), plan(t, task, [3]int{100, 10, 10}, set...), func(string, int64, int64) {
			if ticks++; ticks == 2 {
				if len(entries(t, parent)) < 5 {
					t.Errorf("%s: nothing is being written", task)
				}
				cancel()
			}
		})
		if err == nil || context.Cause(ctx) == nil || ticks != 2 || entries(t, parent) != "[]" {
			t.Errorf("%s: %v after %d ticks; left: %s", task, err, ticks, entries(t, parent))
		}
	}
}

func TestOnlyAFreeDirectoryIsTaken(t *testing.T) {
	parent := t.TempDir()
	p := plan(t, "sp10-2-2", [3]int{1, 1, 1})
	empty := filepath.Join(parent, "empty")
	if err := os.Mkdir(empty, 0o755); err != nil {
		t.Fatal(err)
	}
	mustWrite(t, empty, p)
	before := entries(t, empty)
	full := filepath.Join(parent, "full")
	if err := os.Mkdir(full, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(full, "mine"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for dir, want := range map[string]string{
		empty: "it contains a dataset already", full: "it is not empty", filepath.Join(full, "mine"): "not a directory",
		filepath.Join(full, "mine", "below"): "not a directory",
	} {
		if _, err := Write(context.Background(), dir, p, nil); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), dir) {
			t.Errorf("%s: %v, want ...%s...", dir, err, want)
		}
	}
	if entries(t, empty) != before || entries(t, full) != "[mine]" || entries(t, parent) != "[empty full]" {
		t.Errorf("left: %s, %s, %s", entries(t, parent), entries(t, empty), entries(t, full))
	}
}

// schemaMarkdown explains a directory of files and every key in them. It is
// written next to the data, and a copy is in this package as SCHEMA.md.
func schemaMarkdown() string {
	return fmt.Sprintf(`# Generated dataset, schema version %d

`+"`memobench data gen`"+` wrote this directory. `+"`memobench data validate`"+` checks it.

| File | Content |
|---|---|
| `+"`dataset.json`"+` | the header: what this is and how it was made, one JSON object |
| `+"`train.jsonl`, `validation.jsonl`, `test.jsonl`"+` | examples, one JSON object per line (forms examples and embeddings) |
| `+"`train.npy`, `validation.npy`, `test.npy`"+` | the items of a split, float32 [items x features] (form embeddings): those that its examples name, in that order, or with --all-items all |
| `+"`train_classes.npy`"+` and so on | the class of each item, int32 [items] (form embeddings) |
| `+"`GENERATED.txt`"+` | says that the items next to it are not embeddings of images (form embeddings) |
| `+"`qaN_*_train.txt`, `qaN_*_test.txt`"+` | bAbI stories in their standard format (form stories) |
| `+"`SIMULATED.txt`"+` | says that the stories next to it are not the official ones (form stories) |

The splits share no item. The same task, settings and seed give the same examples; fewer of them are the first ones of more.
`+"`[]`"+` marks the elements of an array.

## dataset.json

%s
## An example

%s`, schemaVersion, record.FieldTable(record.FieldsOf[Header]()), record.FieldTable(record.FieldsOf[Example]()))
}
