package gate

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/perf/benchfmt"

	"memobench/benchmarks/record"
	"memobench/datasets/binfile"
	"memobench/report/results"
)

// Read reads the results at a path: run directories, recorded studies, files of records, and
// files in the Go benchmark format, which are read in a directory only where it has no
// records. PATH:NAME has only the runs of that name.
func Read(path string) (*Set, error) {
	at, name := path, ""
	if _, err := os.Stat(path); err != nil { // a path with a colon is a path
		if i := strings.LastIndex(path, ":"); i > 0 {
			at, name = path[:i], path[i+1:]
		}
	}
	read, err := results.Read(at)
	if err != nil {
		return nil, err
	}
	var runs []recorded
	for _, run := range read.Runs {
		if name == "" || run.Record.Identity.Name == name {
			runs = append(runs, recorded{run.Record, run.Source, run.Predictions})
		}
	}
	if len(runs) == 0 && name != "" {
		return nil, fmt.Errorf("%s has no run of the name %s", at, name)
	}
	s, err := newSet(path, runs)
	if err != nil || len(read.Runs) > 0 {
		return s, err
	}
	for _, file := range read.BenchFiles {
		data, err := binfile.ReadFile(file, record.MaxTextSize)
		if err == nil {
			err = s.addBench(file, data)
		}
		if err != nil {
			return nil, err
		}
	}
	if len(s.groups) == 0 {
		return nil, fmt.Errorf("%s: no results: no record and no file in the Go benchmark format is in or below it", path)
	}
	return s, nil
}

// addBench adds the results of a text in the Go benchmark format. The parts task, model, kind
// and answer of a benchmark's name identify a number; other parts belong to the name of the
// runs. The first lines of all kinds are of one run, and so on. Errors name file and line.
func (s *Set) addBench(path string, data []byte) error {
	b := benchfmt.NewReader(bytes.NewReader(data), path)
	before := len(s.groups)
	for b.Scan() {
		switch line := b.Result().(type) {
		case *benchfmt.SyntaxError:
			return line
		case *benchfmt.Result:
			file, n := line.Pos()
			if err := s.addLine(line, b.Units()); err != nil {
				return fmt.Errorf("%s:%d: %w", file, n, err)
			}
		}
	}
	if b.Err() == nil && len(s.groups) == before {
		return fmt.Errorf("%s: neither a record nor results in the Go benchmark format", path)
	}
	return b.Err()
}

// addLine adds the numbers of a line to those of a run.
func (s *Set) addLine(line *benchfmt.Result, units benchfmt.UnitMetadataMap) error {
	base, parts := line.Name.Parts()
	of := map[string]string{}
	name := strings.TrimSuffix(strings.TrimSuffix(string(base), "Eval"), "Accuracy")
	for _, part := range parts {
		key, value, _ := strings.Cut(strings.TrimPrefix(string(part), "/"), "=")
		switch key {
		case "task", "kind", "answer", "seed":
			of[key] = value
		case "model":
			name += " " + value
		default:
			if part[0] == '/' { // not the number of processors
				name += " " + string(part[1:])
			}
		}
	}
	g, err := s.group("", of["task"], strings.TrimSpace(name),
		map[string]string{"protocol.hash": line.GetConfig("protocol"), "dataset.hash": line.GetConfig("dataset")})
	if err != nil {
		return err
	}
	for _, v := range line.Values {
		if v.OrigUnit != "" { // the unit in the text
			v.Value, v.Unit = v.OrigValue, v.OrigUnit
		}
		if !record.Finite(v.Value) || math.Abs(v.Value) > 1e100 || isAccuracy(v.Unit) && (v.Value < 0 || v.Value > 100) {
			return fmt.Errorf("%v %s: want a finite number, from 0 to 100 for an accuracy", v.Value, v.Unit)
		}
		n := number{of["kind"], strings.TrimPrefix(of["answer"], allKinds), v.Unit, ""}
		if m := units.Get(v.Unit, "better"); m != nil {
			n.Better = m.Value
		}
		if i := slices.IndexFunc(record.Metrics, func(m record.Metric) bool { return m.Name == v.Unit }); i >= 0 {
			n.Better = record.Metrics[i].Better
		}
		i := len(g.having(n))
		if i == len(g.runs) {
			g.runs = append(g.runs, &run{values: map[number]float64{}})
		}
		g.set(g.runs[i], n, v.Value)
		if seed, err := strconv.ParseUint(of["seed"], 10, 64); err == nil {
			g.runs[i].seed = &seed
		}
		if n.Metric == record.Divergence.Name && v.Value > 0 {
			g.runs[i].failed = "a run diverged"
		}
	}
	return nil
}
