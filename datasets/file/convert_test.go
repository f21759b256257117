package file

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"memobench/datasets"
	"memobench/datasets/must"
	"memobench/datasets/npz"
)

// convert runs a converter of tools/python and opens what it wrote.
func convert(t *testing.T, script, data string, args ...string) datasets.Source {
	t.Helper()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is not installed")
	}
	out := filepath.Join(t.TempDir(), "out")
	command := exec.Command(python, append([]string{filepath.Join("..", "..", "tools", "python", script), "--data", data, "--out", out}, args...)...)
	if message, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, message)
	}
	return must.Get(Open(Settings{}, datasets.Options{DataPath: out}))(t)
}

// message appends a field of bytes to a protocol buffer.
func message(to []byte, number byte, value []byte) []byte {
	return append(binary.AppendUvarint(append(to, number<<3|2), uint64(len(value))), value...)
}

// record returns a TFRecord of a tf.train.Example with the given features: lists of float32 or int64.
func record(features map[string]any) []byte {
	var entries []byte
	for name, values := range features {
		var list []byte
		number := byte(2)
		switch values := values.(type) {
		case []float32:
			for _, x := range values {
				list = binary.LittleEndian.AppendUint32(list, math.Float32bits(x))
			}
		case []int64:
			number = 3
			for _, x := range values {
				list = binary.AppendUvarint(list, uint64(x))
			}
		}
		feature := message(nil, number, message(nil, 1, list))
		entries = message(entries, 1, message(message(nil, 1, []byte(name)), 2, feature))
	}
	data := message(nil, 1, entries)
	masked := func(b []byte) uint32 {
		crc := crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli))
		return (crc>>15 | crc<<17) + 0xa282ead8
	}
	out := binary.LittleEndian.AppendUint64(nil, uint64(len(data)))
	out = binary.LittleEndian.AppendUint32(out, masked(out))
	return binary.LittleEndian.AppendUint32(append(out, data...), masked(data))
}

// vector returns the features of an item: distinct, of length 5.
func vector(item int) []float32 {
	v := make([]float32, 40)
	v[item] = 3
	v[39] = 4
	return v
}

// A record has two chains 0 1 2 and 3 4 5 and, as the released ones, every kind of query. The answers are
// coded 7 for left and 9 for right.
func TestReleasedShardsAreConverted(t *testing.T) {
	data := t.TempDir()
	for _, folder := range []string{"train", "valid", "test"} {
		must.Do(t, os.Mkdir(filepath.Join(data, folder), 0o700))
		var memory, trials []float32
		var types, answers []int64
		for _, item := range []int{0, 1, 4, 5, 1, 2, 3, 4} {
			memory = append(memory, vector(item)...)
		}
		for i, trial := range [][]int{{0, 1, 4}, {1, 5, 2}, {0, 2, 5}, {3, 1, 4}, {4, 5, 2}, {3, 2, 5}} {
			for _, item := range trial {
				trials = append(trials, vector(item)...)
			}
			right := trial[0]/3 == trial[2]/3
			types, answers = append(types, int64(i%3+1)), append(answers, map[bool]int64{false: 7, true: 9}[right])
		}
		r := record(map[string]any{"memory": memory, "trials": trials, "trial_type": types, "correct_answer": answers, "difficulty": []int64{0, 0, 1, 0, 0, 1}})
		must.Do(t, os.WriteFile(filepath.Join(data, folder, "trials-00000-of-00001"), slices.Concat(r, r), 0o600))
	}
	src := convert(t, "convert_released.py", data, "--rows", "stored", "--records", "1")
	want := datasets.Shape{Vocabulary: 2, MaxRows: 4, RowWidth: 2, QueryWidth: 3, Answers: 1, ItemDim: 40}
	if src.Shape() != want || src.Spec().Settings["task"] != "pai3-released" {
		t.Errorf("%+v %v", src.Shape(), src.Spec())
	}
	var got []string
	for _, q := range questions(t, src, datasets.Test, 0, 10) {
		line := q.Kind
		for _, features := range q.Items {
			if features[39] != 0.8 {
				t.Errorf("an item is not scaled to length 1: %v", features)
			}
			line += fmt.Sprint(" ", slices.Index(features, 0.6))
		}
		got = append(got, fmt.Sprint(line, " ", q.Targets[0]))
	}
	const rows = " 0 1 4 5 1 2 3 4 "
	if list := []string{"A-B" + rows + "0 1 4 0", "A-B" + rows + "3 1 4 1", "B-C" + rows + "1 5 2 1", "B-C" + rows + "4 5 2 0", "A-C" + rows + "0 2 5 0", "A-C" + rows + "3 2 5 1"}; !slices.Equal(got, list) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(list, "\n"))
	}

	shard := filepath.Join(data, "test", "trials-00000-of-00001")
	damaged := must.Get(os.ReadFile(shard))(t)
	damaged[100] ^= 1
	must.Do(t, os.WriteFile(shard, damaged, 0o600))
	message, err := exec.Command("python3", "../../tools/python/convert_released.py", "--data", data, "--out", filepath.Join(t.TempDir(), "out")).CombinedOutput()
	if err == nil || !strings.Contains(string(message), shard+": offset 0: the record's checksum is another") {
		t.Errorf("a damaged record: %v: %s", err, message)
	}
}

