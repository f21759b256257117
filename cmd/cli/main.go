// Package cli is the program memobench: it trains memory networks on the tasks of the
// MEMO paper (Banino et al., ICLR 2020) and compares them. A program with its own models or
// tasks registers them and calls Main.
//
// A file contains a command, or a few that belong together: it parses flags, calls packages in
// benchmarks, datasets and report, and prints tables and records to standard output, progress and
// messages to standard error. It has no other logic.
//
// Exit status: 0 good, 1 failed, 2 wrong usage, such as a file that does not exist, 3
// inconclusive (a run diverged, or check has too few runs), 130 interrupted, with the command
// that resumes.
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
	"time"

	"memobench/benchmarks/printable"
	"memobench/models/engine"

	// The models and tasks of this repository.
	_ "memobench/datasets/babi"
	_ "memobench/datasets/file"
	_ "memobench/datasets/pai"
	_ "memobench/datasets/shortestpath"
	_ "memobench/models/control"
	_ "memobench/models/deltanet"
	_ "memobench/models/dnc"
	_ "memobench/models/emn"
	"memobench/models/external"
	_ "memobench/models/lstm"
	_ "memobench/models/memo"
	_ "memobench/models/transformer"
	_ "memobench/models/ut"
)

// Main runs the program with its arguments, without its name, and returns the exit status.
func Main(args []string) int {
	engine.FixBLAS()
	// A closed pipe is an error of the write, like a full disk, and not a signal. An interrupt
	// after the end of run does not change the exit status.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE, os.Interrupt, syscall.SIGTERM)
	return run(args, os.Stdout, os.Stderr)
}

// program is the environment of a command.
type program struct {
	name    string // as it was called, for the command that resumes
	args    []string
	ctx     context.Context // ends with the first interrupt
	stdout  io.Writer
	stderr  io.Writer
	getenv  func(string) string
	ascii   bool // --ascii
	started bool // the command line was accepted: later errors are not of usage
}

// run is Main with other outputs. A failed write to an output is a failure of every command.
func run(args []string, stdout, stderr io.Writer) int {
	// BLAS uses one thread: parallel runs use the cores better than threads within one, and
	// results must not depend on the number of cores or on --jobs.
	engine.SetBLASThreads(1)
	out, errs := printable.NewWriter(stdout), printable.NewWriter(stderr)
	ctx, stop := endAtInterrupt(errs)
	defer stop()
	defer external.KillAll()
	p := &program{name: os.Args[0], args: args, ctx: ctx, stdout: out, stderr: errs, getenv: os.Getenv}
	err := p.execute()
	if lost := out.Err(); lost != nil && (err == nil || errors.Is(err, lost)) {
		p.started = true
		if err == nil {
			err = lost
		}
		if len(args) > 0 && (args[0] == "check" || args[0] == "compare") {
			err = usage(err) // without a verdict: exitFailed is a regression
		}
		if errors.Is(lost, syscall.EPIPE) {
			p.stderr = io.Discard // the reader, such as head, has what it needs
		}
	}
	return p.exit(err)
}

// Time after an interrupt: within repeatedSignal a second one is the same (it comes from the
// terminal and from the parent process); after noticeDelay a program that still works says so.
const (
	repeatedSignal = 300 * time.Millisecond
	noticeDelay    = 3 * time.Second
)

// endAtInterrupt returns a context that the first interrupt cancels. If the command does not use
// the context, the program exits instead. A second interrupt ends the program and the processes of
// external models at once.
func endAtInterrupt(errs io.Writer) (context.Context, func()) {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // nohup
		signals = append(signals, syscall.SIGHUP)
	}
	ctx, stop := signal.NotifyContext(context.Background(), signals...)
	used := &usedContext{Context: ctx}
	exit := func(text string) {
		external.KillAll()
		// Standard error may be a pipe that nobody reads.
		time.AfterFunc(100*time.Millisecond, func() { os.Exit(exitInterrupted) })
		fmt.Fprintln(errs, text)
		os.Exit(exitInterrupted)
	}
	unwatch := context.AfterFunc(ctx, func() {
		again := make(chan os.Signal, 1)
		signal.Notify(again, signals...)
		if !used.used.Load() {
			exit("memobench: interrupted")
		}
		notice := time.AfterFunc(noticeDelay, func() {
			fmt.Fprintln(errs, "memobench: interrupted, ending the present step (Ctrl-C again: end at once)")
		})
		for first := time.Now(); time.Since(first) < repeatedSignal; {
			<-again
		}
		notice.Stop()
		exit("memobench: ended at once")
	})
	return used, func() { unwatch(); stop() }
}

// usedContext records whether Done or Err was called.
type usedContext struct {
	context.Context
	used atomic.Bool
}

func (c *usedContext) Done() <-chan struct{} {
	c.used.Store(true)
	return c.Context.Done()
}

func (c *usedContext) Err() error {
	c.used.Store(true)
	return c.Context.Err()
}
