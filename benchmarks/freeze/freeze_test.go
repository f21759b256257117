// Package freeze compares the program with golden files that were written before a large
// rewrite: tables, weights, batches and hashes. FREEZE=write writes all but cells.json
// anew; that was written once.
package freeze

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"memobench/datasets"
	"memobench/datasets/babi"
	"memobench/datasets/must"
	"memobench/models"
	"memobench/models/engine"

	_ "memobench/datasets/file"
	_ "memobench/datasets/pai"
	_ "memobench/datasets/shortestpath"
	_ "memobench/models/deltanet"
	_ "memobench/models/dnc"
	_ "memobench/models/emn"
	_ "memobench/models/lstm"
	_ "memobench/models/memo"
	_ "memobench/models/transformer"
	_ "memobench/models/ut"
)

// compare compares values by name with a golden file, or writes it.
func compare[V comparable](t *testing.T, name string, got map[string]V) {
	t.Helper()
	if os.Getenv("FREEZE") == "write" {
		var lines []string
		for _, key := range slices.Sorted(maps.Keys(got)) {
			value := must.Get(json.Marshal(got[key]))(t)
			lines = append(lines, fmt.Sprintf("%q: %s", key, value))
		}
		text := "{\n" + strings.Join(lines, ",\n") + "\n}\n"
		must.Do(t, os.WriteFile(filepath.Join("testdata", name), []byte(text), 0o644))
		return
	}
	var want map[string]V
	read(t, name, &want)
	for key, value := range got {
		if want[key] != value {
			t.Errorf("%s: %s: %v, want %v", name, key, value, want[key])
		}
	}
	for key := range want {
		if _, ok := got[key]; !ok && !strings.Contains(key, "source=files") { // files may be missing
			t.Errorf("%s: %s is missing", name, key)
		}
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
		got[kernels+": "+c.name] = digest(h)
	}
	compare(t, "weights.json", got)
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

func digest(h hash.Hash) string { return hex.EncodeToString(h.Sum(nil)) }

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

// question is what is compared of a task: the hash of its data, and SHA-256 of batches.
type question struct {
	Spec       string `json:"spec"` // Spec as JSON, SHA-256
	Data       string `json:"data"` // Spec.Hash
	Train      string `json:"train"`
	Mixed      string `json:"mixed,omitempty"` // training batches with weights 1, 2, 3, ... of the kinds
	Validation string `json:"validation"`
	Test       string `json:"test"`
}

// Tasks give the same questions.
func TestQuestions(t *testing.T) {
	got := map[string]question{}
	for i, task := range append(slices.Clone(asked), shifted...) {
		o := datasets.Options{Shifted: i >= len(asked)}
		if strings.Contains(task, "source=files") {
			path, err := officialFiles()
			if err != nil {
				t.Logf("%s is not compared: %v", task, err)
				continue
			}
			o.DataPath = path
		}
		src := open(t, task, o)
		spec := src.Spec()
		sum := sha256.Sum256(must.Get(json.Marshal([]any{spec.Task, spec.Settings, spec.Hash, src.Shape(), src.Kinds()}))(t))
		q := question{Spec: hex.EncodeToString(sum[:]), Data: spec.Hash}
		q.Train = batches(t, func(b *datasets.Batch, step int) error { return src.Batch(b, datasets.Train, 7, step, 16) })
		if mixer, ok := src.(datasets.Mixer); ok {
			weights := make([]float64, len(src.Kinds()))
			for k := range weights {
				weights[k] = float64(k + 1)
			}
			q.Mixed = batches(t, func(b *datasets.Batch, step int) error {
				return mixer.BatchMixed(b, datasets.Train, 7, step, 16, weights)
			})
		}
		q.Validation, q.Test = examined(t, src, datasets.Validation), examined(t, src, datasets.Test)
		got[task] = q
	}
	compare(t, "questions.json", got)
}

// officialFiles returns the directory of the bAbI files, by the variable or in the directories
// where the program looks for them.
func officialFiles() (string, error) {
	for _, dir := range []string{os.Getenv(babi.EnvPath), "../../data/babi", "../../../shared/data/babi"} {
		if _, err := os.Stat(filepath.Join(dir, "en-10k")); dir != "" && err == nil {
			return dir, nil
		}
	}
	return "", errors.New("no bAbI files in " + babi.EnvPath + " or data/babi")
}

// batches returns SHA-256 of steps 0, 1 and 1000.
func batches(t *testing.T, fill func(b *datasets.Batch, step int) error) string {
	t.Helper()
	h := sha256.New()
	var b datasets.Batch
	for _, step := range []int{0, 1, 1000} {
		must.Do(t, fill(&b, step))
		add(t, h, &b)
	}
	return digest(h)
}

// examined returns SHA-256 of ten questions of each kind.
func examined(t *testing.T, src datasets.Source, split datasets.Split) string {
	t.Helper()
	h := sha256.New()
	for b, err := range src.Examine(split, 5, 10, 32) {
		must.Do(t, err)
		add(t, h, b)
	}
	return digest(h)
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

// read reads a file of testdata.
func read(t *testing.T, name string, into any) {
	t.Helper()
	data := must.Get(os.ReadFile(filepath.Join("testdata", name)))(t)
	must.Do(t, json.Unmarshal(data, into))
}
