package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"memobench/benchmarks/study"
	"memobench/datasets"
	"memobench/models"
)

// Exit statuses, as in the package's documentation.
const (
	exitGood         = 0
	exitFailed       = 1
	exitUsage        = 2
	exitInconclusive = 3
	exitInterrupted  = 130
)

// usageError is a mistake in the command line.
type usageError struct{ err error }

func (e *usageError) Error() string { return e.err.Error() }
func (e *usageError) Unwrap() error { return e.err }

// usage returns err as a usage error.
func usage(err error) error {
	if err == nil {
		return nil
	}
	return &usageError{err}
}

func usagef(format string, args ...any) error { return usage(fmt.Errorf(format, args...)) }

// unknown is the error for a name that is not in known.
func unknown(what, name string, known []string) error {
	return &datasets.UnknownError{What: what, Name: name, Known: known}
}

// inconclusiveError is a result with too few good runs.
type inconclusiveError struct{ why string }

func (e *inconclusiveError) Error() string { return "inconclusive: " + e.why }

// interruptedError is work that was stopped by a signal and can be resumed.
type interruptedError struct {
	saved  string // what was stopped and saved
	resume string // the command that resumes
}

func (e *interruptedError) Error() string {
	return fmt.Sprintf("interrupted; %s. To resume:\n  %s", e.saved, e.resume)
}

// interrupted is the error of stopped work: the same command with more arguments, and without
// --overwrite, resumes it.
func (p *program) interrupted(saved string, more ...string) error {
	words := []string{p.name}
	for _, arg := range p.args {
		if name, _, _ := strings.Cut(arg, "="); name != "--overwrite" && name != "--resume" {
			words = append(words, quote(arg))
		}
	}
	return &interruptedError{saved, strings.Join(append(words, more...), " ")}
}

// stopped returns the error of stopped work as interrupted does, and other errors as they are.
func (p *program) stopped(err error, saved string) error {
	switch {
	case p.ctx.Err() != nil && errors.Is(err, models.ErrNoAnswer):
		return p.interrupted(err.Error() + "; " + saved)
	case errors.Is(err, context.Canceled):
		return p.interrupted(saved)
	}
	return err
}

// plainWord matches words that a shell reads as they are.
var plainWord = regexp.MustCompile(`^[-\w./=,:@%+]+$`)

// quote quotes a word for a POSIX shell.
func quote(word string) string {
	if plainWord.MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// missingArgument reports whether the error is that a file which an argument names does not exist.
func (p *program) missingArgument(err error) bool {
	var missing *fs.PathError
	return errors.As(err, &missing) && errors.Is(missing, fs.ErrNotExist) && slices.ContainsFunc(p.args, func(arg string) bool {
		if _, value, ok := strings.Cut(arg, "="); ok && strings.HasPrefix(arg, "--") {
			arg = value
		}
		return filepath.Clean(arg) == filepath.Clean(missing.Path)
	})
}

// exit reports err and returns the exit status.
func (p *program) exit(err error) int {
	if err == nil {
		return exitGood
	}
	fmt.Fprintf(p.stderr, "memobench: %s\n", err.Error())
	var usage *usageError
	var unknown *datasets.UnknownError
	var setting *study.SettingError
	var interrupted *interruptedError
	var inconclusive *inconclusiveError
	switch {
	case !p.started, errors.As(err, &usage), errors.As(err, &unknown), errors.As(err, &setting), p.missingArgument(err):
		return exitUsage
	case errors.As(err, &interrupted):
		return exitInterrupted
	case errors.As(err, &inconclusive):
		return exitInconclusive
	}
	return exitFailed
}
