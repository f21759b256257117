package data

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memobench/benchmarks/config"
	"memobench/benchmarks/evaluate"
	"memobench/datasets"
	_ "memobench/datasets/babi"
	"memobench/datasets/must"
	"memobench/datasets/npy"
	"memobench/datasets/pai"
	_ "memobench/datasets/shortestpath"
)

var update = flag.Bool("update", false, "write SCHEMA.md, and that of package record, anew")

// plan returns the plan of a task with the given numbers of training examples and of
// questions per kind for validation and test. The stories of bAbI are files.
func plan(t testing.TB, task string, counts [3]int, set ...string) Plan {
	t.Helper()
	e, ok := datasets.Lookup(task)
	if !ok {
		t.Fatalf("no task %s", task)
	}
	settings := e.Defaults()
	for _, s := range set {
		must.Do(t, config.SetTask(settings, s))
	}
	if e.ReadsData {
		p := must.Get(FilesOf(task, e, settings))(t)
		p.Seed, p.Train, p.Test = 5, counts[0], counts[2]
		return p
	}
	src := must.Get(e.New(settings, datasets.Options{}))(t)
	cell := &config.Cell{Preset: "test", Task: task, Settings: settings, Seed: 5, Protocol: config.Protocol{
		BatchSize: max(1, counts[0]), Steps: 1, EvaluateEvery: 1, Selection: config.SelectFinal,
		ValidationPerKind: max(1, counts[1]), TestPerKind: max(1, counts[2]), ValidationSeed: 6, TestSeed: 7,
	}}
	return must.Get(NewExport(t.Context(), cell, src, min(1, counts[0]), []string{"jsonl"}))(t)
}

// Training batches with a mixture are refused where training would refuse it: of a task that
// draws its kinds by itself. The questions have no mixture.
func TestExportOfAMixtureNeedsATaskThatMixes(t *testing.T) {
	p := plan(t, "sp10-2-2", [3]int{4, 4, 4})
	p.cell.Protocol.Mixture = "path:2"
	for _, steps := range []int{0, 1, -1} {
		_, err := NewExport(t.Context(), p.cell, p.source, steps, []string{"jsonl"})
		if _, refused := errors.AsType[*config.SettingError](err); refused != (steps != 0) || !refused && err != nil {
			t.Errorf("%d training batches: %v", steps, err)
		}
	}
}

// whole does not end reading.
func whole() error { return nil }

// smallEmbeddings makes generated embeddings small.
var smallEmbeddings = []string{"classes=60", "features=16", "train_items=700", "validation_items=90", "test_items=130"}

func mustWrite(t testing.TB, dir string, p Plan) *Dataset {
	t.Helper()
	h := must.Get(Write(context.Background(), dir, p, nil))(t)
	d := must.Get(Open(dir))(t)
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
	f, ok := d.Header.find(contentExamples, split.String())
	if !ok {
		t.Fatalf("no examples of %v", split)
	}
	var list []Example
	n := d.scan(f, func(b *datasets.Batch) error {
		list = append(list, exampleOf(b, 0, d.Header.Kinds))
		return nil
	}, func(err error) { t.Error(err) })
	if n != f.Count || len(list) != f.Count {
		t.Errorf("%v: %d lines, %d examples, want %d", split, n, len(list), f.Count)
	}
	return list
}

// The examples that are read are those of a model: its training batches, and the questions
// of its evaluation with their ids.
func TestExamplesAreThoseOfTheProtocol(t *testing.T) {
	for task, set := range map[string][]string{
		"pai3": {"classes=60", "sequences=4"}, "pai4": {"classes=90"}, "sp10-2-2": nil, "sp20-3-3": {"labels=random", "targets=random"},
		"sp": {"nodes=12", "length=4", "edges=uniform"},
	} {
		t.Run(task, func(t *testing.T) {
			p := plan(t, task, [3]int{50, 64, 2}, set...)
			p.steps = 3
			d := mustWrite(t, filepath.Join(t.TempDir(), "a", "b"), p)
			src, h, protocol := p.source, d.Header, &p.cell.Protocol
			spec := src.Spec()
			if h.Task != task || h.Seed != 5 || h.Fingerprint != spec.Hash || h.Protocol.Hash != p.cell.ProtocolHash() ||
				h.Form != formExamples || len(h.Files) != 4 || !slices.Equal(h.Labels, spec.Caveats.Texts()) {
				t.Errorf("header %+v", h)
			}
			want := map[datasets.Split][]Example{}
			take := func(split datasets.Split, b *datasets.Batch) {
				for i := range b.Size() {
					want[split] = append(want[split], exampleOf(b, i, src.Kinds()))
				}
			}
			for step := range 3 {
				var b datasets.Batch
				must.Do(t, src.Batch(&b, datasets.Train, p.Seed, step, 50))
				take(datasets.Train, &b)
			}
			for _, q := range []evaluate.Questions{evaluate.QuestionsOf(protocol, datasets.Validation), evaluate.QuestionsOf(protocol, datasets.Test)} {
				for b, err := range evaluate.Batches(t.Context(), src, q) {
					if err != nil {
						t.Fatal(err)
					}
					take(q.Split, b)
				}
			}
			for split := range datasets.Test + 1 {
				if diff := cmp.Diff(want[split], examplesOf(t, d, split)); diff != "" {
					t.Errorf("%v:\n%s", split, diff)
				}
				f, _ := h.find(contentExamples, split.String())
				want := evaluate.QuestionIDs(h.Protocol.Hash, h.Fingerprint, split)
				if split == datasets.Train {
					want += fmt.Sprintf("seed%d-", h.Seed)
				}
				if f.IDs != want {
					t.Errorf("ids %s, want %s", f.IDs, want)
				}
			}
			read, same, err := d.source()
			if err != nil || !same || read.Spec().Hash != spec.Hash {
				t.Errorf("rebuilt from its header: same %v, %v", same, err)
			}
		})
	}
}

