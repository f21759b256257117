// Package results reads run directories and recorded studies into records with their place.
//
// What comes in: paths of directories and files. What goes out: a Set of Runs. Nothing is
// inferred from settings: what a run is called and belongs to is in its record (Identity).
package results

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"memobench/benchmarks/evaluate/trace"
	"memobench/benchmarks/record"
	"memobench/datasets/binfile"
)

// scalingName is the name of the report of memobench scaling.
const scalingName = "scaling.json"

// Run is a record with the place that it was read from.
type Run struct {
	Record *record.Record
	Source string // the file, with the line in a file of several records: "records.jsonl:12"

	dir    string
	curves func() ([]record.RunCurve, error) // of its recorded study; nil of a run directory
}

// Set is what was found at and below some paths.
type Set struct {
	Runs       []Run
	Unfinished []string // directories of runs without a record
	BenchFiles []string // *.txt: perhaps results in the Go benchmark format
	Traces     []string // attention traces
	Scaling    []string // reports of memobench scaling
}

// Read reads the records at the given paths. A directory is searched for run directories
// (record.json) and recorded studies (records.jsonl); a file is a record, a JSON array of
// records, or one record per line. A path without any result is an error.
func Read(paths ...string) (*Set, error) {
	s := &Set{}
	seen := map[string]bool{}
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			return nil, fmt.Errorf("reading results: %w", err)
		}
		before := len(s.Runs) + len(s.Unfinished) + len(s.BenchFiles) + len(s.Traces)
		if info.IsDir() {
			err = s.directory(path, seen)
		} else {
			err = s.file(path, seen)
		}
		if err != nil {
			return nil, fmt.Errorf("reading results: %w", err)
		}
		if before == len(s.Runs)+len(s.Unfinished)+len(s.BenchFiles)+len(s.Traces) && !seen[path] {
			return nil, fmt.Errorf("reading results: %s: no %s and no %s in or below it", path, record.FileName, record.RecordsName)
		}
	}
	return s, nil
}

// directory reads everything in and below a directory.
func (s *Set) directory(root string, seen map[string]bool) error {
	finished := map[string]bool{} // by directory of a run
	// The separator makes WalkDir follow a link at the root.
	err := filepath.WalkDir(root+string(filepath.Separator), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		path = filepath.Clean(path)
		dir, name := filepath.Split(path)
		switch {
		case name == record.FileName:
			finished[dir] = true
			return s.file(path, seen)
		case name == record.RecordsName:
			return s.file(path, seen)
		case name == record.CurveName || name == "config.yaml":
			finished[dir] = finished[dir]
		case strings.HasSuffix(name, trace.Suffix):
			s.Traces = append(s.Traces, path)
		case name == scalingName:
			s.Scaling = append(s.Scaling, path)
		case filepath.Ext(name) == ".txt":
			s.BenchFiles = append(s.BenchFiles, path)
		}
		return nil
	})
	for dir, done := range finished {
		if !done {
			s.Unfinished = append(s.Unfinished, filepath.Clean(dir))
		}
	}
	slices.Sort(s.Unfinished)
	return err
}

// file reads a file with records, once.
func (s *Set) file(path string, seen map[string]bool) error {
	absolute, err := filepath.Abs(path)
	if err != nil || seen[absolute] {
		return err
	}
	seen[absolute] = true
	seen[path] = true
	limit := int64(record.MaxTextSize)
	if filepath.Base(path) == record.FileName {
		limit = record.MaxSize
	}
	data, err := binfile.ReadFile(path, limit)
	if err != nil {
		return err
	}
	dir := filepath.Dir(path)
	switch trimmed := bytes.TrimSpace(data); {
	case filepath.Ext(path) == ".jsonl":
		curves := sync.OnceValues(func() ([]record.RunCurve, error) { return record.ReadCurves(filepath.Join(dir, record.CurvesName)) })
		records, err := record.ReadRecords(path)
		if err != nil {
			return err
		}
		for i, r := range records {
			s.Runs = append(s.Runs, Run{Record: r, Source: fmt.Sprintf("%s:%d", path, i+1), dir: dir, curves: curves})
		}
	case len(trimmed) > 0 && trimmed[0] == '[':
		var list []json.RawMessage
		if err := json.Unmarshal(data, &list); err != nil {
			return fmt.Errorf("%s: not an array of records: %w", path, err)
		}
		for i, element := range list {
			if err := s.add(fmt.Sprintf("%s[%d]", path, i), dir, element); err != nil {
				return err
			}
		}
	case len(trimmed) > 0 && trimmed[0] == '{':
		return s.add(path, dir, data)
	default:
		s.BenchFiles = append(s.BenchFiles, path)
	}
	return nil
}

func (s *Set) add(source, dir string, data []byte) error {
	r, err := record.Parse(data)
	if err != nil {
		return fmt.Errorf("%s: %w", source, err)
	}
	s.Runs = append(s.Runs, Run{Record: r, Source: source, dir: dir})
	return nil
}

// Curve returns the run's learning curve; nil where none was recorded.
func (r Run) Curve() (points []record.Point, err error) {
	if r.curves != nil {
		var list []record.RunCurve
		list, err = r.curves()
		if found, ok := record.FindCurve(list, r.Record.Identity.Key()); ok {
			return found.Decode()
		}
	} else if r.dir != "" && r.Record.Origin == record.Trained {
		if err = r.Record.CheckFile(r.dir, record.CurveName); err == nil {
			points, err = record.ReadCurve(filepath.Join(r.dir, record.CurveName))
		}
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return points, err
}

// Predictions returns the answers that the run kept to every question; nil where it kept
// none. Those of a record x.json are in x.predictions.jsonl.
func (r Run) Predictions() (*record.Predictions, error) {
	name := record.PredictionsName
	if r.curves != nil { // of a recorded study
		name = filepath.Join(record.PredictionsDir, r.Record.Identity.Key().PredictionsFile())
	} else if base := filepath.Base(r.Source); filepath.Ext(base) == ".json" && base != record.FileName {
		name = strings.TrimSuffix(base, ".json") + "." + name
	}
	p, err := record.ReadPredictions(filepath.Join(r.dir, name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return p, err
}

// SortByIdentity sorts runs by study, task, name and seed.
func SortByIdentity(runs []Run) {
	slices.SortStableFunc(runs, func(a, b Run) int {
		x, y := a.Record.Identity, b.Record.Identity
		return cmp.Or(cmp.Compare(x.Study, y.Study), cmp.Compare(x.Task, y.Task), cmp.Compare(x.Name, y.Name), cmp.Compare(x.Seed, y.Seed))
	})
}

// Conditions returns the protocol, the data and the settings of model and training as JSON
// by dotted key: "protocol.settings.classes" is "100".
func Conditions(r *record.Record) map[string]string {
	m := map[string]string{"protocol.hash": r.Protocol.Hash, "dataset.hash": r.Dataset.Hash, "evaluation.split": r.Evaluation.Split}
	var flatten func(prefix string, values map[string]any)
	flatten = func(prefix string, values map[string]any) {
		for key, v := range values {
			if nested, ok := v.(map[string]any); ok {
				flatten(prefix+key+".", nested)
			} else if text, _ := json.Marshal(v); string(text) != "[]" && v != nil { // an empty list is the same as none
				m[prefix+key] = string(text)
			}
		}
	}
	flatten("protocol.", r.Protocol.Values)
	flatten("model.", r.Model.Config)
	flatten("training.", r.Model.Training)
	return m
}
