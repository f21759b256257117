// Package results reads results, for reports and for comparisons.
//
// What comes in: paths of files and directories with result records (package
// benchmarks/record), JSON arrays of them as memobench run --json prints, their copies in
// the Go benchmark format, or the output of go test -bench. What goes out: Runs, which
// Deduplicate makes unique; a Set of cells, each with the values of one metric of one model
// on one kind of question, one value per run; and, for two sets, the pairs of cells that may
// be compared. What always holds:
//
//   - A record and its copy in the Go benchmark format give the same cells.
//   - Cells have one protocol and one dataset. Match never pairs cells with different
//     ones.
//   - NaN, infinite values, accuracies outside 0 to 100, incomplete or invalid lines,
//     duplicate runs and paths without results are errors that name file and line.
//   - Runs with the same label but other settings of model or training are not one
//     sample: an error within a set; Changed lists them for two sets.
//   - In its Group, a run that diverged or was stopped counts as failed; a run without a
//     result, or a copy of another seed, as lost. Missing values are Notes of the set.
package results

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"memobench/benchmarks/record"
	"memobench/benchmarks/trace"
	"memobench/datasets/binfile"
)

// maxTextSize is the maximum size of a file with several results, in bytes: with maxCells,
// two sets take less than a gigabyte of memory.
const maxTextSize = 32 << 20

// Results are the results at and below some paths.
type Results struct {
	Name    string // the paths
	Runs    []Run  // records, in the order of reading
	Shifted []Run  // records of evaluations on questions unlike those of training, not in Runs
	Paths   []*pathResults

	seen map[string]bool // absolute paths
}

// pathResults are the results at and below one path, in lexical order.
type pathResults struct {
	Path    string
	Records int      // number of records
	Shifted int      // number of records of evaluations on questions unlike those of training
	Others  []string // attention traces and texts (*.txt)
	Links   []string // to directories, which are not followed

	numbers bool     // some file has numbers
	files   []file   // without those that an earlier path has
	crashed []string // directories of runs without a result
}

// file is a file with numbers: records, or a text in the Go benchmark format.
type file struct {
	path     string
	from, to int    // its records in Results.Runs
	text     []byte // nil until load for a text in a directory
	hash     [sha256.Size]byte
}

// Open reads the records at the given paths and lists other results. A file is a record, a
// JSON array of records or text in the Go benchmark format, whatever its name. In a
// directory, all records in or below it are read; bench.txt is used if there is no record
// next to it. A run without either counts as lost. Each file is read only once.
func Open(paths ...string) (*Results, error) {
	r := &Results{Name: strings.Join(paths, " "), seen: map[string]bool{}}
	for _, path := range paths {
		if err := r.open(path); err != nil {
			return nil, err
		}
	}
	return r, nil
}

func (r *Results) open(path string) error {
	p := &pathResults{Path: path}
	r.Paths = append(r.Paths, p)
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return fmt.Errorf("reading results: %w; name a file or a directory with results", err)
	case !info.IsDir():
		return r.file(p, path)
	}
	hasResult := map[string]bool{} // by directory of a run
	// The separator makes WalkDir follow a link.
	err = filepath.WalkDir(path+string(filepath.Separator), func(at string, d fs.DirEntry, err error) error {
		if err != nil {
			return fmt.Errorf("reading results: %w", err)
		}
		return r.addEntry(p, filepath.Clean(at), d, hasResult)
	})
	for _, dir := range slices.Sorted(maps.Keys(hasResult)) {
		if !hasResult[dir] {
			p.crashed = append(p.crashed, filepath.Clean(dir))
		}
	}
	return err
}

// addEntry adds an entry of a directory.
func (r *Results) addEntry(p *pathResults, path string, d fs.DirEntry, hasResult map[string]bool) error {
	dir, name := filepath.Split(path)
	if d.Type()&fs.ModeSymlink != 0 {
		if target, err := os.Stat(path); err == nil && target.IsDir() {
			p.Links = append(p.Links, path)
			return nil
		}
	}
	if name == checkpointName || name == configName || name == record.CurveName {
		hasResult[dir] = hasResult[dir] || false
	}
	switch {
	case d.IsDir():
	case name == record.FileName:
		hasResult[dir] = true
		return r.file(p, path)
	case IsTrace(path), filepath.Ext(path) == ".txt":
		first := r.first(path)
		if first {
			p.Others = append(p.Others, path)
		}
		if _, err := os.Stat(filepath.Join(dir, record.FileName)); name == record.BenchName && err != nil {
			hasResult[dir], p.numbers = true, true
			if first {
				p.files = append(p.files, file{path: path})
			}
		}
	}
	return nil
}

// first reports whether a path has not been seen before.
func (r *Results) first(path string) bool {
	abs, err := filepath.Abs(path)
	if err != nil {
		abs = path
	}
	first := !r.seen[abs]
	r.seen[abs] = true
	return first
}

