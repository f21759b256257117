package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/perf/benchfmt"

	"memobench/models/engine"
)

// sample is the mean of a training step in one process.
type sample struct {
	wall, cpu float64 // seconds
	blas      string  // library and core type
}

// measure times both sides once, PyTorch first if so asked.
func (c *contest) measure(ours *benchmarkProgram, torch *torchProgram, torchFirst bool) error {
	own := func() error {
		s, err := ours.step(c.label)
		c.ours = append(c.ours, s)
		return err
	}
	if !torchFirst {
		if err := own(); err != nil {
			return err
		}
	}
	for i := range c.peers {
		p := &c.peers[i]
		s, err := torch.step(&p.job)
		if err != nil {
			return err
		}
		p.samples = append(p.samples, s)
	}
	if torchFirst {
		return own()
	}
	return nil
}

// environment returns the variables that make two processes comparable: the
// number of threads, and the core type that OpenBLAS chose here unless the user
// chose another. With OpenBLAS our operations run on one goroutine, and
// GOMAXPROCS stays as it is when the program trains; gonum divides its work by
// it.
func environment(threads int) []string {
	env := os.Environ()
	set := func(name, value string) { env = append(env, name+"="+value) }
	for _, name := range []string{"OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"} {
		set(name, strconv.Itoa(threads))
	}
	core, ok := coreType(engine.BLAS().Name)
	if !ok {
		set("GOMAXPROCS", strconv.Itoa(threads))
		return env
	}
	set("OPENBLAS_CORETYPE", cmp.Or(os.Getenv("OPENBLAS_CORETYPE"), core))
	return env
}

// coreType returns the core type in a name such as "OpenBLAS 0.3.21 (SkylakeX)".
func coreType(blas string) (core string, ok bool) {
	if !strings.HasPrefix(blas, "OpenBLAS") {
		return "", false
	}
	_, core, ok = strings.Cut(strings.TrimSuffix(blas, ")"), "(")
	return core, ok
}

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

// step runs BenchmarkTrainStep of a model.
func (p *benchmarkProgram) step(label string) (sample, error) {
	pattern := fmt.Sprintf("^BenchmarkTrainStep$/^model=%s$/^task=%s$", label, p.options.task)
	cmd := exec.Command(p.path, "-test.run=^$", "-test.bench="+pattern, "-test.benchtime="+p.options.time.String())
	cmd.Dir, cmd.Env = p.options.directory, environment(p.options.threads)
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

// torchProgram is train_step.py with an interpreter that has PyTorch.
type torchProgram struct {
	options         *options
	python, version string
}

// pythons are tried in order; Debian's package serves the second.
var pythons = []string{"python3", "/usr/bin/python3"}

// missingTorch says that no interpreter has PyTorch.
type missingTorch struct{ tried []string }

func (e *missingTorch) Error() string {
	return fmt.Sprintf(`PyTorch is needed, and %s does not have it.
Debian and Ubuntu have it as a package: apt-get install python3-torch
An interpreter elsewhere is named with --python, or make bench-peers PYTHON=...`, strings.Join(e.tried, " nor "))
}

func findTorch(o *options) (*torchProgram, error) {
	tried := pythons
	if o.python != "" {
		tried = []string{o.python}
	}
	for _, python := range tried {
		out, err := exec.Command(python, "-c", "import torch; print(torch.__version__)").Output()
		if err == nil {
			return &torchProgram{o, python, strings.TrimSpace(string(out))}, nil
		}
	}
	return nil, &missingTorch{tried}
}

// step times one of the PyTorch programs.
func (p *torchProgram) step(j *job) (sample, error) {
	in, err := json.Marshal(j)
	if err != nil {
		return sample{}, err
	}
	cmd := exec.Command(p.python, p.options.script)
	cmd.Stdin = bytes.NewReader(in)
	cmd.Env = append(environment(p.options.threads), "PYTHONDONTWRITEBYTECODE=1")
	out, err := cmd.Output()
	if err != nil {
		return sample{}, fmt.Errorf("PyTorch, %s %s: %w\n%s", j.Model, j.Form, err, stderrOf(err))
	}
	var got struct {
		Wall float64 `json:"wall_ns"`
		CPU  float64 `json:"cpu_ns"`
		BLAS string  `json:"blas"`
	}
	if err := json.Unmarshal(out, &got); err != nil || !(got.Wall > 0 && got.CPU > 0) {
		return sample{}, fmt.Errorf("PyTorch, %s %s: no times in %q (%v)", j.Model, j.Form, out, err)
	}
	return sample{got.Wall / 1e9, got.CPU / 1e9, got.BLAS}, nil
}

// stderrOf returns what a process that failed wrote to standard error.
func stderrOf(err error) []byte {
	if e, ok := err.(*exec.ExitError); ok {
		return e.Stderr
	}
	return nil
}