// Fewer steps are a prefix of more, and the same number gives the same file, also on
// standard output.
func TestFewerStepsAreTheFirst(t *testing.T) {
	var texts []string
	for _, n := range []int{5, 3, 5} {
		p := plan(t, "sp10-2-2", [3]int{20, 1, 1})
		p.steps = n
		d := mustWrite(t, filepath.Join(t.TempDir(), "d"), p)
		text := must.Get(os.ReadFile(filepath.Join(d.Dir, "train.jsonl")))(t)
		var out strings.Builder
		if err := p.Stream(t.Context(), &out, datasets.Train); err != nil || out.String() != string(text) {
			t.Errorf("the stream is another one (%v)", err)
		}
		texts = append(texts, string(text))
	}
	if texts[0] != texts[2] || !strings.HasPrefix(texts[0], texts[1]) || texts[0] == texts[1] {
		t.Error("files of 5 and 3 steps do not begin alike")
	}
}

// The table of items has the items of the batches.
func TestItemsAreThoseOfTheBatches(t *testing.T) {
	p := plan(t, "pai3-embeddings", [3]int{9, 2, 2}, smallEmbeddings...)
	d := mustWrite(t, filepath.Join(t.TempDir(), "d"), p)
	for split := range datasets.Test + 1 {
		table := must.Get(npy.Open(filepath.Join(d.Dir, split.String()+"_items.npy")))(t)
		defer table.Close()
		i, got := 0, examplesOfRaw(t, d, split)
		item := make([]float32, 16)
		for b, err := range p.batches(t.Context(), split, p.Seed) {
			if err != nil {
				t.Fatal(err)
			}
			for j := range b.Size() {
				drawn := exampleOf(b, j, d.Header.Kinds)
				for k, w := range slices.Concat(slices.Concat(got[i].Rows...), got[i].Query) {
					must.Do(t, table.Float32(item, int64(w)*16))
					if !slices.Equal(item, b.Items.Row(slices.Concat(slices.Concat(drawn.Rows...), drawn.Query)[k])) {
						t.Fatalf("%v, example %d: word %d is another item", split, i, k)
					}
				}
				if !slices.Equal(got[i].Targets, drawn.Targets) {
					t.Fatalf("%v, example %d: %+v, drawn %+v", split, i, got[i], drawn)
				}
				i++
			}
		}
	}
	if err := p.Stream(t.Context(), io.Discard, datasets.Train); err == nil || !strings.Contains(err.Error(), "items that are no words") {
		t.Errorf("a stream of items: %v", err)
	}
}

// examplesOfRaw reads all lines of a split without checks.
func examplesOfRaw(t *testing.T, d *Dataset, split datasets.Split) (list []Example) {
	t.Helper()
	data := must.Get(os.ReadFile(filepath.Join(d.Dir, split.String()+".jsonl")))(t)
	for _, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		e := must.Get(parseExample([]byte(line)))(t)
		list = append(list, *e)
	}
	return list
}

// Package pai reads generated embeddings as own ones.
func TestGeneratedEmbeddingsAreReadAsTables(t *testing.T) {
	entry, _ := datasets.Lookup("pai3-embeddings")
	settings := entry.Defaults()
	for _, s := range smallEmbeddings {
		must.Do(t, config.SetTask(settings, s))
	}
	p, err := FilesOf("pai3-embeddings", entry, settings)
	if err != nil {
		t.Fatal(err)
	}
	d := mustWrite(t, filepath.Join(t.TempDir(), "d"), p)
	s := pai.NpyDefaults(3)
	s.Scale = "raw"
	read := must.Get(pai.OpenNpy(*s, datasets.Options{DataPath: d.Dir}))(t)
	// Read back, they are still no embeddings of images.
	if l, want := read.Spec().Caveats.Texts(), []string{
		"own embeddings (train: 700 items of 60 classes; validation: 90 items of 60 classes; test: 130 items of 60 classes)",
		"generated embeddings instead of image embeddings"}; !slices.Equal(l, want) {
		t.Errorf("labels %q, want %q", l, want)
	}
	size, err := p.Size()
	if err != nil || math.Abs(float64(size)/(4*17*920)-1) > 0.05 {
		t.Errorf("size %d (%v)", size, err)
	}
}

