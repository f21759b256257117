package data

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"

	"memobench/benchmarks/record"
	"memobench/datasets"
	"memobench/datasets/strictjson"
)

// schemaVersion is the schema version of Header and Example.
const schemaVersion = 2

// headerName and SchemaName are the names of the header and of its documentation.
const (
	headerName = "dataset.json"
	SchemaName = "SCHEMA.md"
)

// Forms of a dataset, see the package comment.
const (
	formExamples = "examples"
	formFiles    = "files"
)

// Contents of a file.
const (
	contentExamples = "examples"
	contentArrays   = "arrays"
	contentParquet  = "parquet"
	contentPlain    = "told"
	ContentItems    = "items"
	ContentClasses  = "classes"
	ContentStories  = "stories"
	ContentText     = "text"
)

var fileContents = []string{contentExamples, contentArrays, contentParquet, contentPlain, ContentItems, ContentClasses, ContentStories, ContentText}

// Header describes a directory of files: dataset.json.
type Header struct {
	Schema      int               `json:"schema" doc:"schema version of this file and of the examples"`
	Task        string            `json:"task" doc:"name of the task, as in memobench ls"`
	Form        string            `json:"form" doc:"examples (data export), or files in the task's own format (data gen)"`
	Protocol    *headerProtocol   `json:"protocol,omitempty" doc:"protocol under which the examples are asked; absent for files"`
	Settings    map[string]string `json:"settings" doc:"every setting that changes the data"`
	Seed        uint64            `json:"seed" doc:"seed of the training examples, or of the stories; the questions have those of the protocol"`
	Fingerprint string            `json:"fingerprint" doc:"hash of the data, as in a result record: of the generator's version and settings, or of files"`
	Labels      []string          `json:"labels" doc:"caveats that numbers from these data must carry"`
	Kinds       []string          `json:"kinds" doc:"query types, or numbers of the bAbI tasks"`
	Vocabulary  []string          `json:"vocabulary,omitempty" doc:"the word of each number; absent where words are numbers themselves"`
	Shape       headerShape       `json:"shape" doc:"sizes, the largest of all splits"`
	Code        string            `json:"code" doc:"version of memobench"`
	Files       []File            `json:"files" doc:"all files but this one"`
}

// headerProtocol is the protocol in the form of a result record.
type headerProtocol struct {
	Preset string        `json:"preset" doc:"preset that the protocol is from"`
	Hash   string        `json:"hash" doc:"hash of the values, as in a result record"`
	Values record.Values `json:"values" doc:"every value of the protocol"`
}

// headerShape is datasets.Shape in the header.
type headerShape struct {
	Vocabulary int  `json:"vocabulary" doc:"answers are 0 to this number less 1, and so are words where they are not items"`
	MaxRows    int  `json:"max_rows" doc:"rows of the longest memory"`
	RowWidth   int  `json:"row_width" doc:"words of a row"`
	QueryWidth int  `json:"query_width" doc:"words of a query"`
	Answers    int  `json:"answers" doc:"answers of an example"`
	ItemDim    int  `json:"item_dim,omitempty" doc:"features of an item; absent where words are not items"`
	Temporal   bool `json:"temporal,omitempty" doc:"the rows are in the order in which they happened"`
}

// File is one of a dataset's files.
type File struct {
	Name    string `json:"name" doc:"name in this directory"`
	Content string `json:"content" doc:"examples (JSON Lines), arrays (NumPy), parquet, told (examples in plain language), items, classes, stories or text"`
	Split   string `json:"split,omitempty" doc:"train, validation or test"`
	Count   int    `json:"count,omitempty" doc:"number of examples, items, or questions of the stories"`
	IDs     string `json:"ids,omitempty" doc:"beginning of the examples' ids: example i, from 0, is this with i after it"`
	Bytes   int64  `json:"bytes" doc:"size"`
	SHA256  string `json:"sha256" doc:"SHA-256, hexadecimal"`
}

func shapeOf(s datasets.Shape) headerShape {
	return headerShape{s.Vocabulary, s.MaxRows, s.RowWidth, s.QueryWidth, s.Answers, s.ItemDim, s.Temporal}
}

