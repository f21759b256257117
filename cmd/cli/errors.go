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

// statusError is an error with its exit status.
type statusError struct {
	error
	status int
}

func (e *statusError) Unwrap() error { return e.error }

// usage returns err as a mistake in the command line.
func usage(err error) error {
	if err == nil {
		return nil
	}
	return &statusError{err, exitUsage}
}

func usagef(format string, args ...any) error { return usage(fmt.Errorf(format, args...)) }

// inconclusive is the error of a result with too few good runs.
func inconclusive(format string, args ...any) error {
	return &statusError{fmt.Errorf("inconclusive: "+format, args...), exitInconclusive}
}

// unknown is the error for a name that is not in known.
func unknown(what, name string, known []string) error {
	return &datasets.UnknownError{What: what, Name: name, Known: known}
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
	return &statusError{fmt.Errorf("interrupted; %s. To resume:\n  %s", saved, strings.Join(append(words, more...), " ")), exitInterrupted}
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
	var status *statusError
	var unknown *datasets.UnknownError
	var setting *study.SettingError
	switch {
	case errors.As(err, &status):
		return status.status
	case !p.started, errors.As(err, &unknown), errors.As(err, &setting), p.missingArgument(err):
		return exitUsage
	}
	return exitFailed
}
