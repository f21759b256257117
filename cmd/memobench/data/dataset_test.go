package data

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memobench/datasets"
	"memobench/datasets/must"
)

// edit replaces a part of a file.
func edit(t *testing.T, path, old, new string) {
	t.Helper()
	data := must.Get(os.ReadFile(path))(t)
	if !strings.Contains(string(data), old) {
		t.Fatalf("%s has no %q", path, old)
	}
	must.Do(t, os.WriteFile(path, []byte(strings.Replace(string(data), old, new, 1)), 0o644))
}

func TestBadHeadersAreRefused(t *testing.T) {
	d := mustWrite(t, filepath.Join(t.TempDir(), "d"), plan(t, "sp10-2-2", [3]int{2, 1, 1}))
	path := filepath.Join(d.Dir, headerName)
	good := must.Get(os.ReadFile(path))(t)
	for want, change := range map[string][2]string{
		"schema version 9: this program reads version 2": {`"schema": 2`, `"schema": 9`},
		"unknown field": {`"seed"`, `"sede"`},
		"not a header":  {`{`, `[`},
		"task, fingerprint, kinds and files must not be empty": {`"sp10-2-2"`, `""`},
		`form "exams": want examples`:                          {`"examples",`, `"exams",`},
		"the hash":                                             {`"test_seed": 7`, `"test_seed": 8`},
		"want sizes of 1 or more":                              {`"row_width": 2`, `"row_width": 0`},
		"and widths to":                                        {`"query_width": 2`, `"query_width": 99999`},
		`file "../train.jsonl": want a plain name`:             {`"train.jsonl"`, `"../train.jsonl"`},
		`file "train.jsonl" is listed twice`:                   {`"test.jsonl"`, `"train.jsonl"`},
		`unknown content "image"`:                              {`"content": "examples"`, `"content": "image"`},
		`split "tset" of examples`:                             {`"split": "test"`, `"split": "tset"`},
		"count -2":                                             {`"count": 2`, `"count": -2`},
		"cannot unmarshal string":                              {`"seed": 5`, `"seed": "5"`},
	} {
		must.Do(t, os.WriteFile(path, good, 0o644))
		edit(t, path, change[0], change[1])
		if _, err := Open(d.Dir); err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), path) {
			t.Errorf("%q to %q: %v, want ...%s...", change[0], change[1], err, want)
		}
	}
	must.Do(t, os.WriteFile(path, append(good, "{}"...), 0o644))
	if _, err := Open(d.Dir); err == nil {
		t.Error("data after the header are accepted")
	}
	must.Do(t, os.WriteFile(path, []byte(strings.Repeat(" ", maxHeader+1)), 0o644))
	if _, err := Open(d.Dir); err == nil || !strings.Contains(err.Error(), "is larger than 1 MiB") {
		t.Errorf("a huge header: %v", err)
	}
}

