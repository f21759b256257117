package data

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"memobench/datasets"
	"memobench/datasets/npy"
	"memobench/datasets/pai"
)

// Package pai reads the tables of items, and finds in them the items that the
// examples name.
func TestEmbeddingsAreReadAsTables(t *testing.T) {
	t.Run("items named", func(t *testing.T) { embeddingsAreReadAsTables(t, false, [3]int{694, 87, 129}) })
	t.Run("all items", func(t *testing.T) { embeddingsAreReadAsTables(t, true, [3]int{700, 90, 130}) })
}

func embeddingsAreReadAsTables(t *testing.T, all bool, counts [3]int) {
	p := plan(t, "pai3-embeddings", [3]int{70, 5, 9}, smallEmbeddings...)
	p.AllItems = all
	d := mustWrite(t, filepath.Join(t.TempDir(), "d"), p)
	if d.Header.Form != formEmbeddings || len(d.Header.Files) != 11 {
		t.Errorf("header %+v", d.Header)
	}
	s := pai.NpyDefaults(3)
	s.Scale = "raw"
	read, err := pai.OpenNpy(*s, datasets.Options{DataPath: d.Dir})
	if err != nil {
		t.Fatal(err)
	}
	own := fmt.Sprintf("own embeddings (train: %d items of 60 classes; validation: %d items of 60 classes; test: %d items of 60 classes)",
		counts[0], counts[1], counts[2])
	// Read back, they are still no embeddings of images.
	if l, want := read.Spec().Caveats.Texts(), []string{own, "generated embeddings instead of image embeddings"}; !slices.Equal(l, want) {
		t.Errorf("labels %q, want %q", l, want)
	}
	src := p.Source
	for split := range datasets.Test + 1 {
		table, err := npy.Open(filepath.Join(d.Dir, split.String()+".npy"))
		if err != nil {
			t.Fatal(err)
		}
		defer table.Close()
		classes, err := npy.Open(filepath.Join(d.Dir, split.String()+"_classes.npy"))
		if err != nil {
			t.Fatal(err)
		}
		defer classes.Close()
		var b datasets.Batch
		if err := src.Batch(&b, split, 5, 0, 64); err != nil {
			t.Fatal(err)
		}
		raw, err := os.ReadFile(filepath.Join(d.Dir, split.String()+".jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		item, class := make([]float32, 16), make([]int64, 1)
		named := map[int32]bool{}
		for i, line := range strings.Split(strings.TrimSpace(string(raw)), "\n") {
			e, err := parseExample([]byte(line))
			if err != nil {
				t.Fatal(err)
			}
			for _, w := range slices.Concat(slices.Concat(e.Rows...), e.Query) {
				if !all && !named[w] && int(w) != len(named) {
					t.Fatalf("%v, example %d: item %d, of which %d have come before", split, i, w, len(named))
				}
				named[w] = true
			}
			if i >= 64 {
				continue
			}
			drawn := exampleOf(&b, i, src.Kinds())
			for j, w := range slices.Concat(slices.Concat(e.Rows...), e.Query) {
				if err := table.Float32(item, int64(w)*16); err != nil {
					t.Fatal(err)
				}
				if !slices.Equal(item, b.Items.Row(slices.Concat(slices.Concat(drawn.Rows...), drawn.Query)[j])) {
					t.Fatalf("%v, example %d: word %d is another item", split, i, j)
				}
			}
			for c, w := range e.Query[1:] {
				if err := classes.Int64(class, int64(w)); err != nil || int32(class[0]) != e.Choices[c] {
					t.Fatalf("%v, example %d: item %d is of class %d, offered is %d (%v)", split, i, w, class[0], e.Choices[c], err)
				}
			}
			if !slices.Equal(e.Targets, drawn.Targets) || e.Kind != drawn.Kind {
				t.Fatalf("%v, example %d: %+v, drawn %+v", split, i, e, drawn)
			}
		}
		if got := examplesOf(t, d, split); len(got) != p.Counts[split] {
			t.Errorf("%v: %d examples", split, len(got))
		}
		if !all && len(named) != counts[split] {
			t.Errorf("%v: %d items, of which %d are named", split, counts[split], len(named))
		}
	}
}

// Fewer examples and their items are the beginning of more.
func TestFewerItemsAreTheFirst(t *testing.T) {
	rows := map[int][]byte{}
	for _, n := range []int{9, 20} {
		d := mustWrite(t, filepath.Join(t.TempDir(), "d"), plan(t, "pai3-embeddings", [3]int{n, 1, 1}, smallEmbeddings...))
		f, _ := d.Header.find(ContentItems, "train")
		data, err := os.ReadFile(d.Path(f))
		if err != nil {
			t.Fatal(err)
		}
		rows[n] = data[len(data)-f.Count*16*4:]
	}
	if len(rows[9]) >= len(rows[20]) || string(rows[20][:len(rows[9])]) != string(rows[9]) {
		t.Errorf("%d bytes of items are not the beginning of %d", len(rows[9]), len(rows[20]))
	}
}

// Size is near to what is written.
func TestSizeIsNearToWhatIsWritten(t *testing.T) {
	small := plan(t, "pai3-embeddings", [3]int{30, 3, 3}, "classes=60", "features=64", "train_items=9000", "validation_items=900", "test_items=900")
	all := small
	all.AllItems = true
	for name, p := range map[string]Plan{
		"pairs": plan(t, "pai3", [3]int{700, 70, 70}), "paths": plan(t, "sp20-3-3", [3]int{300, 30, 30}),
		"stories": plan(t, "babi", [3]int{900, 90, 90}, "tasks=1,3,16,20"), "items named": small, "all items": all,
	} {
		size, err := p.Size()
		if err != nil {
			t.Fatal(err)
		}
		written := int64(0)
		for _, f := range mustWrite(t, filepath.Join(t.TempDir(), "d"), p).Header.Files {
			if f.Name != SchemaName {
				written += f.Bytes
			}
		}
		if r := float64(size) / float64(written); r < 0.85 || r > 1.15 {
			t.Errorf("%s: %d bytes expected, %d written", name, size, written)
		}
	}
}
