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