// Every bad line is reported with its number, and the others are read.
func TestBadLinesAreNamed(t *testing.T) {
	d := mustWrite(t, filepath.Join(t.TempDir(), "d"), plan(t, "pai3", [3]int{3, 1, 1}, "classes=20", "sequences=2"))
	f, _ := d.Header.find(contentExamples, "train")
	const good = `{"id":"ID","kind":"A-B","rows":[[1,2],[2,3]],"query":[1,2,9],"targets":[2],"choices":[2,9]}`
	lines := []struct{ text, want string }{
		{good, ""},
		{"", "not an example"},
		{"{", "not an example"},
		{good + "1", "data after the JSON value"},
		{strings.Replace(good, "ID", "test-5", 1), `id "test-5", want "` + f.IDs},
		{strings.Replace(good, "kind", "kidn", 1), `unknown field "kidn"`},
		{strings.Replace(good, "A-B", "A-Z", 1), `kind "A-Z": want one of`},
		{strings.Replace(good, "[[1,2],[2,3]]", "[]", 1), "0 rows, want 1 to 4"},
		{strings.Replace(good, "[2,3]]", "[2,3],[1,1],[1,1],[1,1]]", 1), "5 rows, want 1 to 4"},
		{strings.Replace(good, "[1,2],", "[1,2,3],", 1), "row 1 has 3 words, want 2"},
		{strings.Replace(good, "[1,2],", "[1,20],", 1), "memory word 20 out of range"},
		{strings.Replace(good, "[1,2],", "[1,-2],", 1), "memory word -2 out of range"},
		{strings.Replace(good, "[1,2,9]", "[1,2]", 1), "2 query words, want 1 x 3"},
		{strings.Replace(good, `"targets":[2]`, `"targets":[2,3]`, 1), "2 targets, want 1 x 1"},
		{strings.Replace(good, `"targets":[2]`, `"targets":[3]`, 1), "target 3 is none of the choices [2 9]"},
		{strings.Replace(good, "9]}", "99999999999]}", 1), "cannot unmarshal number"},
		{strings.Replace(good, "[1,2],", "[1,-1],", 1), ""}, // no word
	}
	var text strings.Builder
	for i, l := range lines {
		text.WriteString(strings.Replace(l.text, `"ID"`, fmt.Sprintf(`"%s%d"`, f.IDs, i), 1) + "\n")
	}
	must.Do(t, os.WriteFile(d.path(f), []byte(text.String()), 0o644))
	read := 0
	var got []string
	n := d.scan(f, func(*datasets.Batch) error { read++; return nil }, func(err error) { got = append(got, err.Error()) })
	at := 0
	for i, l := range lines {
		if l.want == "" {
			continue
		}
		if prefix := fmt.Sprintf("%s:%d: ", d.path(f), i+1); at < len(got) &&
			(!strings.HasPrefix(got[at], prefix) || !strings.Contains(got[at], l.want)) {
			t.Errorf("line %d: %s, want ...%s...", i+1, got[at], l.want)
		}
		at++
	}
	if n != len(lines) || read != 2 || len(got) != at {
		t.Errorf("%d lines, %d read, %d errors, want %d, 2 and %d: %q", n, read, len(got), len(lines), at, got)
	}
	if err := d.Verify(f, whole); err == nil || !strings.Contains(err.Error(), "bytes, the header says") {
		t.Errorf("another size: %v", err)
	}
}

func TestChangedAndMissingFilesAreNoticed(t *testing.T) {
	p := plan(t, "pai3-embeddings", [3]int{2, 1, 1}, smallEmbeddings...)
	d := mustWrite(t, filepath.Join(t.TempDir(), "d"), p)
	f, _ := d.Header.find(contentExamples, "train")
	edit(t, d.path(f), `"query":[`, `"query":[7`) // an item that there is not, and of another size
	var got []string
	d.scan(f, func(*datasets.Batch) error { return nil }, func(err error) { got = append(got, err.Error()) })
	if len(got) != 1 || !strings.Contains(got[0], "train.jsonl:1: item 7") || !strings.Contains(got[0], "want 0 to ") {
		t.Errorf("an item that there is not: %q", got)
	}
	items, _ := d.Header.find(ContentItems, "test")
	data := must.Get(os.ReadFile(d.path(items)))(t)
	data[len(data)-1] ^= 1
	must.Do(t, os.WriteFile(d.path(items), data, 0o644))
	if err := d.Verify(items, whole); err == nil || !strings.Contains(err.Error(), "the file was changed") {
		t.Errorf("a flipped bit: %v", err)
	}
	must.Do(t, os.Remove(d.path(items)))
	if err := d.Verify(items, whole); err == nil {
		t.Error("a missing file is not noticed")
	}
	must.Do(t, os.WriteFile(d.path(f), []byte(`{"kind":"`+strings.Repeat("x", maxLine)+`"}`), 0o644))
	got = nil
	d.scan(f, func(*datasets.Batch) error { return nil }, func(err error) { got = append(got, err.Error()) })
	if len(got) != 1 || !strings.Contains(got[0], "train.jsonl:1: a line of more than") {
		t.Errorf("a long line: %q", got)
	}
}

