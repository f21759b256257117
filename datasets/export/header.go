// Package export is the export format: what a model sees under a protocol, as files for other
// programs. Package file reads it.
//
// A directory has a header, dataset.json, the training batches and the questions of validation and
// test in one or more formats (JSON Lines, NumPy arrays, plain language) and, with embeddings, the
// items that the examples name. SCHEMA.md explains every key.
//
// The same task, settings, protocol and seed give the same files; those of fewer steps are the
// beginning of those of more.
package export

import (
	_ "embed"
	"fmt"
	"path/filepath"
	"slices"

	"memobench/datasets"
	"memobench/datasets/strictjson"
)

// version is the schema version of Header and Example.
const version = 2

// HeaderName and SchemaName are the names of the header and of its documentation.
const (
	HeaderName = "dataset.json"
	SchemaName = "SCHEMA.md"
)

// Contents of a file.
const (
	Examples = "examples" // JSON Lines
	Arrays   = "arrays"   // .npz
	plain    = "told"     // examples in plain language
	Items    = "items"    // .npy
	Text     = "text"     // not data
)

// Header describes a directory of files: dataset.json.
type Header struct {
	Schema      int               `json:"schema" doc:"schema version of this file and of the examples: 2"`
	Task        string            `json:"task" doc:"name of the task, as in memobench ls, or of your own"`
	Form        string            `json:"form,omitempty" doc:"examples"`
	Protocol    *Protocol         `json:"protocol,omitempty" doc:"protocol under which the questions are asked; may be absent"`
	Settings    map[string]string `json:"settings,omitempty" doc:"every setting that changes the data; may be absent"`
	Seed        uint64            `json:"seed" doc:"seed of the training examples; the questions have those of the protocol; may be absent"`
	Fingerprint string            `json:"fingerprint,omitempty" doc:"hash of the data, as in a result record; may be absent"`
	Labels      []string          `json:"labels" doc:"caveats that numbers from these data must carry"`
	Kinds       []string          `json:"kinds" doc:"query types, or numbers of the bAbI tasks"`
	Vocabulary  []string          `json:"vocabulary,omitempty" doc:"the word of each number; absent where words are numbers themselves"`
	Shape       Shape             `json:"shape" doc:"sizes, the largest of all splits"`
	Code        string            `json:"code,omitempty" doc:"program that wrote the files; may be absent"`
	Files       []File            `json:"files" doc:"all files but this one"`
}

// Protocol is the protocol in the form of a result record.
type Protocol struct {
	Preset string `json:"preset" doc:"preset that the protocol is from"`
	Hash   string `json:"hash" doc:"hash of the values, as in a result record"`
	Values any    `json:"values" doc:"every value of the protocol"`
}

// Shape is datasets.Shape in the header.
type Shape struct {
	Vocabulary int  `json:"vocabulary" doc:"answers are 0 to this number less 1, and so are words where they are not items"`
	MaxRows    int  `json:"max_rows" doc:"rows of the longest memory"`
	RowWidth   int  `json:"row_width" doc:"words of a row"`
	QueryWidth int  `json:"query_width" doc:"words of a query"`
	Answers    int  `json:"answers" doc:"answers of an example"`
	QuerySlot  int  `json:"query_slot,omitempty" doc:"word of a query, from 0, that an answer replaces in the next query; absent: the first"`
	ItemDim    int  `json:"item_dim,omitempty" doc:"features of an item; absent where words are not items"`
	Temporal   bool `json:"temporal,omitempty" doc:"the rows are in the order in which they happened"`
}

// File is one of a dataset's files.
type File struct {
	Name    string `json:"name" doc:"name in this directory"`
	Content string `json:"content" doc:"examples (JSON Lines), arrays (NumPy), told (examples in plain language), items or text"`
	Split   string `json:"split,omitempty" doc:"train, validation or test"`
	Count   int    `json:"count,omitempty" doc:"number of examples or items"`
	IDs     string `json:"ids,omitempty" doc:"beginning of the examples' ids: example i, from 0, is this with i after it; absent: any ids, or none"`
	Bytes   int64  `json:"bytes,omitempty" doc:"size; may be absent"`
	SHA256  string `json:"sha256,omitempty" doc:"SHA-256, hexadecimal; absent: not compared"`
}

// Example is a question with its memory: one line of a file of examples.
type Example struct {
	ID      string    `json:"id,omitempty" doc:"names the example: split, fingerprint of protocol and data, and number from 0"`
	Kind    string    `json:"kind" doc:"query type, one of the header's kinds"`
	Rows    [][]int32 `json:"rows" doc:"the memory: rows of words, -1 for no word; with embeddings words are lines of the split's table of items, from 0"`
	Query   []int32   `json:"query" doc:"words of the query; for shortest path source and destination"`
	Targets []int32   `json:"targets" doc:"the right answers: a word or class, or for shortest path the nodes between source and destination in order"`
	Choices []int32   `json:"choices,omitempty" doc:"answers offered in the query; absent where a task offers none"`
}

// ParseHeader reads dataset.json. Unknown keys and invalid values are errors.
func ParseHeader(data []byte) (*Header, error) {
	h := new(Header)
	if err := strictjson.DecodeVersion(data, "header", version, h); err != nil {
		return nil, err
	}
	if err := h.validate(); err != nil {
		return nil, fmt.Errorf("bad header: %w", err)
	}
	return h, nil
}

// Limits on the sizes in a header.
const (
	maxWidth = 1 << 16
	maxRows  = 1 << 20
)

func (h *Header) validate() error {
	s := h.Shape
	sizes := []int{s.Vocabulary, s.MaxRows, s.RowWidth, s.QueryWidth, s.Answers}
	switch {
	case h.Task == "" || len(h.Kinds) == 0 || slices.Contains(h.Kinds, "") || len(slices.Compact(slices.Sorted(slices.Values(h.Kinds)))) != len(h.Kinds):
		return fmt.Errorf("task %q, kinds %q: want a task and distinct kinds", h.Task, h.Kinds)
	case slices.Min(sizes) < 1 || s.ItemDim < 0 || s.QuerySlot < 0 || s.QuerySlot >= s.QueryWidth:
		return fmt.Errorf("shape %+v: want sizes of 1 or more, and a query slot in the query", s)
	case max(s.RowWidth, s.QueryWidth, s.Answers, s.ItemDim) > maxWidth || s.MaxRows > maxRows || s.Vocabulary > maxRows:
		return fmt.Errorf("shape %+v: want at most %d rows and words, and widths to %d", s, maxRows, maxWidth)
	case h.Vocabulary != nil && len(h.Vocabulary) != s.Vocabulary:
		return fmt.Errorf("%d words in a vocabulary of %d", len(h.Vocabulary), s.Vocabulary)
	}
	for _, f := range h.Files {
		if f.Name != filepath.Base(f.Name) || f.Name == "." || f.Name == ".." {
			return fmt.Errorf("file %q: want a plain name", f.Name)
		}
		if _, err := datasets.ParseSplit(f.Split); err != nil && f.Content != Text {
			return fmt.Errorf("file %q: %w", f.Name, err)
		}
	}
	return nil
}

// schemaText documents a directory of files and every key in them. It is written next to the data.
//
//go:embed SCHEMA.md
var schemaText string
