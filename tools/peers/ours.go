package main

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"

	"golang.org/x/perf/benchfmt"
)

// benchmarkProgram is the compiled benchmarks.
type benchmarkProgram struct {
	options *options
	path    string
}

func findBenchmarks(o *options) (*benchmarkProgram, error) {
	path, err := filepath.Abs(o.benchmarks)
	if err == nil {
		_, err = os.Stat(path)
	}
	if err != nil {
		return nil, fmt.Errorf("compiled benchmarks: %w; go test -c -o %s ./benchmarks makes them", err, o.benchmarks)
	}
	return &benchmarkProgram{o, path}, nil
}

// step times BenchmarkTrainStep of a model on a task, for as long as the options
// say. Batches that differ in size are gone through a whole number of times.
func (p *benchmarkProgram) step(which pairing, threads int, same bool) (sample, error) {
	if same {
		return p.run(which, threads, p.options.time.String())
	}
	passes := 1
	for {
		s, err := p.run(which, threads, fmt.Sprintf("%dx", passes*distinctBatches))
		lasted := s.wall * float64(passes*distinctBatches)
		if err != nil || passes > 1 || lasted >= p.options.time.Seconds() {
			return s, err
		}
		passes = int(math.Ceil(p.options.time.Seconds() / lasted))
	}
}

// run runs the benchmark for a -test.benchtime.
func (p *benchmarkProgram) run(which pairing, threads int, benchtime string) (sample, error) {
	pattern := fmt.Sprintf("^BenchmarkTrainStep$/^model=%s$/^task=%s$", which.model, which.task)
	cmd := exec.Command(p.path, "-test.run=^$", "-test.bench="+pattern, "-test.benchtime="+benchtime)
	cmd.Dir, cmd.Env = p.options.directory, environment(threads)
	out, err := cmd.Output()
	if err != nil {
		return sample{}, fmt.Errorf("%s: %w\n%s%s", pattern, err, out, stderrOf(err))
	}
	s, err := parseBenchmark(out)
	if err != nil {
		return s, fmt.Errorf("%s: %w", pattern, err)
	}
	return s, nil
}

// parseBenchmark reads the only result in the output of go test -bench.
func parseBenchmark(out []byte) (s sample, err error) {
	found := 0
	for r := benchfmt.NewReader(bytes.NewReader(out), "benchmark"); r.Scan(); {
		switch rec := r.Result().(type) {
		case *benchfmt.SyntaxError:
			return s, rec
		case *benchfmt.Result:
			found++
			wall, haveWall := rec.Value("sec/op")
			cpu, haveCPU := rec.Value("cpu-sec/op")
			if !haveWall || !haveCPU {
				return s, fmt.Errorf("no wall or no processor time in %q", out)
			}
			s = sample{wall, cpu, rec.GetConfig("blas")}
		}
	}
	if found != 1 {
		return s, fmt.Errorf("%d results, want 1, in %q", found, out)
	}
	return s, nil
}
