package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"memobench/benchmarks/config"
	"memobench/benchmarks/printable"
	"memobench/benchmarks/suggest"
)

// errHelp says that the help was printed.
var errHelp = errors.New("help given")

// usageError is a mistake in the command line.
type usageError struct{ err error }

func (e *usageError) Error() string { return e.err.Error() }
func (e *usageError) Unwrap() error { return e.err }

// unknown is the error for a name that is not in known.
func unknown(what, name string, known []string) error {
	return &suggest.UnknownError{What: what, Name: name, Known: known}
}

// usage returns err as a usage error.
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

// interruptedError is work that was stopped by a signal and can be resumed.
type interruptedError struct {
	what   string // what was stopped and saved
	resume string // the command that resumes
}

func (e *interruptedError) Error() string {
	return fmt.Sprintf("interrupted; %s. To resume:\n  %s", e.what, e.resume)
}

// inconclusiveError is a result with too few good runs.
type inconclusiveError struct{ why string }

func (e *inconclusiveError) Error() string { return "inconclusive: " + e.why }

// Exit statuses, as in the package's documentation.
const (
	exitGood         = 0
	exitFailed       = 1
	exitUsage        = 2
	exitInconclusive = 3
	exitInterrupted  = 130
)

// namesMissing reports whether the error is that a file which an argument names does not exist.
func namesMissing(err error, args []string) bool {
	var missing *fs.PathError
	return errors.As(err, &missing) && errors.Is(missing, fs.ErrNotExist) && slices.ContainsFunc(args, func(arg string) bool {
		if _, value, ok := strings.Cut(arg, "="); ok && strings.HasPrefix(arg, "--") {
			arg = value
		}
		return filepath.Clean(arg) == filepath.Clean(missing.Path)
	})
}

// exit reports err and returns the exit status.
func (p *program) exit(err error) int {
	if err == nil || errors.Is(err, errHelp) {
		return exitGood
	}
	fmt.Fprintf(p.stderr, "memobench: %s\n", printable.Error(err))
	var usage *usageError
	var unknown *suggest.UnknownError
	var setting *config.SettingError
	var interrupted *interruptedError
	var inconclusive *inconclusiveError
	switch {
	case errors.As(err, &usage), errors.As(err, &unknown), errors.As(err, &setting), namesMissing(err, p.args):
		return exitUsage
	case errors.As(err, &interrupted):
		return exitInterrupted
	case errors.As(err, &inconclusive):
		return exitInconclusive
	}
	return exitFailed
}
