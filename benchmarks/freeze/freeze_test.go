// Package freeze compares weights, questions and hashes with golden values, so that a change of
// them is noticed. FREEZE=write writes the values anew.
package freeze

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"memobench/benchmarks/evaluate"
	"memobench/benchmarks/study"
	"memobench/datasets"
	_ "memobench/datasets/babi"
	"memobench/datasets/export"
	_ "memobench/datasets/file"
	"memobench/datasets/must"
	_ "memobench/datasets/pai"
	_ "memobench/datasets/shortestpath"
	"memobench/models"
	_ "memobench/models/control"
	_ "memobench/models/deltanet"
	_ "memobench/models/dnc"
	_ "memobench/models/emn"
	"memobench/models/engine"
	_ "memobench/models/lstm"
	_ "memobench/models/memo"
	_ "memobench/models/transformer"
	_ "memobench/models/ut"
)

// compare compares values by name with a part of the golden file, or writes that.
func compare(t *testing.T, part string, got map[string]string) {
	t.Helper()
	const file = "testdata/golden.json"
	golden := map[string]map[string]string{}
	must.Do(t, json.Unmarshal(must.Get(os.ReadFile(file))(t), &golden))
	if os.Getenv("FREEZE") == "write" {
		golden[part] = got
		data := must.Get(json.MarshalIndent(golden, "", " "))(t)
		must.Do(t, os.WriteFile(file, append(data, '\n'), 0o644))
		return
	}
	want := golden[part]
	for key, value := range got {
		if want[key] != value {
			t.Errorf("%s: %s: %v, want %v", part, key, value, want[key])
		}
	}
	for key := range want {
		if _, ok := got[key]; !ok && !strings.Contains(key, "source=files") { // files may be missing
			t.Errorf("%s: %s is missing", part, key)
		}
	}
}

// digest returns the first digits of a SHA-256.
func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}

// set changes settings by "key=value" texts separated by blanks.
func set(t *testing.T, settings any, changes string) {
	t.Helper()
	for change := range strings.FieldsSeq(changes) {
		must.Do(t, study.SetTask(settings, change))
	}
}

const (
	smallPAI   = "pai3 classes=40 sequences=4"
	smallPaths = "sp10-2-2 vocabulary=50"
)

// trained lists what is trained: a name, a model with settings, and a task with settings.
var trained = []struct{ name, model, task string }{
	{"memo fixed", "memo embedding=16 width=24 answer_width=16 heads=2", smallPAI},
	{"memo reinforce", "memo embedding=16 width=24 answer_width=16 heads=2 halting=reinforce halt_gru=12 halt_mlp=8 hops=5", smallPAI},
	{"memo act", "memo embedding=16 width=24 answer_width=16 heads=2 halting=act halt_gru=12 halt_mlp=8 hops=5", smallPAI},
	{"memo ponder", "memo embedding=16 width=24 answer_width=16 heads=2 halting=ponder hops=6", smallPAI},
	{"emn", "emn width=24", smallPAI},
	{"dnc", "dnc embedding=16 input=16 hidden=24 word=16 read_heads=2 ponder=2 output=16", smallPAI},
	{"ut", "ut embedding=16 hidden=16 attention=32 heads=4 transition=24 recurrent_steps=4", smallPAI},
	{"deltanet", "deltanet embedding=16 hidden=16 attention=16 heads=2 transition=24 layers=3", smallPAI},
	{"lstm", "lstm embedding=16 hidden=24", smallPAI},
	{"transformer", "transformer embedding=16 hidden=16 attention=16 heads=4 transition=24 layers=3", smallPAI},
	{"memo on paths", "memo embedding=16 width=24 answer_width=16 heads=2", smallPaths},
	{"dnc on paths", "dnc embedding=16 input=16 hidden=24 word=16 read_heads=2 ponder=2 output=16", smallPaths},
}