// Size is near to the size of the written files.
func TestSizeIsNearToWhatIsWritten(t *testing.T) {
	for name, p := range map[string]Plan{
		"pairs": plan(t, "pai3", [3]int{700, 70, 70}), "paths": plan(t, "sp20-3-3", [3]int{300, 30, 30}),
		"stories": plan(t, "babi", [3]int{900, 90, 90}, "tasks=1,3,16,20"), "items": plan(t, "pai3-embeddings", [3]int{3, 1, 1}, smallEmbeddings...),
	} {
		size := must.Get(p.Size())(t)
		written := int64(0)
		for _, f := range mustWrite(t, filepath.Join(t.TempDir(), "d"), p).Header.Files {
			if f.Name != SchemaName {
				written += f.Bytes
			}
		}
		if r := float64(size) / float64(written); r < 0.6 || r > 2 {
			t.Errorf("%s: %d bytes expected, %d written", name, size, written)
		}
	}
}

func TestSchemaIsWritten(t *testing.T) {
	want := schemaMarkdown()
	if *update {
		must.Do(t, os.WriteFile(SchemaName, []byte(want), 0o644))
	}
	got := must.Get(os.ReadFile(SchemaName))(t)
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
		if err != nil || done != total || total == 0 || calls < 2 {
			t.Errorf("%s: %d of %d after %d calls (%v)", task, done, total, calls, err)
		}
	}
}

// entries lists a directory.
func entries(t *testing.T, dir string) string {
	t.Helper()
	list := must.Get(os.ReadDir(dir))(t)
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
	must.Do(t, os.Mkdir(empty, 0o755))
	mustWrite(t, empty, p)
	before := entries(t, empty)
	full := filepath.Join(parent, "full")
	must.Do(t, os.Mkdir(full, 0o755))
	must.Do(t, os.WriteFile(filepath.Join(full, "mine"), nil, 0o644))
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
	return fmt.Sprintf(`# Dataset, schema version %d

`+"`memobench data export`"+` or `+"`memobench data gen`"+` wrote this directory. `+"`memobench data validate`"+` checks it.

| File | Content |
|---|---|
| `+"`dataset.json`"+` | the header: what this is and how it was made, one JSON object |
| `+"`train.jsonl`, `validation.jsonl`, `test.jsonl`"+` | examples, one JSON object per line |
| `+"`train.npz`"+` and so on | the same examples as NumPy arrays |
| `+"`train.parquet`"+` and so on | the same examples as a table with the keys of an example; `+"`rows`"+` is one list, row_width words to a row |
| `+"`train.text.jsonl`"+` and so on | the same examples in plain language, one JSON object per line |
| `+"`memobench_TASK.yaml`"+` | a task of lm-evaluation-harness that reads these |
| `+"`train_items.npy`"+` and so on | the items that the examples of a split name, float32 [items x features] |
| `+"`train.npy`, `train_classes.npy`"+` and so on | generated embeddings, float32 [items x features], and the class of each, int32 [items] |
| `+"`GENERATED.txt`, `SIMULATED.txt`"+` | say that the files next to it are not embeddings of images, not the official stories |
| `+"`qaN_*_train.txt`, `qaN_*_test.txt`"+` | bAbI stories in their standard format |

Validation and test examples are the questions of the protocol's evaluations, in their order. Training examples are the batches
of the seed, one after the other. The splits share no item. The same task, settings, protocol and seed give the same files;
those of fewer steps are the first ones of more. `+"`[]`"+` marks the elements of an array.

## dataset.json

%s
## An example

%s
## Arrays of a .npz file

B examples, R rows of all memories together. Words and answers are numbers from 0; -1 is no word.

| Array | Type and shape | Meaning |
|---|---|---|
| `+"`ids`"+` | uint8 | the bytes of the text before the number in each id: the id of example i is this text with i after it |
| `+"`offsets`"+` | int64 [B + 1] | the rows of example i are offsets[i] to offsets[i + 1] less 1 |
| `+"`rows`"+` | int32 [R x row_width] | the memories |
| `+"`queries`"+` | int32 [B x query_width] | |
| `+"`targets`"+` | int32 [B x answers] | the right answers |
| `+"`kinds`"+` | int32 [B] | place among the header's kinds |
| `+"`choices`"+` | int32 [B x choices] | answers offered; of width 0 where there are none |

## An example in plain language

%s`, schemaVersion, fieldTable(fieldsOf[Header]()), fieldTable(fieldsOf[Example]()), fieldTable(fieldsOf[PlainExample]()))
}
