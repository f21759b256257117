// Package results reads results, for reports and for comparisons.
//
// What comes in: paths of files and directories with result records (package
// benchmarks/record), JSON arrays of them as memobench run --json prints, their benchmark
// texts (their copies in the Go benchmark format), or the output of go test -bench. What
// goes out: Runs, of which Once says which count; a Set of cells, each the values of one
// metric of one model on one kind of question, a value a run; and, of two sets, the
// pairs of cells that may be compared. What always holds:
//
//   - A record is read as its benchmark text, so that either gives the same cells.
//   - Cells are of one protocol and one dataset. Those of different ones are
//     never paired: Match refuses.
//   - A number that is none (NaN, an infinity), an accuracy outside 0 to 100, a
//     line that is cut off or cannot be read, a run that is there twice and a path
//     without results are errors that name file and line.
//   - Runs of one label with other settings of model or recipe are no sample of one
//     thing: within a set an error; between two sets, Changed tells.
//   - A run that diverged or did not end counts as failed in its Group, one without a
//     result, or with all numbers of another seed, as lost; what is missing is a
//     Note of the set. Nothing is left out in silence.
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
	"memobench/benchmarks/suggest"
	"memobench/benchmarks/trace"
	"memobench/datasets"
)

// largestText is the most that is read of a file with results that is no single
// record, in bytes: with mostCells, two sets stay below a gigabyte of memory.
const largestText = 32 << 20

// Results are what was found at and below some paths.
type Results struct {
	Name    string // the paths
	Runs    []Run  // records, in the order of reading
	Shifted []Run  // records of evaluations on questions unlike those of training, which are never among Runs
	Places  []*place

	seen map[string]bool // absolute paths
}

// place is what lies at and below one path, in lexical order.
type place struct {
	Path    string
	Records int      // of the files: 0 where there are none
	Shifted int      // likewise, of evaluations on questions unlike those of training
	Others  []string // attention traces and texts (*.txt)
	Links   []string // to directories, which are not followed

	numbers bool     // there are files with numbers
	files   []file   // those that were met here first
	crashed []string // directories of runs without a result
}

// file is a file with numbers: records, or a text in the Go benchmark format.
type file struct {
	path     string
	from, to int    // among the runs
	text     []byte // of a text that was named; one that was found is read where it is needed
	hash     [sha256.Size]byte
}

// Open reads the records at the given paths and finds what else there is. A file
// is a record, a JSON array of records or text in the Go benchmark format, whatever its
// name. Of a directory all records in or below it are read; bench.txt counts where there
// is no record beside it, and a run without either as lost. A file is read once.
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
	p := &place{Path: path}
	r.Places = append(r.Places, p)
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("no results: %s does not exist%s", path, similar(path))
	case err != nil:
		return err
	case !info.IsDir():
		return r.file(p, path)
	}
	runs := map[string]bool{} // directories of runs: whether they have a result
	// The separator makes WalkDir follow a link.
	err = filepath.WalkDir(path+string(filepath.Separator), func(at string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		at = filepath.Clean(at)
		return r.found(p, at, d, runs)
	})
	for _, dir := range slices.Sorted(maps.Keys(runs)) {
		if !runs[dir] {
			p.crashed = append(p.crashed, filepath.Clean(dir))
		}
	}
	return err
}

// found adds what a directory holds.
func (r *Results) found(p *place, path string, d fs.DirEntry, runs map[string]bool) error {
	dir, name := filepath.Split(path)
	if d.Type()&fs.ModeSymlink != 0 {
		if target, err := os.Stat(path); err == nil && target.IsDir() {
			p.Links = append(p.Links, path)
			return nil
		}
	}
	if name == checkpointName || name == configName || name == record.CurveName {
		runs[dir] = runs[dir] || false
	}
	switch {
	case d.IsDir():
	case name == record.FileName:
		runs[dir] = true
		return r.file(p, path)
	case IsTrace(path), filepath.Ext(path) == ".txt":
		first := r.first(path)
		if first {
			p.Others = append(p.Others, path)
		}
		if _, err := os.Stat(filepath.Join(dir, record.FileName)); name == record.BenchName && err != nil {
			runs[dir], p.numbers = true, true
			if first {
				p.files = append(p.files, file{path: path})
			}
		}
	}
	return nil
}

