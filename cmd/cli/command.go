package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/pflag"
)

// subcommand is a command of memobench.
type subcommand struct {
	name  string
	about string // one line
	call  func(p *program, args []string) error
}

// commands lists them in the order of the help.
func commands() []subcommand {
	return []subcommand{
		{"run", "train and compare the models of a preset, and print the tables", (*program).run},
		{"train", "train one model on one task with one seed", (*program).train},
		{"eval", "evaluate a trained model again, on any split or on your own files", (*program).eval},
		{"generalize", "evaluate trained models on questions unlike those of training", (*program).generalize},
		{"score", "make a record of the answers that another program gave", (*program).score},
		{"ask", "ask trained weights questions of your own", (*program).ask},
		{"attention", "show where a trained model looks while it answers a question", (*program).attention},
		{"watch", "show learning curves in the terminal, of finished runs and of others", (*program).watch},
		{"table", "print the tables of existing runs", (*program).table},
		{"report", "write the paper's tables and figures from runs, as text, HTML and more", (*program).report},
		{"check", "compare results with a baseline: the regression gate", (*program).check},
		{"compare", "compare two sets of results, with intervals", (*program).compare},
		{"data", "write, fetch, check, describe and show what the tasks are made of", (*program).data},
		{"sweep", "plan, run, distribute and merge a grid of settings and seeds", (*program).sweep},
		{"scaling", "count and time how cost grows with the number of memory rows", (*program).scaling},
		{"ls", "list models, tasks and presets, with -v also every setting", (*program).ls},
		{"completion", "print a script that completes commands in bash, fish or zsh", (*program).completion},
		{"version", "print the versions of the code, of Go and of the BLAS", (*program).version},
	}
}

// dispatch calls the command that args starts with.
func (p *program) dispatch(args []string) error {
	if len(args) == 0 {
		p.help(p.stderr)
		return usagef("a command is needed; most start with: memobench run")
	}
	if args[0] == "--version" {
		args = []string{"version"}
	}
	return p.choose("", commands(), args, func() { p.help(p.stdout) })
}

// choose calls the command of the list that args starts with. group is the command whose
// subcommands are in the list; empty for the program.
func (p *program) choose(group string, list []subcommand, args []string, help func()) error {
	prefix, what, usage := "", "command", "memobench"
	if group != "" {
		prefix, what, usage = group+": ", group+" command", "memobench "+group
	}
	name, rest := args[0], args[1:]
	if name == "-h" || name == "--help" || name == "help" {
		if len(rest) == 0 {
			help()
			return errHelp
		}
		name, rest = rest[0], append([]string{"--help"}, rest[1:]...)
	}
	if i := slices.IndexFunc(list, func(c subcommand) bool { return c.name == name }); i >= 0 {
		return list[i].call(p, rest)
	}
	if strings.HasPrefix(name, "-") {
		return usagef("%sflag %s comes before the command: write %s COMMAND %s", prefix, name, usage, name)
	}
	return unknown(what, name, append([]string{"help"}, names(list)...))
}

func names(list []subcommand) []string {
	return mapped(list, func(c subcommand) string { return c.name })
}

// mapped returns what f makes of each element of a list.
func mapped[T, U any](list []T, f func(T) U) []U {
	out := make([]U, 0, len(list))
	for _, v := range list {
		out = append(out, f(v))
	}
	return out
}

// listOf describes the commands, one per line.
func listOf(list []subcommand) string {
	var b strings.Builder
	for _, c := range list {
		fmt.Fprintf(&b, "  %-*s%s\n", listIndent-2, c.name, c.about)
	}
	return b.String()
}

// group calls the subcommand of a command that args starts with.
func (p *program) group(name, about string, list []subcommand, args []string, examples ...[2]string) error {
	if len(args) == 0 {
		return usagef("%s: a command is needed: %s", name, strings.Join(names(list), ", "))
	}
	f := p.flags(name+" COMMAND [flags]", fmt.Sprintf("%s\n\nCommands:\n%s\n\"memobench %s COMMAND --help\" explains a command and its flags.",
		about, listOf(list), name), examples...)
	return p.choose(name, list, args, f.help)
}

// groupFlags makes the flag set of a subcommand. The first two words of usage are its name.
func (p *program) groupFlags(usage, about string, examples ...[2]string) *flagSet {
	f := p.flags(usage, about, examples...)
	f.Init(strings.Join(strings.Fields(usage)[:2], " "), pflag.ContinueOnError)
	return f
}

// help writes the overview.
func (p *program) help(w io.Writer) {
	width := min(p.width(80), 90)
	fmt.Fprintf(w, "%s\n%s\n%s\n", paragraphs(`memobench trains memory networks on tasks that need several facts to be put
together, and compares them under equal conditions, next to the numbers of
"MEMO: A Deep Network for Flexible Combination of Episodic Memories"
(Banino et al., ICLR 2020).

Usage:
  memobench COMMAND [flags]

Commands:
`+listOf(commands())+`
"memobench COMMAND --help" explains a command and its flags.

Start with:`, width),
		shownExamples([][2]string{
			{"run", "a small comparison in a few minutes"},
			{"ls", "what there is to train, and on what"},
			{"train --model memo --task pai3", "one model at the paper's sizes"},
		}, width),
		paragraphs("Exit status: 0 good, 1 failed, 2 wrong usage, such as a file that does not exist (check and compare: or cannot be read), 3 inconclusive, 130 interrupted (run, train, eval, generalize, sweep and data then name the command that resumes).", width))
}
