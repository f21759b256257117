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
	"syscall"

	"memobench/benchmarks"
	"memobench/benchmarks/suggest"
	"memobench/models/engine"
)

func main() {
	engine.FixBLAS()
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

// run is main without the process: it returns the exit status. The first
// interrupt, termination or hangup ends the work in good order; a second one kills.
func run(args []string, stdout, stderr io.Writer) int {
	stops := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // as nohup has it
		stops = append(stops, syscall.SIGHUP)
	}
	ctx, stop := signal.NotifyContext(context.Background(), stops...)
	defer stop()
	context.AfterFunc(ctx, stop)
	p := &program{name: os.Args[0], ctx: ctx, stdout: stdout, stderr: stderr, getenv: os.Getenv}
	return p.exit(p.dispatch(args))
}

// program is what a verb gets: where to write and when to stop.
type program struct {
	name   string // as it was called, for commands to repeat
	ctx    context.Context
	stdout io.Writer
	stderr io.Writer
	getenv func(string) string
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