// first reports whether a path is met for the first time.
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
func (r *Results) file(p *place, path string) error {
	limit := int64(largestText)
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
	data, err := record.ReadRegular(path, limit)
	if err == nil {
		err = r.parse(p, path, data)
	}
	if err != nil {
		return fmt.Errorf("reading results: %w", err)
	}
	return nil
}

// parse reads the contents of a file.
func (r *Results) parse(p *place, path string, data []byte) error {
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
		for i, one := range list {
			if err := r.add(path, fmt.Sprintf("%s[%d]", path, i), one); err != nil {
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
	if f.to > f.from || f.text != nil { // more than evaluations on other questions
		p.numbers = true
		p.files = append(p.files, f)
	}
	return nil
}

// add reads a record of a file.
func (r *Results) add(file, from string, data []byte) error {
	rec, err := record.Parse(data)
	if err != nil {
		return fmt.Errorf("%s: %w", from, err)
	}
	if rec.Origin == record.Scored && !rec.Caveats.Has(datasets.ScoredAnswers) {
		rec.Caveats = append(rec.Caveats, record.Caveat{Kind: datasets.ScoredAnswers, Text: "answers of another program"})
	}
	run := Run{Path: from, Record: rec, settings: settingsKey(rec), answers: predictionsBeside(file)}
	if rec.Shift != nil {
		r.Shifted = append(r.Shifted, run)
		return nil
	}
	if err := run.evidence(file); err != nil && rec.CountsAsSeed() {
		rec.Caveats = append(rec.Caveats, record.Caveat{Kind: datasets.StatedCounts,
			Text: "the counts are as the record states them: " + err.Error()})
	}
	r.Runs = append(r.Runs, run)
	return nil
}

// predictionsBeside returns where the answers of a record's run are. A record of
// another name, such as a baseline, may have its own beside it: x.json has
// x.predictions.jsonl.
func predictionsBeside(file string) string {
	dir, name := filepath.Split(file)
	if name == record.FileName {
		return filepath.Join(dir, record.PredictionsName)
	}
	return filepath.Join(dir, strings.TrimSuffix(name, filepath.Ext(name))+"."+record.PredictionsName)
}

// similar suggests a path beside one that does not exist.
func similar(path string) string {
	dir, name := filepath.Split(filepath.Clean(path))
	entries, err := os.ReadDir(filepath.Clean(dir))
	if err != nil {
		return ""
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if near := suggest.Nearest(name, names); near != "" {
		return fmt.Sprintf(": did you mean %s?", filepath.Join(dir, near))
	}
	return ": name a file or a directory with results"
}

// Links lists the links to directories that were not followed.
func (r *Results) Links() []string {
	var list []string
	for _, p := range r.Places {
		list = append(list, p.Links...)
	}
	return list
}

// NeedRecords is an error where one of the paths has neither a record nor an unfinished
// run.
func (r *Results) NeedRecords() error {
	for _, p := range r.Places {
		if p.Records == 0 && len(p.crashed) == 0 {
			return cmp.Or(p.onlyShifted(), NoRecords(p.Path, p.Links))
		}
	}
	return nil
}

// onlyShifted is an error where all records of a place are of questions unlike those of
// training.
func (p *place) onlyShifted() error {
	if p.Shifted == 0 || p.Records > 0 {
		return nil
	}
	return fmt.Errorf("no results: the records in %s are evaluations on questions unlike those of training (memobench generalize), of which memobench report has tables of their own", p.Path)
}

// Unfinished says of each directory of a run without a result how far it is.
func (r *Results) Unfinished() []string {
	var list []string
	for _, p := range r.Places {
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

// LinksNote says of links to directories that they were not followed.
func LinksNote(links []string) string {
	return "links to directories are not followed, name them to read them: " + strings.Join(links, ", ")
}

// IsTrace reports whether a file's name is that of an attention trace.
func IsTrace(path string) bool { return strings.HasSuffix(path, trace.Suffix) }