// Sixty steps of training give the same weights to the bit on a processor with the same kernels.
func TestWeightsAfterTraining(t *testing.T) {
	// AVX-512 and AVX2 give the same bits.
	kernels := runtime.GOARCH + ", " + strings.NewReplacer("AVX-512", "AVX", "AVX2", "AVX").Replace(engine.BLAS().Name)
	if known := "amd64, gonum with AVX products (pure Go)"; kernels != known {
		t.Skipf("weights are frozen for %s, not for %s", known, kernels)
	}
	got := map[string]string{}
	for _, c := range trained {
		model, changes, _ := strings.Cut(c.model, " ")
		entry, _ := models.Lookup(model)
		config := entry.Defaults()
		set(t, config, changes)
		must.Do(t, config.Validate())
		src := open(t, c.task, datasets.Options{})
		m := must.Get(entry.New(models.Build{Config: config, Shape: src.Shape(), Seed: 3, Training: models.Training{
			Optimizer: "adam", LearningRate: 1e-3, Warmup: 10, PlateauFraction: 0.5, Power: 1, ClipNorm: 5, Steps: 60,
		}}))(t)
		var b datasets.Batch
		for step := range 60 {
			must.Do(t, src.Batch(&b, datasets.Train, 3, step, 32))
			must.Get(m.Train(&b))(t)
		}
		h := sha256.New()
		for _, tensor := range m.State().Tensors {
			if tensor.Role == models.Weight {
				fmt.Fprint(h, tensor.Name, tensor.Shape)
				write(t, h, tensor.F32, tensor.F64)
			}
		}
		got[c.name] = hex.EncodeToString(h.Sum(nil)[:8])
	}
	compare(t, "weights", got)
}

// open opens the task of a text such as "pai3 classes=40".
func open(t *testing.T, task string, o datasets.Options) datasets.Source {
	t.Helper()
	name, changes, _ := strings.Cut(task, " ")
	entry, ok := datasets.Lookup(name)
	if !ok {
		t.Fatalf("no task %s", name)
	}
	settings := entry.Defaults()
	set(t, settings, changes)
	return must.Get(entry.New(settings, o))(t)
}

func write(t *testing.T, h hash.Hash, values ...any) {
	t.Helper()
	for _, v := range values {
		must.Do(t, binary.Write(h, binary.LittleEndian, v))
	}
}

// asked lists the tasks with their settings. Those of shifted are for evaluation only.
var asked = []string{
	"pai3", "pai3 items=random", "pai3 rows=generation", "pai3 classes=100 sequences=8", "pai4", "pai5",
	"pai3-embeddings train_items=4000 validation_items=2000 test_items=2000 classes=50 features=20 sequences=8",
	"pai4-embeddings train_items=4000 validation_items=2000 test_items=2000 classes=80 features=20 noise=0.5 sequences=8 data_seed=3",
	"pai5-embeddings train_items=4000 validation_items=2000 test_items=2000 classes=80 features=20 items=random sequences=8",
	"sp", "sp nodes=20 degree=4 length=4", "sp edges=uniform", "sp labels=random", "sp targets=random",
	"sp10-2-2", "sp10-2-2 vocabulary=50", "sp20-3-3", "sp20-5-3",
	"babi source=simulated", "babi source=simulated tasks=1,15", "babi source=simulated max_rows=0 validation=0.2",
	"babi source=simulated tasks=1,6-9,11-13 held_out=mary+office,john+milk",
	"babi source=files substitute_task3=true", "babi source=files tasks=1,2,15-17", "babi source=files tasks=1,6-9,11-13 held_out=mary+office,john+milk",
}

var shifted = []string{
	"pai3 length=5", "sp10-2-2 nodes=14", "sp10-2-2 length=3",
	"pai3-embeddings train_items=4000 validation_items=2000 test_items=2000 classes=50 features=20 sequences=8 unseen=50",
	"babi source=simulated distractors=5",
	"babi source=simulated tasks=1,6-9,11-13 held_out=mary+office,john+milk combinations=held-out",
	"babi source=files substitute_task3=true distractors=5",
}

