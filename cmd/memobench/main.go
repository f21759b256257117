// Command memobench trains memory networks on the tasks of the MEMO paper
// (Banino et al., ICLR 2020) and compares them.
//
// What comes in: a command and its flags; "memobench help" lists them. What goes
// out: tables and records on standard output, progress and messages on standard
// error, run directories and data on disk. What always holds: this package reads
// flags and calls package benchmarks, package report and package data; how
// something is trained, evaluated, tabulated or written is decided there. One file
// contains one command, or one subcommand of data.
//
// Exit status: 0 good, 1 failed, 2 wrong usage (with a suggestion where a name
// is nearly right), 3 inconclusive (a run diverged, so that the result has fewer
// good seeds than asked for, or check has too few runs to tell), 130 interrupted, with the command that resumes.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"

	"memobench/benchmarks"
	"memobench/benchmarks/printable"
	"memobench/benchmarks/suggest"
	"memobench/models/engine"
)

func main() {
	engine.FixBLAS()
	// A closed pipe is an error of the write, as a full disk is, and no signal.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

// run is main without the process: it returns the exit status. The first
// interrupt ends the work in hand in good order, or at once where a verb never asks
// whether it should end; a second one kills. An output that could not be written is a
// failure of every verb.
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

// program is what a verb gets: where to write and when to stop.
type program struct {
	name   string // as it was called, for commands to repeat
	ctx    context.Context
	stdout io.Writer
	stderr io.Writer
	getenv func(string) string

	described func(*flagSet) // takes the flags of a verb instead of printing its help
}

// Exit statuses, as in the package's documentation.
const (
	exitGood         = 0
	exitFailed       = 1
	exitUsage        = 2
	exitInconclusive = 3
	exitInterrupted  = 130
)

// exit reports err and returns the status that it stands for.
func (p *program) exit(err error) int {
	if err == nil || errors.Is(err, errHelp) {
		return exitGood
	}
	fmt.Fprintf(p.stderr, "memobench: %v\n", err)
	var usage *usageError
	var unknown *suggest.UnknownError
	var setting *benchmarks.SettingError
	var interrupted *interruptedError
	var inconclusive *inconclusiveError
	switch {
	case errors.As(err, &usage), errors.As(err, &unknown), errors.As(err, &setting):
		return exitUsage
	case errors.As(err, &interrupted):
		return exitInterrupted
	case errors.As(err, &inconclusive):
		return exitInconclusive
	}
	return exitFailed
}
