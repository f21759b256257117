package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"strings"

	"memobench/benchmarks/printable"
	"memobench/report/table"
)

// shownExamples lists commands with their meanings.
func shownExamples(examples [][2]string, width int) string {
	var b strings.Builder
	for _, e := range examples {
		fmt.Fprintf(&b, "%s\n%s\n", printable.Wrap("  # "+e[1], width, 2), printable.WrapCommand("  memobench "+e[0], width, 4))
	}
	return b.String()
}

// paragraphs rewraps text to a width. Lines that are not indented are joined; lists keep
// their columns.
func paragraphs(text string, width int) string {
	var lines []string
	joins := false // the next line continues this one
	for _, line := range strings.Split(text, "\n") {
		plain := line != "" && line[0] != ' '
		if joins && plain {
			lines[len(lines)-1] += " " + line
		} else {
			lines = append(lines, line)
		}
		joins = plain
	}
	for i, line := range lines {
		hang := 0
		if strings.HasPrefix(line, "  ") {
			hang = listIndent - 2
		}
		lines[i] = printable.Wrap(line, width, hang)
	}
	return strings.Join(lines, "\n")
}

// listIndent is the column of the descriptions in lists of commands.
const listIndent = 13

// width returns the width of standard output (see printable.Columns).
func (p *program) width(unknown int) int { return printable.Columns(p.stdout, p.getenv, unknown) }

// plainWord matches words that a shell reads as they are.
var plainWord = regexp.MustCompile(`^[-\w./=,:@%+]+$`)

// quote quotes a word for a POSIX shell.
func quote(word string) string {
	if plainWord.MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// printJSON writes a value as indented JSON.
func (p *program) printJSON(v any) error { return writeJSON(p.stdout, v) }

func writeJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// style is the style of tables on standard output; ascii asks for plain ASCII.
func (p *program) style(ascii bool) table.Style {
	style := table.StyleFor(p.stdout, p.getenv)
	style.ASCII = style.ASCII || ascii
	return style
}

// print writes tables to standard output, separated by blank lines.
func (p *program) print(tables []*table.Table) error {
	style := p.style(false)
	for i, t := range tables {
		if i > 0 {
			fmt.Fprintln(p.stdout)
		}
		if err := t.Terminal(p.stdout, style); err != nil {
			return err
		}
	}
	return nil
}
