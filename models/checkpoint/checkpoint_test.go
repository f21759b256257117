package checkpoint

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memobench/datasets/must"
	"memobench/models"
)

func sample(step int) *Checkpoint {
	return &Checkpoint{
		Step: step, CellHash: "cell", ProtocolHash: "protocol", DatasetHash: "data",
		Config: json.RawMessage(`{"hops":3}`), Trainer: json.RawMessage(`{"loss":1.5}`),
		Vocabulary: []string{"", "mary"},
		State: models.State{
			Tensors: []models.Tensor{
				{Name: "W", Role: models.Weight, Shape: []int{2}, F32: []float32{1, float32(step)}},
				{Name: "W", Role: models.Optimizer, Shape: []int{2}, F32: []float32{3, 4}},
			},
			Counters: map[string]int64{"adam": int64(step)},
		},
		Selected: []models.Tensor{{Name: "W", Role: models.Weight, Shape: []int{2}, F32: []float32{5, 6}}},
	}
}

func names(t *testing.T, dir string) []string {
	t.Helper()
	entries := must.Get(os.ReadDir(dir))(t)
	var list []string
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return list
}

// compact undoes the indentation that raw JSON gets inside an indented file.
func compact(t *testing.T, c *Checkpoint) *Checkpoint {
	t.Helper()
	for _, raw := range []*json.RawMessage{&c.Config, &c.Trainer} {
		var v any
		must.Do(t, json.Unmarshal(*raw, &v))
		*raw, _ = json.Marshal(v)
	}
	return c
}

func TestSaveMakesNoDirectoryButItsOwn(t *testing.T) {
	run := filepath.Join(t.TempDir(), "moved away")
	if err := Save(filepath.Join(run, "checkpoint"), sample(1)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error %v", err)
	}
	if _, err := os.Stat(run); err == nil {
		t.Error("the run's directory was made again")
	}
}

func TestLoadReturnsTheLastSave(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "checkpoint")
	for _, step := range []int{0, 7, 20} {
		must.Do(t, Save(dir, sample(step)))
		got := must.Get(Load(dir))(t)
		if d := cmp.Diff(sample(step), compact(t, got)); d != "" {
			t.Errorf("step %d changed (-saved +loaded):\n%s", step, d)
		}
	}
	if list := names(t, dir); len(list) != 4 {
		t.Errorf("%v, want the files of the last two checkpoints", list)
	}
}

// damage changes one file of dir with the given prefix and ending.
func damage(t *testing.T, dir, prefix, ext string, edit func([]byte) []byte) {
	t.Helper()
	for _, n := range names(t, dir) {
		if strings.HasPrefix(n, prefix) && strings.HasSuffix(n, ext) {
			path := filepath.Join(dir, n)
			data, err := os.ReadFile(path)
			if err == nil {
				err = os.WriteFile(path, edit(data), 0o644)
			}
			if err != nil {
				t.Fatal(err)
			}
			return
		}
	}
	t.Fatalf("no file %s*%s in %s", prefix, ext, dir)
}

// Load skips a damaged checkpoint and says so; the next Save removes it.
func TestLoadFallsBackToTheCheckpointBefore(t *testing.T) {
	flip := func(b []byte) []byte { b[len(b)/2] ^= 1; return b }
	for _, ext := range []string{".json", ".safetensors"} {
		dir := t.TempDir()
		for _, step := range []int{10, 20} {
			must.Do(t, Save(dir, sample(step)))
		}
		damage(t, dir, "000000020", ext, flip)
		c, err := Load(dir)
		if err != nil {
			t.Fatal(err)
		}
		if c.Step != 10 || c.Damaged == nil || !strings.Contains(c.Damaged.Error(), filepath.Join(dir, "000000020")) {
			t.Errorf("%s: step %d, damaged: %v; want step 10 and the damaged file", ext, c.Step, c.Damaged)
		}
		// Training resumed at step 10, and saves before it is at step 20 again.
		must.Do(t, Save(dir, sample(15)))
		if c, err = Load(dir); err != nil || c.Step != 15 || c.Damaged != nil {
			t.Errorf("%s: after the next Save: %+v, %v", ext, c, err)
		}
		damage(t, dir, "000000015", ext, flip)
		damage(t, dir, "000000010", ext, flip)
		if _, err := Load(dir); err == nil || !strings.Contains(err.Error(), "000000015") || !strings.Contains(err.Error(), "000000010") {
			t.Errorf("%s: both damaged: error %v, want one with both files", ext, err)
		}
	}
}

