package gate

import (
	"fmt"
	"io"
	"strings"
)

// mostAnnotations is how many errors, and warnings, GitHub shows of a step.
const mostAnnotations = 10

// GitHub writes the report as workflow commands, which GitHub Actions shows as
// annotations: an error for what fails, a warning for what is inconclusive, a
// notice for the whole. The last of the errors that are shown counts the rest.
func (r *Report) GitHub(w io.Writer) error {
	var errors, warnings []string
	for _, line := range r.Problems() {
		if rest, ok := strings.CutPrefix(line, "FAIL "); ok {
			errors = append(errors, rest)
		} else {
			warnings = append(warnings, strings.TrimPrefix(line, "INCONCLUSIVE "))
		}
	}
	for _, level := range []struct {
		command, title string
		lines          []string
	}{
		{"error", "accuracy regressed", errors},
		{"warning", "too few runs to tell", warnings},
		{"notice", "regression gate", []string{r.Summary()}},
	} {
		if rest := len(level.lines) - (mostAnnotations - 1); rest > 1 {
			level.lines = append(level.lines[:mostAnnotations-1], fmt.Sprintf("and %d more: see the log", rest))
		}
		for _, line := range level.lines {
			if err := Annotate(w, level.command, level.title, line); err != nil {
				return err
			}
		}
	}
	return nil
}

// Annotate writes one workflow command: an error, a warning or a notice.
func Annotate(w io.Writer, command, title, text string) error {
	_, err := fmt.Fprintf(w, "::%s title=memobench%%3A %s::%s\n", command, title, githubEscape.Replace(text))
	return err
}

// githubEscape makes a text the message of a workflow command.
var githubEscape = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
