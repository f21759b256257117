// Package cli is the program memobench: it trains memory networks on the tasks of the
// MEMO paper (Banino et al., ICLR 2020) and compares them. A program with its own models or
// tasks registers them and calls Main.
//
// What comes in: a command and its flags; "memobench help" lists them. What goes
// out: tables and records on standard output, progress and messages on standard
// error, run directories and data on disk. What always holds: this package parses flags,
// calls packages in benchmarks, report and cmd/memobench/data, and prints; it has no other
// logic. One file contains one command, or one subcommand of data.
//
// Exit status: 0 good, 1 failed, 2 wrong usage, such as a file that does not exist (with a
// suggestion for a mistyped name), 3 inconclusive (a run diverged, so that there are fewer seeds than
// requested, or check has too few runs), 130 interrupted, with the command that resumes.
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
	// A closed pipe is an error of the write, like a full disk, and not a signal.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	return run(args, os.Stdout, os.Stderr)
}

// noticeDelay is the time after an interrupt at which a program that is still at work says so.
const noticeDelay = 3 * time.Second

// repeated is the time after an interrupt within which a second one is the same: it comes
// from the terminal and from the parent process.
const repeated = 300 * time.Millisecond

// run is Main with other outputs. The first interrupt cancels the context of the command,
// or exits if the command does not use its context; a second one ends the process, and those
// of models, at once. A failed write to an output is a failure of every command.
func run(args []string, stdout, stderr io.Writer) int {
	out, errs := printable.NewWriter(stdout), printable.NewWriter(stderr)
	ends := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // nohup
		ends = append(ends, syscall.SIGHUP)
	}
	ctx, stop := signal.NotifyContext(context.Background(), ends...)
	used := &usedContext{Context: ctx}
	// Standard error may be a pipe that nobody reads: no message holds up the end.
	end := func(text string) {
		external.KillAll()
		time.AfterFunc(100*time.Millisecond, func() { os.Exit(exitInterrupted) })
		fmt.Fprintln(errs, text)
		os.Exit(exitInterrupted)
	}
	unwatch := context.AfterFunc(ctx, func() {
		again := make(chan os.Signal, 1)
		signal.Notify(again, ends...)
		if !used.used.Load() {
			end("memobench: interrupted")
		}
		notice := time.AfterFunc(noticeDelay, func() {
			fmt.Fprintln(errs, "memobench: interrupted, ending the present step (Ctrl-C again: end at once)")
		})
		for first := time.Now(); time.Since(first) < repeated; {
			<-again
		}
		notice.Stop()
		end("memobench: ended at once")
	})
	defer stop()
	defer unwatch()
	p := &program{name: os.Args[0], args: args, ctx: used, stdout: out, stderr: errs, getenv: os.Getenv}
	err := p.dispatch(args)
	if list, ok := err.(interface{ Unwrap() []error }); ok && len(list.Unwrap()) > 1 {
		return p.exit(err) // not for the output alone
	}
	if lost := out.Err(); lost != nil && (err == nil || errors.Is(err, lost) || errors.Is(err, errHelp)) {
		err = fmt.Errorf("writing the output: %w", lost)
		if len(args) > 0 && (args[0] == "check" || args[0] == "compare") {
			err = usage(err) // without a verdict: exitFailed is a regression
		}
		if errors.Is(lost, syscall.EPIPE) {
			p.stderr = io.Discard // the reader, such as head, has what it needs
		}
	}
	return p.exit(err)
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

// program is the environment of a command.
type program struct {
	name   string // as it was called, for the command that resumes
	args   []string
	ctx    context.Context
	stdout io.Writer
	stderr io.Writer
	getenv func(string) string

	described func(*flagSet) // if set, is called with the flags instead of printing the help
}