// A change of any byte of the JSON file is detected.
func TestNoDamageOfTheJSONFileIsUsed(t *testing.T) {
	dir := t.TempDir()
	must.Do(t, Save(dir, sample(1)))
	data := must.Get(os.ReadFile(filepath.Join(dir, "000000001.json")))(t)
	path := filepath.Join(t.TempDir(), "x.json")
	for i := range data {
		for _, flip := range []byte{1, 4} {
			bad := bytes.Clone(data)
			bad[i] ^= flip
			must.Do(t, os.WriteFile(path, bad, 0o644))
			if _, err := readIndex(path); err == nil {
				t.Errorf("byte %d: %q for %q is accepted", i, bad[i], data[i])
			}
		}
	}
}

// Other files are neither read nor removed.
func TestForeignFilesStay(t *testing.T) {
	dir := t.TempDir()
	foreign := []string{"999999999-notes.json", "best.safetensors", "notes.json", ".writing-notes"}
	for _, n := range foreign {
		must.Do(t, os.WriteFile(filepath.Join(dir, n), []byte("mine"), 0o644))
	}
	for step := range 3 {
		must.Do(t, Save(dir, sample(step)))
	}
	if c, err := Load(dir); err != nil || c.Step != 2 {
		t.Errorf("%+v, %v", c, err)
	}
	for range 2 { // the second time there is nothing to do
		must.Do(t, Remove(dir))
	}
	list := names(t, dir)
	slices.Sort(foreign)
	if !slices.Equal(list, foreign) {
		t.Errorf("left %v, want %v", list, foreign)
	}
}

// Save may be interrupted after any of its writes. The directory must then load as the old or the
// new checkpoint.
func TestStopBetweenAnyTwoWrites(t *testing.T) {
	// The files of both checkpoints, and the order in which they come and go.
	files := map[string][]byte{}
	var order []string
	for _, step := range []int{1, 2} {
		dir := t.TempDir()
		must.Do(t, Save(dir, sample(step)))
		list := names(t, dir)
		if len(list) != 2 || !strings.HasSuffix(list[0], ".safetensors") {
			t.Fatalf("files %v, want tensors and JSON", list)
		}
		for _, n := range list { // '-' sorts before '.': tensors first
			data := must.Get(os.ReadFile(filepath.Join(dir, n)))(t)
			files[n], order = data, append(order, n)
		}
	}
	oldTensors, oldIndex, newTensors, newIndex := order[0], order[1], order[2], order[3]
	for name, c := range map[string]struct {
		present []string
		want    int
	}{
		"before":               {[]string{oldTensors, oldIndex}, 1},
		"tensors half written": {[]string{oldTensors, oldIndex, tempPrefix + "1"}, 1},
		"tensors renamed":      {[]string{oldTensors, oldIndex, newTensors}, 1},
		"old JSON removed":     {[]string{oldTensors, newTensors, newIndex}, 2},
		"after":                {[]string{newTensors, newIndex}, 2},
	} {
		dir := t.TempDir()
		for _, n := range c.present {
			must.Do(t, os.WriteFile(filepath.Join(dir, n), files[n], 0o644))
		}
		got, err := Load(dir)
		if err != nil || got.Step != c.want {
			t.Errorf("%s: %+v, %v; want step %d", name, got, err, c.want)
			continue
		}
		must.Do(t, Save(dir, sample(3)))
		if list := names(t, dir); len(list) != 4 {
			t.Errorf("%s: the next Save left %v", name, list)
		}
	}
}

