package results

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"

	"memobench/benchmarks/record"
	"memobench/report"
	"memobench/report/compare/hypothesis"
)

// run is a record with the place of the answers that were kept beside it.
type run struct {
	from   string // file of the record
	path   string // of predictions.jsonl, there or not
	record *record.Record
	kept   *record.Predictions // nil before they are read
}

// runKey says of which run a record is.
type runKey struct {
	group  string
	config Config
	split  string
	seed   uint64
}

// records reads a JSON array of records.
func (r *reader) records(path string, data []byte) error {
	var list []json.RawMessage
	if err := json.Unmarshal(data, &list); err != nil {
		return fmt.Errorf("%s: not an array of result records: %w", path, err)
	}
	if len(list) == 0 {
		return fmt.Errorf("%s: an array without records", path)
	}
	for i, one := range list {
		if err := r.record(path, fmt.Sprintf("%s[%d]", path, i), one); err != nil {
			return err
		}
	}
	return nil
}

// record reads one record, which stands in file, as its twin. Its samples know
// their seed and the counts behind them.
func (r *reader) record(file, from string, data []byte) error {
	rec, err := record.Parse(data)
	if err != nil {
		return fmt.Errorf("%s: %w", from, err)
	}
	if rec.Evaluation.Split != "test" {
		r.set.note("%s: judged on the %s split", from, rec.Evaluation.Split)
	}
	twin, err := rec.Bench()
	if err != nil {
		return fmt.Errorf("%s: %w", from, err)
	}
	lines, err := parse(from, twin)
	if err != nil {
		return err
	}
	key := runKey{groupName(lines.results[0].name), lines.results[0].config, rec.Evaluation.Split, rec.Identity.Seed}
	if other, twice := r.runs[key]; twice {
		return fmt.Errorf("%s, seed %d is there twice, in %s and %s: name one of them", label(key.group), key.seed, other, from)
	}
	r.runs[key] = from
	one := &run{from: from, path: predictionsBeside(file), record: rec}
	for _, l := range lines.results {
		l.from, l.seed, l.run = from, &rec.Identity.Seed, one
	}
	group := r.set.group(key.group, key.config)
	if group.first == nil {
		group.first = one
	}
	if ofA, ofB := report.ModelDifferences(group.first.record, rec); len(ofA) > 0 {
		return fmt.Errorf("%s: runs of different settings are not one sample: %s has %s, %s has %s", group.Label(),
			group.first.from, strings.Join(ofA, ", "), from, strings.Join(ofB, ", "))
	}
	switch rec.Status {
	case record.Diverged:
		group.Failed = append(group.Failed, fmt.Sprintf("seed %d diverged at step %d (%s)", rec.Identity.Seed, rec.Training.DivergedAt, from))
	case record.Interrupted:
		group.Failed = append(group.Failed, fmt.Sprintf("seed %d was stopped at step %d before its end (%s)", rec.Identity.Seed, rec.Training.Steps, from))
	}
	return r.add(lines)
}

// CheckProtocols reports the first record that contradicts its protocol.
func (s *Set) CheckProtocols() error {
	checked := map[*run]bool{nil: true}
	for _, c := range s.Cells {
		for _, sample := range c.Samples {
			if checked[sample.run] {
				continue
			}
			checked[sample.run] = true
			if err := sample.run.record.CheckProtocol(); err != nil {
				return fmt.Errorf("%s: %w", sample.run.from, err)
			}
		}
	}
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

// counts returns the right answers and questions behind a metric of the run;
// nil for other numbers.
func (r *run) counts(k Key) []hypothesis.Count {
	if r == nil {
		return nil
	}
	of, ok := rightAnswers(k, r.record.Evaluation.AnswerNames())
	if !ok {
		return nil
	}
	var list []hypothesis.Count
	for i := range r.record.Evaluation.Kinds {
		kind := &r.record.Evaluation.Kinds[i]
		if !ofKind(k, kind.Name) || kind.Total == 0 {
			continue
		}
		if n := of.count(kind); n != nil {
			list = append(list, hypothesis.Count{Right: *n, Total: kind.Total})
		}
	}
	return list
}

// ofKind reports whether the cell is of that kind of question, or of all.
func ofKind(k Key, kind string) bool {
	part := k.Part("kind")
	return part == "all" || record.IsBenchPart(part, kind)
}
