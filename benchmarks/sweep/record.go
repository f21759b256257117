package sweep

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"memobench/benchmarks/record"
	"memobench/benchmarks/study"
	"memobench/models/checkpoint"
)

// Record adds finished runs, and evaluations by generalize, to the recorded study in directory
// into, and returns how many were new. Each run is the directory of a run, or one above such directories. A run has to be
// in the study's study.yaml; a new study gets one from its first runs. The study is unchanged
// after an error. records.jsonl is written last, so that a run whose record is there has its
// learning curve there too.
func Record(into string, runs ...string) (added int, err error) {
	r := recorder{dir: into}
	if err := r.open(); err != nil {
		return 0, err
	}
	for _, path := range runs {
		found := 0
		err := filepath.WalkDir(path, func(file string, d fs.DirEntry, err error) error {
			if err == nil && d.Name() == record.FileName {
				found++
				return r.add(filepath.Dir(file))
			}
			return err
		})
		if err == nil && found == 0 {
			err = fmt.Errorf("%s: no finished run: there is no %s in or below it", path, record.FileName)
		}
		if err != nil {
			return 0, err
		}
	}
	return r.added, r.write()
}

// recorder collects the runs of a recorded study.
type recorder struct {
	dir         string
	name        string
	declared    *study.Study // nil for a new study
	cells       []study.Cell // of the runs that were added
	records     []*record.Record
	curves      []record.RunCurve
	predictions map[string][]byte // by the name of the file
	added       int
}

func (r *recorder) open() error {
	abs, err := filepath.Abs(r.dir)
	r.name, r.predictions = filepath.Base(abs), map[string][]byte{}
	var errs [3]error
	r.declared, errs[0] = study.Load(filepath.Join(r.dir, record.StudyName))
	r.records, errs[1] = record.ReadRecords(filepath.Join(r.dir, record.RecordsName))
	r.curves, errs[2] = record.ReadCurves(filepath.Join(r.dir, record.CurvesName))
	for _, e := range errs {
		if !errors.Is(e, fs.ErrNotExist) { // a new study has no files
			err = cmp.Or(err, e)
		}
	}
	return err
}

func (r *recorder) add(dir string) error {
	rec, err := record.ReadFile(filepath.Join(dir, record.FileName))
	if err != nil {
		return err
	}
	rec.Identity.Study = r.name
	key := rec.Identity.Key()
	for _, other := range r.records {
		if other.Identity.Key() != key || other.Shift.Compare(rec.Shift) != 0 {
			continue
		}
		if record.HashOf(other.WithoutTimes()) != record.HashOf(rec.WithoutTimes()) {
			return fmt.Errorf("%s: %s, seed %d is in %s already, with another result", dir, key.Name, key.Seed, r.dir)
		}
		return nil
	}
	if rec.Shift == nil {
		if err := r.addRun(dir, rec); err != nil {
			return fmt.Errorf("%s: %w", dir, err)
		}
	}
	r.records = append(r.records, rec)
	r.added++
	return nil
}

// addRun adds the cell, the curve and the predictions of a training run.
func (r *recorder) addRun(dir string, rec *record.Record) error {
	if rec.Origin != record.Trained || !rec.Status.Finished() {
		return fmt.Errorf("the record is %s, %s: want a finished training run", rec.Origin, rec.Status)
	}
	cell, err := study.CellOf(rec)
	if err != nil {
		return err
	}
	if err := cmp.Or(r.check(cell), rec.CheckFile(dir, record.CurveName)); err != nil {
		return err
	}
	curve, err := os.ReadFile(filepath.Join(dir, record.CurveName))
	if err != nil {
		return err
	}
	key := rec.Identity.Key()
	predictions, err := os.ReadFile(filepath.Join(dir, record.PredictionsName))
	if err == nil {
		r.predictions[key.PredictionsFile()] = predictions
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	r.curves = append(slices.DeleteFunc(r.curves, func(c record.RunCurve) bool { return c.RunKey == key }), record.CurveOf(key, curve))
	r.cells = append(r.cells, *cell)
	return nil
}

// check returns an error unless the study has the cell, perhaps as the choice of a search.
func (r *recorder) check(c *study.Cell) error {
	if r.declared == nil {
		return nil
	}
	same := func(other study.Cell) bool {
		return other.Task == c.Task && other.Name == c.Name && other.Hash() == c.Hash()
	}
	if slices.ContainsFunc(r.declared.Cells(), same) {
		return nil
	}
	for _, s := range r.declared.Searches() {
		for _, other := range s.Cells {
			if other.Seed = c.Seed; slices.Contains(s.Seeds, c.Seed) && same(other) {
				return nil
			}
		}
	}
	return fmt.Errorf("%s of %s has no run %v with this configuration", record.StudyName, r.dir, c)
}

// write writes the files of the study, each of them atomically.
func (r *recorder) write() error {
	records, err := record.MarshalRecords(r.records)
	curves, err2 := record.MarshalCurves(r.curves)
	var made []byte
	if err = cmp.Or(err, err2); err == nil && r.declared == nil {
		made, err = r.newStudy().YAML()
	}
	put := func(data []byte, path ...string) {
		file := filepath.Join(append([]string{r.dir}, path...)...)
		if err == nil {
			err = os.MkdirAll(filepath.Dir(file), 0o755)
		}
		if err == nil {
			err = checkpoint.WriteBytes(file, data)
		}
	}
	for name, data := range r.predictions {
		put(data, record.PredictionsDir, name)
	}
	if made != nil {
		put(made, record.StudyName)
	}
	put(curves, record.CurvesName)
	put(records, record.RecordsName)
	return err
}

func (r *recorder) newStudy() *study.Study {
	s := &study.Study{Name: r.name, About: "recorded runs"}
	for i := range r.cells {
		c := &r.cells[i]
		at := slices.IndexFunc(s.Experiments, func(e *study.Experiment) bool {
			return e.Task == c.Task && e.Protocol.Steps == c.Protocol.Steps && record.HashOf(e.Protocol.Values(e.Task, e.Settings)) == c.ProtocolHash()
		})
		if at < 0 {
			at = len(s.Experiments)
			s.Experiments = append(s.Experiments, &study.Experiment{Task: c.Task, Settings: c.Settings, Protocol: c.Protocol, PaperSteps: c.PaperSteps, Seeds: []uint64{c.Seed}})
		}
		e := s.Experiments[at]
		if run := slices.IndexFunc(e.Runs, func(run *study.Run) bool { return run.Name == c.Name }); run >= 0 {
			e.Runs[run].Seeds = append(e.Runs[run].Seeds, c.Seed)
			continue
		}
		e.Runs = append(e.Runs, &study.Run{Name: c.Name, Title: c.Title, Model: c.Model, Config: c.Config, Training: c.Training, Seeds: []uint64{c.Seed}})
	}
	return s
}