// Tasks give the same questions.
func TestQuestions(t *testing.T) {
	got := map[string]string{}
	for i, task := range append(slices.Clone(asked), shifted...) {
		o := datasets.Options{Shifted: i >= len(asked)}
		if strings.Contains(task, "source=files") {
			if o.DataPath = os.Getenv("MEMOBENCH_BABI"); o.DataPath == "" {
				continue
			}
		}
		src := open(t, task, o)
		spec := src.Spec()
		sum := sha256.Sum256(must.Get(json.Marshal([]any{spec.Task, spec.Settings, spec.Hash, src.Shape(), src.Kinds()}))(t))
		train, mixed, validation, test := sha256.New(), sha256.New(), sha256.New(), sha256.New()
		mixer, mixes := src.(datasets.Mixer)
		var weights []float64
		for k := range src.Kinds() {
			weights = append(weights, float64(k+1))
		}
		var b datasets.Batch
		for _, step := range []int{0, 1, 1000} {
			must.Do(t, src.Batch(&b, datasets.Train, 7, step, 16))
			add(t, train, &b)
			if mixes {
				must.Do(t, mixer.BatchMixed(&b, datasets.Train, 7, step, 16, weights))
				add(t, mixed, &b)
			}
		}
		for split, h := range map[datasets.Split]hash.Hash{datasets.Validation: validation, datasets.Test: test} {
			for b, err := range src.Examine(split, 5, 10, 32) { // ten questions of each kind
				must.Do(t, err)
				add(t, h, b)
			}
		}
		list := []string{hex.EncodeToString(sum[:]), spec.Hash}
		for _, h := range []hash.Hash{train, mixed, validation, test} {
			list = append(list, hex.EncodeToString(h.Sum(nil)))
		}
		if !mixes {
			list[3] = ""
		}
		got[task] = digest(strings.Join(list, " "))
	}
	compare(t, "questions", got)
}

// add adds a batch to a hash.
func add(t *testing.T, h hash.Hash, b *datasets.Batch) {
	t.Helper()
	fmt.Fprint(h, b.RowWidth, b.QueryWidth, b.Answers, b.NumChoices, b.Offsets)
	write(t, h, b.Rows, b.Queries, b.Targets, b.Kinds, b.Choices)
	if b.Items != nil {
		write(t, h, int64(b.Items.Dim), b.Items.Data)
	}
}

// The runs of presets have the same hashes of protocol, data and configuration.
func TestHashes(t *testing.T) {
	got, data := map[string]string{}, map[string]string{}
	for _, name := range []string{"babi", "images", "paper", "quick", "standard", "tuned"} {
		cells := must.Get(study.Load(name))(t).Cells()
		lines := map[string][]string{}
		hashes := make([][2]string, len(cells))
		for i := range cells {
			hashes[i] = [2]string{cells[i].ProtocolHash(), cells[i].Hash()}
		}
		for i := range cells { // source changes settings, which cells of a run share
			c := &cells[i]
			dataset := fmt.Sprint(c.Task, study.Values(c.Settings))
			if _, known := data[dataset]; !known {
				data[dataset] = ""
				if src := source(t, c); src != nil {
					data[dataset] = src.Spec().Hash
				}
			}
			lines[c.Task] = append(lines[c.Task], fmt.Sprintf("%s %s %s seed %d: %s %s %s\n", name, c.Task, c.Name, c.Seed, hashes[i][0], data[dataset], hashes[i][1]))
		}
		for task, list := range lines {
			got[name+" "+task] = digest(strings.Join(slices.Sorted(slices.Values(list)), ""))
		}
	}
	compare(t, "hashes", got)
}

// source opens the data of a run, simulated stories for bAbI; nil for tasks that need files.
func source(t *testing.T, c *study.Cell) datasets.Source {
	t.Helper()
	if c.Task == "babi" {
		set(t, c.Settings, "source=simulated")
	} else if entry, _ := datasets.Lookup(c.Task); entry.ReadsData {
		return nil
	}
	return must.Get(study.OpenSource(c, datasets.Options{}))(t)
}

// The questions of preset quick are exported with the same ids and bytes.
func TestExportedQuestions(t *testing.T) {
	got := map[string]string{}
	for _, e := range must.Get(study.Load("quick"))(t).Experiments {
		one := study.Study{Name: "quick", Experiments: []*study.Experiment{e}}
		c := one.Cells()[0]
		plan := must.Get(evaluate.ExportPlan(context.Background(), &c, source(t, &c), 2))(t)
		plan.Formats = []string{"jsonl"}
		header := must.Get(export.Write(context.Background(), t.TempDir()+"/data", plan, nil))(t)
		for _, f := range header.Files {
			if f.Content == "examples" {
				got[c.Task+" "+f.Name] = fmt.Sprintf("%s %d %s", f.IDs, f.Count, f.SHA256[:16])
			}
		}
	}
	compare(t, "exported", got)
}
