package sweep

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"

	"memobench/benchmarks/config"
	"memobench/benchmarks/record"
	"memobench/benchmarks/train"
)

// Merged says what Merge did.
type Merged struct {
	Added      []string `json:"added"`      // directories that were copied to out
	Kept       int      `json:"kept"`       // runs that out had already
	Duplicates int      `json:"twice"`      // other runs of these cells with the same result
	Unfinished []string `json:"unfinished"` // directories of runs without a record, not copied
	Damaged    []string `json:"damaged"`    // directories in out whose weights are damaged in all copies
}

// conflictError lists cells with different results.
type conflictError struct{ Conflicts []string }

func (e *conflictError) Error() string {
	return fmt.Sprintf("%d conflicts, nothing was merged:\n  %s", len(e.Conflicts), strings.Join(e.Conflicts, "\n  "))
}

// recordedRun is a run with a record.
type recordedRun struct {
	dir     string
	rec     *record.Record
	weights weights
}

// Merge copies the runs below dirs that have a record into out, each into the directory
// that a sweep gives it. Runs of the same cell must have the same result: equal records
// except for times and machine, and equal weights. Of these the first is copied, but a
// longer run is preferred to one that a time limit ended, and a run with intact weights to
// one without. Everything is compared before the first copy. Directories are copied
// atomically. Nothing in out is replaced: if a run there would have to be, that is an
// error.
func Merge(out string, dirs ...string) (*Merged, error) {
	m := &Merged{Added: []string{}, Unfinished: []string{}, Damaged: []string{}}
	cells := map[string]recordedRun{}
	var order, conflicts []string
	for _, dir := range append([]string{out}, dirs...) {
		runs, err := m.findRuns(dir, dir == out)
		if err != nil {
			return nil, err
		}
		for _, r := range runs {
			i := r.rec.Identity
			to := filepath.Join(out, config.DirName(i.Task, i.Label, i.Seed, i.Cell))
			first, duplicate := cells[to]
			switch {
			case !duplicate:
				cells[to] = r
				order = append(order, to)
			case first.rec.Identity.Cell != r.rec.Identity.Cell: // directory names have a part of the hash
				conflicts = append(conflicts, fmt.Sprintf("%s and %s are different cells of the same name", first.dir,
					r.dir))
			case same(first.rec, r.rec) && !first.weights.conflict(r.weights):
				m.Duplicates++
				if r.weights.intact() && !first.weights.intact() {
					cells[to] = r
				}
			case shorter(first.rec, r.rec):
				cells[to] = r
			case shorter(r.rec, first.rec):
			default:
				what := "different results (" + differs(first.rec, r.rec) + ")"
				if same(first.rec, r.rec) {
					what = "different weights of the same result"
				}
				conflicts = append(conflicts, fmt.Sprintf("cell %s: %s and %s hold %s", r.rec.Identity.Cell, first.dir,
					r.dir, what))
			}
		}
	}
	for _, to := range order {
		if _, err := os.Lstat(to); err == nil && !sameFile(cells[to].dir, to) {
			conflicts = append(conflicts,
				fmt.Sprintf("%s is to come from %s: remove it first, or merge into a new directory", to, cells[to].dir))
		}
	}
	if conflicts != nil {
		return nil, &conflictError{conflicts}
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return nil, fmt.Errorf("merging runs: %w", err)
	}
	lock, err := train.Lock(out, "sweep merge")
	if err != nil {
		return nil, fmt.Errorf("merging runs: %w", err)
	}
	defer lock.Close()
	for _, to := range order {
		r := cells[to]
		if r.weights.err != nil {
			m.Damaged = append(m.Damaged, to)
		}
		if sameFile(r.dir, to) {
			m.Kept++
			continue
		}
		if err := copyRun(to, r.dir); err != nil {
			return nil, fmt.Errorf("merging %s: %w", r.dir, err)
		}
		m.Added = append(m.Added, to)
	}
	return m, nil
}

func sameFile(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}

// findRuns lists the runs with records in the directories, or links to such, below dir,
// and adds those without to m.Unfinished. A missing directory is an error, unless it is
// out.
func (m *Merged) findRuns(dir string, isOut bool) ([]recordedRun, error) {
	entries, err := os.ReadDir(dir)
	if isOut && errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("merging runs: %w", err)
	}
	var runs []recordedRun
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") {
			continue
		}
		path := filepath.Join(dir, e.Name())
		if info, err := os.Stat(path); err != nil {
			return nil, err
		} else if !info.IsDir() {
			continue
		}
		file := filepath.Join(path, record.FileName)
		rec, err := record.ReadFile(file)
		switch {
		case err == nil && rec.Identity.Cell == "":
			return nil, fmt.Errorf("%s: identity.cell: missing: without it a sweep has no directory for the run", file)
		case err == nil:
			runs = append(runs, recordedRun{path, rec, readWeights(path, rec)})
		case !errors.Is(err, fs.ErrNotExist):
			return nil, err
		default:
			if _, err := os.Stat(filepath.Join(path, train.ConfigName)); err == nil {
				m.Unfinished = append(m.Unfinished, path)
			}
		}
	}
	if len(runs) == 0 && !isOut {
		return nil, fmt.Errorf("%s: no directory below it holds a run with a record", dir)
	}
	return runs, nil
}

// result is a record without times and machine.
func result(r *record.Record) record.Record {
	out := r.WithoutTimes()
	out.Environment = record.Environment{}
	return out
}

func same(a, b *record.Record) bool { return reflect.DeepEqual(result(a), result(b)) }

// shorter reports whether a is of a run that a time limit ended before b's end.
func shorter(a, b *record.Record) bool {
	return !a.Status.Finished() && (b.Status.Finished() || a.Training.Steps < b.Training.Steps)
}

// differs names the parts in which two records differ.
func differs(a, b *record.Record) string {
	x, y := reflect.ValueOf(result(a)), reflect.ValueOf(result(b))
	var parts []string
	for i := range x.NumField() {
		if !reflect.DeepEqual(x.Field(i).Interface(), y.Field(i).Interface()) {
			name, _, _ := strings.Cut(x.Type().Field(i).Tag.Get("json"), ",")
			parts = append(parts, name)
		}
	}
	return strings.Join(parts, ", ")
}