// dataShape returns the shape against which batches are checked.
func (s headerShape) dataShape() datasets.Shape {
	return datasets.Shape{Vocabulary: s.Vocabulary, MaxRows: s.MaxRows, RowWidth: s.RowWidth, QueryWidth: s.QueryWidth, Answers: s.Answers, ItemDim: s.ItemDim, Temporal: s.Temporal}
}

// marshal returns the header as indented JSON.
func (h *Header) marshal() ([]byte, error) {
	if err := h.validate(); err != nil {
		return nil, err
	}
	data, err := json.MarshalIndent(h, "", "  ")
	return append(data, '\n'), err
}

// maxHeader is the maximum size of a header in bytes, far above that of twenty tasks.
const maxHeader = 1 << 20

func parseHeader(data []byte) (*Header, error) {
	h := new(Header)
	if err := strictjson.DecodeVersion(data, "header", schemaVersion, h); err != nil {
		return nil, err
	}
	if err := h.validate(); err != nil {
		return nil, fmt.Errorf("bad header: %w", err)
	}
	return h, nil
}

var hexSHA256 = regexp.MustCompile(`^[0-9a-f]{64}$`)

// maxWidth and maxRows are limits on the sizes in a header.
const (
	maxWidth = 1 << 16
	maxRows  = 1 << 20
)

// validate returns an error for the first invalid value of h.
func (h *Header) validate() error {
	s := h.Shape
	switch {
	case h.Task == "" || h.Fingerprint == "" || len(h.Kinds) == 0 || len(h.Files) == 0:
		return fmt.Errorf("task, fingerprint, kinds and files must not be empty")
	case h.Form != formExamples && h.Form != formFiles:
		return fmt.Errorf("form %q: want %s or %s", h.Form, formExamples, formFiles)
	case s.Vocabulary < 1 || s.MaxRows < 1 || s.RowWidth < 1 || s.QueryWidth < 1 || s.Answers < 1 || s.ItemDim < 0:
		return fmt.Errorf("shape %+v: want sizes of 1 or more", s)
	case max(s.RowWidth, s.QueryWidth, s.Answers, s.ItemDim) > maxWidth || s.MaxRows > maxRows:
		return fmt.Errorf("shape %+v: want at most %d rows, and widths to %d", s, maxRows, maxWidth)
	case (h.Form == formExamples) != (h.Protocol != nil):
		return fmt.Errorf("form %s, protocol %v", h.Form, h.Protocol)
	case h.Protocol != nil && h.Protocol.Hash != record.HashOf(h.Protocol.Values):
		return fmt.Errorf("protocol.hash: %s, but protocol.values have the hash %s", h.Protocol.Hash, record.HashOf(h.Protocol.Values))
	case h.Vocabulary != nil && len(h.Vocabulary) != s.Vocabulary:
		return fmt.Errorf("%d words in a vocabulary of %d", len(h.Vocabulary), s.Vocabulary)
	}
	seen := map[string]bool{headerName: true}
	for _, f := range h.Files {
		_, err := datasets.ParseSplit(f.Split)
		switch {
		case f.Name != filepath.Base(f.Name) || f.Name == "." || f.Name == "..":
			return fmt.Errorf("file %q: want a plain name", f.Name)
		case seen[f.Name]:
			return fmt.Errorf("file %q is listed twice", f.Name)
		case !slices.Contains(fileContents, f.Content):
			return fmt.Errorf("file %q: unknown content %q", f.Name, f.Content)
		case (err == nil) == (f.Content == ContentText):
			return fmt.Errorf("file %q: split %q of %s", f.Name, f.Split, f.Content)
		case f.Count < 0 || f.Bytes < 0 || !hexSHA256.MatchString(f.SHA256):
			return fmt.Errorf("file %q: count %d, %d bytes, SHA-256 %q", f.Name, f.Count, f.Bytes, f.SHA256)
		}
		seen[f.Name] = true
	}
	return nil
}

// find returns the file of the given content and split.
func (h *Header) find(content, split string) (*File, bool) {
	for i := range h.Files {
		if f := &h.Files[i]; f.Content == content && f.Split == split {
			return f, true
		}
	}
	return nil, false
}

// schemaText documents a directory of files and every key in them. It is written next to
// the data.
//
//go:embed SCHEMA.md
var schemaText string