// Every split has chains of its own items; the answer is the class of the match.
func TestEmbeddingsAreConverted(t *testing.T) {
	data := t.TempDir()
	const classes, perClass = 12, 3
	for s, split := range []string{"train", "validation", "test"} {
		var items []float32
		var labels []int64
		for i := range classes * perClass {
			v := vector(i % classes)
			v[20+i/classes], v[30+s] = 1, 2
			items, labels = append(items, v...), append(labels, int64(i%classes))
		}
		for name, write := range map[string]func(f *os.File) error{
			split + ".npy":         func(f *os.File) error { return npz.Write(f, items, classes*perClass, 40) },
			split + "_classes.npy": func(f *os.File) error { return npz.Write(f, labels, classes*perClass) },
		} {
			f := must.Get(os.Create(filepath.Join(data, name)))(t)
			must.Do(t, write(f))
			must.Do(t, f.Close())
		}
	}
	src := convert(t, "convert_embeddings.py", data, "--length", "4", "--sequences", "3", "--train", "50", "--per-kind", "5", "--scale", "raw")
	want := datasets.Shape{Vocabulary: classes, MaxRows: 9, RowWidth: 2, QueryWidth: 3, Answers: 1, ItemDim: 40}
	if src.Shape() != want || !slices.Equal(src.Kinds(), []string{"A-B", "B-C", "C-D", "A-C", "B-D", "A-D"}) {
		t.Errorf("%+v %v", src.Shape(), src.Kinds())
	}
	class := func(features []float32) int32 { return int32(slices.Index(features[:classes], 3)) }
	for split, n := range []int{50, 30, 30} {
		list := questions(t, src, datasets.Split(split), 0, 10)
		if len(list) != n {
			t.Errorf("%v: %d examples, want %d", datasets.Split(split), len(list), n)
		}
		for _, q := range list {
			next := map[int32]int32{} // by class
			for r := range 9 {
				next[class(q.Items[2*r])] = class(q.Items[2*r+1])
			}
			at := class(q.Items[18])
			for range q.Kind[2] - q.Kind[0] {
				at = next[at]
			}
			shown := []int32{class(q.Items[19]), class(q.Items[20])}
			if at != q.Targets[0] || !slices.Equal(shown, q.Choices) || !slices.Contains(shown, at) || q.Items[0][30+split] != 2 {
				t.Fatalf("%v: %+v", datasets.Split(split), q)
			}
		}
	}
}
