package main

import (
	"errors"
	"fmt"

	"memobench/benchmarks/suggest"
)

// errHelp says that help was asked for and given.
var errHelp = errors.New("help given")

// usageError is a mistake in the command line.
type usageError struct{ err error }

func (e *usageError) Error() string { return e.err.Error() }
func (e *usageError) Unwrap() error { return e.err }

// unknown is the error for a name that is none of known.
func unknown(what, name string, known []string) error {
	return &suggest.UnknownError{What: what, Name: name, Known: known}
}

// usage says that err is a mistake in the command line.
func usage(err error) error {
	if err == nil {
		return nil
	}
	return &usageError{err}
}

func usagef(format string, args ...any) error {
	return &usageError{fmt.Errorf(format, args...)}
}

// required checks that a flag was given.
func required(f *flagSet, flag, example string) error {
	if value := f.Lookup(flag); value.Value.String() == "" {
		return usagef("%s: --%s is needed, for example --%s %s", f.Name(), flag, flag, example)
	}
	return nil
}

// interruptedError is work that was stopped by a signal and can go on.
type interruptedError struct {
	what   string // what was stopped and saved
	resume string // the command that goes on
}

func (e *interruptedError) Error() string {
	return fmt.Sprintf("interrupted; %s. To go on:\n  %s", e.what, e.resume)
}

// inconclusiveError is work that was done but shows less than it should.
type inconclusiveError struct{ why string }

func (e *inconclusiveError) Error() string { return "inconclusive: " + e.why }
