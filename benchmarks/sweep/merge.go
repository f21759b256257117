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
	Added      []string `json:"added"`      // directories made below the result's
	Kept       int      `json:"kept"`       // runs that the result had already
	Twice      int      `json:"twice"`      // runs found again with the same result
	Unfinished []string `json:"unfinished"` // directories of runs without a record, left out
	Damaged    []string `json:"damaged"`    // directories of the result whose weights no copy has intact
}

// conflictError says that directories hold different results of the same cell.
type conflictError struct{ Conflicts []string }

func (e *conflictError) Error() string {
	return fmt.Sprintf("%d conflicts, nothing was merged:\n  %s", len(e.Conflicts), strings.Join(e.Conflicts, "\n  "))
}

// found is a run with a record.
type found struct {
	dir     string
	rec     *record.Record
	weights weights
}

// Merge copies the runs below dirs that have a record into out, each into the
// directory that a sweep gives it. A run that is there more than once must have
// the same result, that is the same record but for times and machine, and the
// same weights; a run that a time limit ended gives way to a longer one, and one
// whose weights are missing or damaged to one whose weights are intact. All is
// compared before anything is copied, and a run's directory appears in out whole
// or not at all. Nothing in out is replaced: where a run there should give way, the
// error names it.
func Merge(out string, dirs ...string) (*Merged, error) {
	m := &Merged{Added: []string{}, Unfinished: []string{}, Damaged: []string{}}
	cells := map[string]found{}
	var order, conflicts []string
	for _, dir := range append([]string{out}, dirs...) {
		runs, err := m.look(dir, dir == out)
		if err != nil {
			return nil, err
		}
		for _, r := range runs {
			to := target(out, r.rec)
			first, twice := cells[to]
			switch {
			case !twice:
				cells[to] = r
				order = append(order, to)
			case first.rec.Identity.Cell != r.rec.Identity.Cell: // the name has a part of it
				conflicts = append(conflicts, fmt.Sprintf("%s and %s are different cells of the same name", first.dir,
					r.dir))
			case same(first.rec, r.rec) && !first.weights.conflict(r.weights):
				m.Twice++
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
		return nil, err
	}
	lock, err := train.Lock(out, "sweep merge")
	if err != nil {
		return nil, err
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
		if err := place(to, r.dir); err != nil {
			return nil, fmt.Errorf("merging %s: %w", r.dir, err)
		}
		m.Added = append(m.Added, to)
	}
	return m, nil
}

// target returns the directory of a run in the result, which is directly below
// it: the name has no separator.
func target(out string, r *record.Record) string {
	i := r.Identity
	return filepath.Join(out, config.DirName(i.Task, i.Label, i.Seed, i.Cell))
}

func sameFile(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}

// look lists the runs with records in the directories below dir, which may be
// links, and notes those without. A directory that is not there is an error
// unless it is the result's.
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
			runs = append(runs, found{path, rec, readWeights(path, rec)})
		case !errors.Is(err, fs.ErrNotExist):
			return nil, err
		default:
			if _, err := os.Stat(filepath.Join(path, train.ConfigName)); err == nil {
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
