package sweep

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"memobench/benchmarks"
	"memobench/benchmarks/record"
)

// Merged says what Merge did.
type Merged struct {
	Added      []string `json:"added"`      // directories made below the result's
	Kept       int      `json:"kept"`       // runs that the result had already
	Twice      int      `json:"twice"`      // runs found again with the same result
	Unfinished []string `json:"unfinished"` // directories of runs without a record, left out
}

// ConflictError says that directories hold different results of the same cell.
type ConflictError struct{ Conflicts []string }

func (e *ConflictError) Error() string {
	return fmt.Sprintf("%d conflicts, nothing was merged:\n  %s", len(e.Conflicts), strings.Join(e.Conflicts, "\n  "))
}

// found is a run with a record.
type found struct {
	dir string
	rec *record.Record
}

// Merge copies the runs below dirs that have a record into out, each into the
// directory that a sweep gives it. A run that is there more than once must have
// the same result, that is the same record but for times and machine; a run that
// a time limit ended gives way to a longer one. All is compared before anything
// is copied, and a run's directory appears in out whole or not at all.
func Merge(out string, dirs ...string) (*Merged, error) {
	m := &Merged{Added: []string{}, Unfinished: []string{}}
	cells := map[string]found{}
	var order, conflicts []string
	for _, dir := range append([]string{out}, dirs...) {
		runs, err := m.look(dir, dir == out)
		if err != nil {
			return nil, err
		}
		for _, r := range runs {
			key := r.rec.Identity.Cell
			first, twice := cells[key]
			switch {
			case !twice:
				cells[key] = r
				order = append(order, key)
			case same(first.rec, r.rec):
				m.Twice++
			case shorter(first.rec, r.rec):
				cells[key] = r
			case shorter(r.rec, first.rec):
			default:
				conflicts = append(conflicts, fmt.Sprintf("cell %s: %s and %s hold different results (%s)", key, first.dir, r.dir, differs(first.rec, r.rec)))
			}
		}
	}
	if conflicts != nil {
		return nil, &ConflictError{conflicts}
	}
	for _, key := range order {
		r := cells[key]
		i := r.rec.Identity
		to := filepath.Join(out, benchmarks.DirName(i.Task, i.Label, i.Seed, i.Cell))
		if filepath.Clean(r.dir) == filepath.Clean(to) {
			m.Kept++
			continue
		}
		if err := replace(to, r.dir); err != nil {
			return nil, fmt.Errorf("merging %s: %w", r.dir, err)
		}
		m.Added = append(m.Added, to)
		m.Unfinished = slices.DeleteFunc(m.Unfinished, func(dir string) bool { return filepath.Clean(dir) == filepath.Clean(to) })
	}
	return m, nil
}

// look lists the runs with records in the directories below dir, and notes
// those without. A directory that is not there is an error unless it is the
// result's.
func (m *Merged) look(dir string, result bool) ([]found, error) {
	entries, err := os.ReadDir(dir)
	if result && errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var runs []found
	for _, e := range entries {
		if !e.IsDir() || strings.HasPrefix(e.Name(), ".") {
			continue
		}
		path := filepath.Join(dir, e.Name())
		rec, err := record.ReadFile(filepath.Join(path, record.FileName))
		switch {
		case err == nil:
			runs = append(runs, found{path, rec})
		case !errors.Is(err, fs.ErrNotExist):
			return nil, err
		default:
			if _, err := os.Stat(filepath.Join(path, benchmarks.ConfigName)); err == nil {
				m.Unfinished = append(m.Unfinished, path)
			}
		}
	}
	if len(runs) == 0 && !result {
		return nil, fmt.Errorf("%s: no directory below it holds a run with a record", dir)
	}
	return runs, nil
}

// result is a record without what may differ between two runs of a cell that
// agree.
func result(r *record.Record) record.Record {
	one := r.WithoutTimes()
	one.Environment = record.Environment{}
	return one
}

func same(a, b *record.Record) bool { return reflect.DeepEqual(result(a), result(b)) }

// shorter says whether a is of a run that a time limit ended before b's end.
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

// replace copies a run's directory to a place that may hold a shorter run or one
// without a record.
func replace(to, from string) error {
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	fresh, err := os.MkdirTemp(filepath.Dir(to), ".merge-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(fresh)
	if err := os.CopyFS(fresh, os.DirFS(from)); err != nil {
		return err
	}
	if err := os.Chmod(fresh, 0o755); err != nil { // MkdirTemp's is for its owner alone
		return err
	}
	if err := os.RemoveAll(to); err != nil {
		return err
	}
	return os.Rename(fresh, to)
}
