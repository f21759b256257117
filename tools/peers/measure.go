package main

import (
	"cmp"
	"os"
	"os/exec"
	"strconv"
	"strings"

	"memobench/models/engine"
)

// sample is the mean of a training step in one process.
type sample struct {
	wall, cpu float64 // seconds
	blas      string  // library and core type
}

// measure times both sides once, PyTorch first if so asked.
func (c *contest) measure(o *options, ours *benchmarkProgram, torch *torchProgram, torchFirst bool) error {
	own := func() error {
		s, err := ours.step(c.pairing, o.threads, c.full)
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
		if p.beaten {
			continue
		}
		s, err := torch.step(&p.job)
		if err != nil {
			return err
		}
		p.samples = append(p.samples, s)
	}
	c.dropBeaten()
	if torchFirst {
		return own()
	}
	return nil
}

// clearly is how many times the time of another form of the same rows a form
// must take in the first round to be left out of the others.
const clearly = 2

func (c *contest) dropBeaten() {
	for i := range c.peers {
		p := &c.peers[i]
		best := c.fastest(p.job.Rows)
		p.beaten = p.beaten || p.times()[0] > clearly*best.times()[0]
	}
}

// environment returns the variables that make two processes comparable: the
// number of threads, by which our benchmarks divide their batches too, and the
// core type that OpenBLAS chose here unless the user chose another. GOMAXPROCS
// is left alone: at 1, Go takes its only processor away from every call of BLAS
// that lasts, and gives it back, which costs CPU time.
func environment(threads int) []string {
	env := os.Environ()
	set := func(name, value string) { env = append(env, name+"="+value) }
	for _, name := range []string{"OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"} {
		set(name, strconv.Itoa(threads))
	}
	if core, ok := coreType(engine.BLAS().Name); ok {
		set("OPENBLAS_CORETYPE", cmp.Or(os.Getenv("OPENBLAS_CORETYPE"), core))
	}
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

// stderrOf returns what a process that failed wrote to standard error.
func stderrOf(err error) []byte {
	if e, ok := err.(*exec.ExitError); ok {
		return e.Stderr
	}
	return nil
}