// file reads a file with results.
func (r *Results) file(p *pathResults, path string) error {
	limit := int64(maxTextSize)
	if filepath.Base(path) == record.FileName {
		limit = record.MaxSize
	}
	if !r.first(path) {
		p.numbers = true
		if filepath.Base(path) == record.FileName {
			p.Records++
		}
		return nil
	}
	data, err := binfile.ReadFile(path, limit)
	if err == nil {
		err = r.parse(p, path, data)
	}
	if err != nil {
		return fmt.Errorf("reading results: %w", err)
	}
	return nil
}

// parse reads the contents of a file.
func (r *Results) parse(p *pathResults, path string, data []byte) error {
	f, shifted := file{path: path, from: len(r.Runs), hash: sha256.Sum256(data)}, len(r.Shifted)
	switch trimmed := bytes.TrimSpace(data); {
	case len(trimmed) == 0:
		return fmt.Errorf("%s: empty", path)
	case trimmed[0] == '{':
		if err := r.add(path, path, data); err != nil {
			return err
		}
	case trimmed[0] == '[':
		var list []json.RawMessage
		if err := json.Unmarshal(data, &list); err != nil {
			return fmt.Errorf("%s: not an array of result records: %w", path, err)
		}
		if len(list) == 0 {
			return fmt.Errorf("%s: an array without records", path)
		}
		for i, element := range list {
			if err := r.add(path, fmt.Sprintf("%s[%d]", path, i), element); err != nil {
				return err
			}
		}
	default:
		f.text = data
		if filepath.Ext(path) == ".txt" {
			p.Others = append(p.Others, path)
		}
	}
	f.to = len(r.Runs)
	p.Records += f.to - f.from
	p.Shifted += len(r.Shifted) - shifted
	if f.to > f.from || f.text != nil { // false if there are only shifted evaluations
		p.numbers = true
		p.files = append(p.files, f)
	}
	return nil
}

// add parses a record of a file and adds it. from is its path and index in errors.
func (r *Results) add(file, from string, data []byte) error {
	rec, err := record.Parse(data)
	if err != nil {
		return fmt.Errorf("%s: %w", from, err)
	}
	if rec.Origin == record.Scored && !rec.Caveats.Has(record.ScoredAnswers) {
		rec.Caveats = append(rec.Caveats, record.Caveat{Kind: record.ScoredAnswers, Text: "answers of another program"})
	}
	run := Run{Path: from, Record: rec, settings: settingsKey(rec), answers: predictionsPath(file)}
	if rec.Shift != nil {
		r.Shifted = append(r.Shifted, run)
		return nil
	}
	if err := run.checkCounts(file); err != nil && rec.CountsAsSeed() {
		rec.Caveats = append(rec.Caveats, record.Caveat{Kind: record.StatedCounts,
			Text: "the counts are as the record states them: " + err.Error()})
	}
	r.Runs = append(r.Runs, run)
	return nil
}

// predictionsPath returns the path of the answers of a record's run. For a record with
// another name, such as a baseline x.json, it is x.predictions.jsonl.
func predictionsPath(file string) string {
	dir, name := filepath.Split(file)
	if name == record.FileName {
		return filepath.Join(dir, record.PredictionsName)
	}
	return filepath.Join(dir, strings.TrimSuffix(name, filepath.Ext(name))+"."+record.PredictionsName)
}

// Links lists the links to directories that were not followed.
func (r *Results) Links() []string {
	var list []string
	for _, p := range r.Paths {
		list = append(list, p.Links...)
	}
	return list
}

// NeedRecords returns an error if one of the paths has neither a record nor an unfinished
// run.
func (r *Results) NeedRecords() error {
	for _, p := range r.Paths {
		if p.Records == 0 && len(p.crashed) == 0 {
			return cmp.Or(p.onlyShifted(), NoRecords(p.Path, p.Links))
		}
	}
	return nil
}

// onlyShifted returns an error if all records of a path are evaluations on questions unlike
// those of training.
func (p *pathResults) onlyShifted() error {
	if p.Shifted == 0 || p.Records > 0 {
		return nil
	}
	return fmt.Errorf("no results: the records in %s are evaluations on questions unlike those of training (memobench generalize), of which memobench report has tables of their own", p.Path)
}

// Unfinished describes the progress of each run without a result.
func (r *Results) Unfinished() []string {
	var list []string
	for _, p := range r.Paths {
		for _, dir := range p.crashed {
			text := dir + ": unfinished, not evaluated yet"
			if points, err := record.ReadOpenCurve(filepath.Join(dir, record.CurveName)); err == nil && len(points) > 0 {
				last := points[len(points)-1]
				text = fmt.Sprintf("%s: unfinished, after step %d %.1f %% on the validation split", dir, last.Step, last.Accuracy())
			}
			list = append(list, text)
		}
	}
	return list
}

// NoRecords is the error of a directory without any record.
func NoRecords(path string, links []string) error {
	text := fmt.Sprintf("no results: there is no %s in or below %s", record.FileName, path)
	if links != nil {
		text += "; " + LinksNote(links)
	}
	return errors.New(text)
}

// LinksNote says that links to directories were not followed.
func LinksNote(links []string) string {
	return "links to directories are not followed, name them to read them: " + strings.Join(links, ", ")
}

// IsTrace reports whether a file's name is that of an attention trace.
func IsTrace(path string) bool { return strings.HasSuffix(path, trace.Suffix) }
