// Package cli is the program memobench: it trains memory networks on the tasks of the
// MEMO paper (Banino et al., ICLR 2020) and compares them. A program with models or tasks of
// its own registers them and calls Main.
//
// What comes in: a command and its flags; "memobench help" lists them. What goes
// out: tables and records on standard output, progress and messages on standard
// error, run directories and data on disk. What always holds: this package reads
// flags and calls the packages below benchmarks, package report and package data; how
// something is trained, evaluated, tabulated or written is decided there. One file
// contains one command, or one subcommand of data.
//
// Exit status: 0 good, 1 failed, 2 wrong usage (with a suggestion where a name
// is nearly right), 3 inconclusive (a run diverged, so that the result has fewer
// good seeds than asked for, or check has too few runs to tell), 130 interrupted, with the command that resumes.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"

	"memobench/benchmarks/printable"
	"memobench/models/engine"

	// The models and tasks of this repository.
	_ "memobench/datasets/babi"
	_ "memobench/datasets/pai"
	_ "memobench/datasets/shortestpath"
	_ "memobench/models/control"
	_ "memobench/models/deltanet"
	_ "memobench/models/dnc"
	_ "memobench/models/emn"
	_ "memobench/models/external"
	_ "memobench/models/lstm"
	_ "memobench/models/memo"
	_ "memobench/models/transformer"
	_ "memobench/models/ut"
)

// Main runs the program with its arguments, but for its name, and returns the exit status.
func Main(args []string) int {
	engine.FixBLAS()
	// A closed pipe is an error of the write, as a full disk is, and no signal.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	return run(args, os.Stdout, os.Stderr)
}

// run is Main without the process. The first
// interrupt ends the work in hand in good order, or at once where a command never asks
// whether it should end; a second one kills. An output that could not be written is a
// failure of every command.
func run(args []string, stdout, stderr io.Writer) int {
	out, errs := printable.NewWriter(stdout), printable.NewWriter(stderr)
	ends := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // nohup
		ends = append(ends, syscall.SIGHUP)
	}
	ctx, stop := signal.NotifyContext(context.Background(), ends...)
	asked := &askedContext{Context: ctx}
	unwatch := context.AfterFunc(ctx, func() {
		stop()
		if !asked.done.Load() {
			fmt.Fprintln(errs, "memobench: interrupted")
			os.Exit(exitInterrupted)
		}
	})
	defer stop()
	defer unwatch()
	p := &program{name: os.Args[0], ctx: asked, stdout: out, stderr: errs, getenv: os.Getenv}
	err := p.dispatch(args)
	if lost := out.Err(); lost != nil && (err == nil || errors.Is(err, lost) || errors.Is(err, errHelp)) {
		err = fmt.Errorf("writing the output: %w", lost)
	}
	return p.exit(err)
}

// askedContext knows whether anyone asked when it ends.
type askedContext struct {
	context.Context
	done atomic.Bool
}

func (c *askedContext) Done() <-chan struct{} {
	c.done.Store(true)
	return c.Context.Done()
}

func (c *askedContext) Err() error {
	c.done.Store(true)
	return c.Context.Err()
}

// program is what a command gets: where to write and when to stop.
type program struct {
	name   string // as it was called, for commands to repeat
	ctx    context.Context
	stdout io.Writer
	stderr io.Writer
	getenv func(string) string

	described func(*flagSet) // takes the flags of a command instead of printing its help
}
