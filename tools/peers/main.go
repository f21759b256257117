// Command peers compares a training step of the models with that of PyTorch
// programs (pytorch/) of the same networks, sizes, batch, threads and BLAS, and
// prints one table of medians and ratios:
//
//	make bench-peers
//	make bench-peers ARGS="--only memo/pai3 --json pai3.json"
//
// or compares our step with several threads with our step with one (--speedup).
// With --device cuda PyTorch computes on a GPU, and wall time alone is compared.
//
// What comes in: the preset's models on its tasks; the compiled benchmarks of
// package benchmarks, whose BenchmarkTrainStep it runs; a Python with PyTorch.
// What goes out: the table on standard output, progress on standard error, all
// measurements in a file with --json.
// What always holds:
//
//   - Both sides run in turn, each measurement in a process of its own, over
//     several rounds, so that a machine that is busy slows both.
//   - Both get the same OpenBLAS core type and number of threads. If their
//     libraries are not the same all the same, the table says so.
//   - A PyTorch model must have exactly as many parameters as ours. That the
//     networks are the same functions is tested, on reference values and on
//     what our models compute.
//   - Both train on the same batches: those that our benchmark draws are given
//     to PyTorch, real stories of bAbI with their lengths among them.
//   - MEMO is compared with both of its forms, the paper's and the one that
//     never builds keys and values, and on stories against packed rows and
//     padded ones.
//
// Exit status 2 means that PyTorch or a flag's value is missing, 1 any failure.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/pflag"

	"memobench/models/engine"
)

func main() {
	engine.FixBLAS()
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

// options are the flags' values.
type options struct {
	benchmarks string // compiled benchmarks of package benchmarks
	directory  string // that they run in
	script     string // of PyTorch
	device     string // that PyTorch computes on; empty: the CPU
	python     string // empty: the first that has PyTorch

	only    []string // patterns of pairings
	threads int
	rounds  int
	time    time.Duration
	slow    time.Duration
	speedup bool
	keep    bool   // memory that PyTorch frees
	compile bool   // PyTorch's models
	json    string // file
}

// run is main without the process: it returns the exit status.
func run(args []string, stdout, stderr io.Writer) int {
	var o options
	f := pflag.NewFlagSet("peers", pflag.ContinueOnError)
	f.SetOutput(stderr)
	f.StringVar(&o.benchmarks, "benchmarks", "bin/benchmarks.test", "compiled benchmarks: go test -c -o `FILE` ./benchmarks")
	f.StringVar(&o.directory, "directory", "benchmarks", "`DIRECTORY` of the package, in which they run")
	f.StringVar(&o.script, "script", "tools/peers/pytorch/train_step.py", "`FILE` that times PyTorch")
	f.StringVar(&o.device, "device", "", "`DEVICE` on which PyTorch computes, such as cuda (default: the CPU); wall time alone is then compared")
	f.StringVar(&o.python, "python", "", "`INTERPRETER` with PyTorch (default: the first of "+fmt.Sprint(pythons)+" that has it)")
	f.StringSliceVar(&o.only, "only", nil, "measure `MODEL/TASK` alone, such as memo/pai3 or '*/pai3'; may be repeated")
	f.IntVar(&o.threads, "threads", 1, "`NUMBER` of threads of each side; 2 unless given with --speedup")
	f.IntVar(&o.rounds, "rounds", 5, "`NUMBER` of measurements of each")
	f.DurationVar(&o.time, "time", time.Second, "least `DURATION` of a measurement")
	f.DurationVar(&o.slow, "slow", time.Minute, fmt.Sprintf("`DURATION` of a round from which on a pairing gets only %d", slowRounds))
	f.BoolVar(&o.keep, "keep-memory", false, "let PyTorch's process keep the memory that it frees (glibc) instead of asking the system again")
	f.BoolVar(&o.compile, "compile", false, "compile PyTorch's models (torch.compile, from PyTorch 2.2 on; of the DNC one step)")
	f.BoolVar(&o.speedup, "speedup", false, "compare our step with several threads to that with one, without PyTorch")
	f.StringVar(&o.json, "json", "", "also write all measurements to `FILE`")
	switch err := f.Parse(args); {
	case errors.Is(err, pflag.ErrHelp):
		return 0
	case err != nil:
		return fail(stderr, err, 2)
	case f.NArg() > 0:
		return fail(stderr, fmt.Errorf("unexpected argument %q", f.Arg(0)), 2)
	case o.threads < 1 || o.rounds < 1 || o.time <= 0:
		return fail(stderr, fmt.Errorf("--threads %d, --rounds %d, --time %v: want 1 or more, and some time", o.threads, o.rounds, o.time), 2)
	}
	if o.device == "cpu" {
		o.device = ""
	}
	if o.speedup && (o.device != "" || o.compile) {
		return fail(stderr, errors.New("--device or --compile with --speedup, which does not run PyTorch"), 2)
	}
	if o.speedup && o.threads == 1 {
		if f.Changed("threads") {
			return fail(stderr, errors.New("--speedup with --threads 1: want 2 or more"), 2)
		}
		o.threads = 2
	}
	var missing *missingTorch
	switch err := compare(&o, stdout, stderr); {
	case errors.As(err, &missing):
		return fail(stderr, err, 2)
	case err != nil:
		return fail(stderr, err, 1)
	}
	return 0
}

func fail(stderr io.Writer, err error, status int) int {
	fmt.Fprintf(stderr, "peers: %v\n", err)
	return status
}

// compare measures both sides, or ours with one thread and with several, and prints.
func compare(o *options, stdout, stderr io.Writer) error {
	torch := new(torchProgram)
	var err error
	if !o.speedup {
		if torch, err = findTorch(o); err != nil {
			return err
		}
	}
	ours, err := findBenchmarks(o)
	if err != nil {
		return err
	}
	contests, err := plan(o)
	if err != nil {
		return err
	}
	t := newTable(o, torch, contests)
	measure, print := func(c *contest, torchFirst bool) error { return c.measure(o, ours, torch, torchFirst) }, t.print
	if o.speedup {
		measure, print = func(c *contest, severalFirst bool) error { return c.measureSpeedup(o, ours, severalFirst) }, t.printSpeedup
	}
	if err := t.rounds(stderr, measure); err != nil {
		return err
	}
	return t.finish(stdout, print)
}

// rounds calls measure for every contest in every round, in turn the one side
// and the other first. The measurements so far are saved after every round.
func (t *table) rounds(progress io.Writer, measure func(c *contest, swapped bool) error) error {
	for round := range t.options.rounds {
		for i := range t.contests {
			c := &t.contests[i]
			if c.slow && round >= slowRounds {
				continue
			}
			start := time.Now()
			fmt.Fprintf(progress, "round %d of %d: %s\n", round+1, t.options.rounds, c.pairing)
			if err := measure(c, round%2 == 1); err != nil {
				return err
			}
			c.slow = c.slow || time.Since(start) >= t.options.slow
		}
		if err := t.save(); err != nil {
			return err
		}
	}
	return nil
}

// slowRounds is the number of rounds of a pairing one of which takes long: one
// in either order.
const slowRounds = 2

// finish prints what was measured.
func (t *table) finish(stdout io.Writer, print func(io.Writer) error) error {
	t.after = loadAverage()
	if err := t.save(); err != nil {
		return err
	}
	return print(stdout)
}