func TestHeadersOfOtherGenerators(t *testing.T) {
	d := mustWrite(t, filepath.Join(t.TempDir(), "d"), plan(t, "sp10-2-2", [3]int{2, 1, 1}))
	h := *d.Header
	d.Header.Fingerprint = "0123456789abcdef"
	if _, same, err := d.source(); same || err != nil {
		t.Errorf("another fingerprint: same %v, %v", same, err)
	}
	for want, change := range map[string]func(h *Header){
		`unknown task "sp10-2-3"`:       func(h *Header) { h.Task = "sp10-2-3" },
		`unknown key "ndoes"`:           func(h *Header) { h.Settings = map[string]string{"ndoes": "3"} },
		"setting nodes = 11":            func(h *Header) { h.Settings = map[string]string{"nodes": "11"} },
		"the header says shape":         func(h *Header) { h.Shape.Vocabulary = 7 },
		`setting "nodes=x": nodes = x:`: func(h *Header) { h.Settings = map[string]string{"nodes": "x"} },
	} {
		other := h
		change(&other)
		d := &Dataset{d.Dir, &other}
		if _, _, err := d.source(); err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), d.Dir) {
			t.Errorf("%v, want ...%s...", err, want)
		}
	}
}

// No header and no line makes the reader panic or read more words than there are.
func FuzzRead(f *testing.F) {
	// By default each input of interest is minimized for a minute, and nothing else
	// is run.
	must.Do(f, flag.Set("test.fuzzminimizetime", "100x"))
	d := mustWrite(f, filepath.Join(f.TempDir(), "d"), plan(f, "pai3-embeddings", [3]int{3, 1, 1}, smallEmbeddings...))
	header := must.Get(json.Marshal(d.Header))(f)
	examples := must.Get(os.ReadFile(filepath.Join(d.Dir, "train.jsonl")))(f)
	line, _, _ := strings.Cut(string(examples), "\n")
	f.Add(header, []byte(line))
	f.Add([]byte(`{"schema":2}`), []byte(`{"kind":"A-B","rows":[[1,2]],"query":[1,2,9],"targets":[2],"choices":[2,9]}`))
	f.Add(header, []byte(`{"kind":"A-B","rows":[null],"query":null}`))
	f.Fuzz(func(t *testing.T, header, line []byte) {
		h, err := parseHeader(header)
		if err != nil {
			return
		}
		e, err := parseExample(line)
		if err != nil {
			return
		}
		var b datasets.Batch
		if err := e.batch(&b, h, 700); err != nil {
			return
		}
		shape := h.Shape.dataShape()
		shape.ItemDim = min(shape.ItemDim, 1)
		if err := b.Validate(shape); err != nil {
			t.Fatalf("%s is taken: %v", line, err)
		}
		if b.Items != nil && b.Items.Len() > len(line) {
			t.Fatalf("%d items of a line of %d bytes", b.Items.Len(), len(line))
		}
	})
}

func TestDataAreFound(t *testing.T) {
	dir := t.TempDir()
	mustWrite(t, filepath.Join(dir, "set"), plan(t, "babi", [3]int{5, 0, 5}, "tasks=1"))
	for name, text := range map[string]string{"a/x.npy": "", "a/qa1_test.txt": "1 a\n2 b\tc\n", "b/length3/train/trials-00000-of-00001": "", "b/test/trials-00000-of-00001": "", "b/picture.png": ""} {
		path := filepath.Join(dir, name)
		must.Do(t, os.MkdirAll(filepath.Dir(path), 0o755))
		must.Do(t, os.WriteFile(path, []byte(text), 0o644))
	}
	for name, want := range map[string]string{
		"set": "/set||0 0 0 false", "set/dataset.json": "/set||0 0 0 false", "set/qa1_single-supporting-fact_test.txt": "||0 0 1 true",
		"a": "||0 1 1 false", "a/x.npy": "||0 1 0 false", "b": "||2 0 0 false", "b/length3": "||1 0 0 false", "b/picture.png": "||0 0 1 false",
	} {
		f, err := findData(filepath.Join(dir, name))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := fmt.Sprintf("%s|%s|%d %d %d %v", strings.TrimPrefix(f.dataset, dir), f.only, len(f.released), len(f.arrays), len(f.stories), f.simulated); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	for _, name := range []string{"none", "."} {
		if f, err := findData(filepath.Join(dir, name)); err == nil {
			t.Errorf("%s: %+v", name, f)
		}
	}
}