func TestLoadRefuses(t *testing.T) {
	if _, err := Load(filepath.Join(t.TempDir(), "absent")); !errors.Is(err, ErrNone) {
		t.Errorf("absent directory: %v", err)
	}
	if _, err := Load(t.TempDir()); !errors.Is(err, ErrNone) {
		t.Errorf("empty directory: %v", err)
	}
	edit := func(old, new string) func([]byte) []byte {
		return func(b []byte) []byte { return []byte(strings.Replace(string(b), old, new, 1)) }
	}
	signed := func(old, new string) func([]byte) []byte {
		return func(b []byte) []byte {
			body, _, _ := bytes.Cut(edit(old, new)(b), []byte(checksumKey))
			return appendChecksum(body)
		}
	}
	for name, c := range map[string]struct {
		ext  string
		edit func([]byte) []byte
		want string
	}{
		"flipped bit":     {".safetensors", func(b []byte) []byte { b[len(b)-1] ^= 1; return b }, "damaged"},
		"cut short":       {".safetensors", func(b []byte) []byte { return b[:len(b)-1] }, "its JSON file says"},
		"other schema":    {".json", signed(`"schema": 2`, `"schema": 9`), "schema version 9"},
		"no checksum":     {".json", func(b []byte) []byte { return []byte(`{"schema": 1}`) }, "schema version 1"},
		"other digit":     {".json", edit(`"adam": 1`, `"adam": 3`), "damaged"},
		"unknown key":     {".json", signed(`"cell"`, `"sell"`), "sell"},
		"damaged key":     {".json", edit(`"cell"`, `"sell"`), "damaged"},
		"file elsewhere":  {".json", signed(`"file": "`, `"file": "../`), "not a file name"},
		"not JSON":        {".json", func(b []byte) []byte { return b[:9] }, "not a checkpoint"},
		"no such tensors": {".json", signed(`"file": "0`, `"file": "1`), "no such file"},
	} {
		dir := t.TempDir()
		must.Do(t, Save(dir, sample(1)))
		damage(t, dir, "", c.ext, c.edit)
		if _, err := Load(dir); err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), dir) {
			t.Errorf("%s: error %v, want one with %q and the file", name, err, c.want)
		}
	}
}

func TestWriteFileKeepsTheOldContentOnError(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	must.Do(t, os.WriteFile(path, []byte("old"), 0o644))
	c := sample(1)
	c.State.Tensors[0].Shape = []int{3}
	if _, err := SaveWeights(path, json.RawMessage(`{}`), c.State.Tensors); err == nil {
		t.Fatal("wrong shape written")
	}
	if data, _ := os.ReadFile(path); string(data) != "old" {
		t.Errorf("content is now %q", data)
	}
	if list := names(t, filepath.Dir(path)); len(list) != 1 {
		t.Errorf("left behind: %v", list)
	}
}

func TestWeightsAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "model.safetensors")
	st := sample(4).State
	must.Get(SaveWeights(path, json.RawMessage(`{"model":"memo"}`), st.Tensors))(t)
	config, weights, err := LoadWeights(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(config) != `{"model":"memo"}` {
		t.Errorf("config %s", config)
	}
	if d := cmp.Diff(Weights(st), weights); d != "" {
		t.Errorf("weights changed:\n%s", d)
	}
	merged := must.Get(WithWeights(sample(9).State, weights))(t)
	if merged.Tensors[0].F32[1] != 4 || merged.Tensors[1].F32[0] != 3 || merged.Counters["adam"] != 9 {
		t.Errorf("merged state %+v", merged)
	}
	if _, err := WithWeights(st, nil); err == nil {
		t.Error("missing weight accepted")
	}
	extra := append(weights, models.Tensor{Name: "V", Role: models.Weight})
	if _, err := WithWeights(st, extra); err == nil || !strings.Contains(err.Error(), `"V"`) {
		t.Errorf("foreign weight: error %v", err)
	}
}

// FuzzLoad checks that no pair of files makes the reader panic, and that accepted files can be
// saved and loaded again. Size and digest are corrected, since mutations would not find them;
// TestLoadRefuses covers wrong ones.
func FuzzLoad(f *testing.F) {
	dir := f.TempDir()
	must.Do(f, Save(dir, sample(12)))
	var jsonData, tensorData []byte
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		data := must.Get(os.ReadFile(filepath.Join(dir, e.Name())))(f)
		if strings.HasSuffix(e.Name(), ".json") {
			jsonData = data
		} else {
			tensorData = data
		}
	}
	f.Add(jsonData, tensorData)
	f.Add([]byte(`{"schema":1,"step":0,"tensors":{"file":"x"}}`), []byte("\x02\x00\x00\x00\x00\x00\x00\x00{}"))
	f.Add([]byte(`{"schema":2}`), []byte{})
	f.Fuzz(func(t *testing.T, indexData, tensors []byte) {
		x, err := parseIndex(indexData)
		if err != nil {
			return
		}
		sum := sha256.Sum256(tensors)
		x.Tensors.Size, x.Tensors.SHA256 = int64(len(tensors)), hex.EncodeToString(sum[:])
		c, err := decode(x, bytes.NewReader(tensors), int64(len(tensors)))
		if err != nil {
			return
		}
		if n := len(pack(c)); n != len(c.State.Tensors)+len(c.Selected) {
			t.Fatalf("%d tensors packed", n)
		}
	})
}
