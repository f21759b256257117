package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/pflag"
)

// verb is one of the things memobench does.
type verb struct {
	name  string
	about string // one line
	call  func(p *program, args []string) error
}

// verbs lists them in the order of the help.
func verbs() []verb {
	return []verb{
		{"run", "train and compare the models of a preset, and print the tables", (*program).run},
		{"train", "train one model on one task from one seed", (*program).train},
		{"eval", "judge a trained model once more, on any split or on your own files", (*program).eval},
		{"attention", "show where a trained model looks while it answers a question", (*program).attention},
		{"table", "print the tables of runs that are there already", (*program).table},
		{"report", "write the paper's tables and figures from runs, as text, HTML and more", (*program).report},
		{"check", "judge results against a baseline: the regression gate", (*program).check},
		{"compare", "set two sets of results side by side, with intervals", (*program).compare},
		{"data", "write, fetch, check, describe and show what the tasks are made of", (*program).data},
		{"sweep", "plan, run, distribute and merge a grid of settings and seeds", (*program).sweep},
		{"scaling", "count and time how cost grows with the number of memory rows", (*program).scaling},
		{"ls", "list models, tasks and presets, with -v also every setting", (*program).ls},
		{"completion", "print a script that completes commands in bash, fish or zsh", (*program).completion},
		{"version", "print the versions of the code, of Go and of the BLAS", (*program).version},
	}
}

func verbNames() []string {
	names := []string{"help"}
	for _, v := range verbs() {
		names = append(names, v.name)
	}
	return names
}

// dispatch calls the verb that args starts with.
func (p *program) dispatch(args []string) error {
	if len(args) == 0 {
		p.help(p.stderr)
		return usagef("a verb is needed; most start with: memobench run")
	}
	name, rest := args[0], args[1:]
	switch name {
	case "-h", "--help":
		p.help(p.stdout)
		return nil
	case "--version":
		name = "version"
	case "help":
		if len(rest) == 0 {
			p.help(p.stdout)
			return nil
		}
		name, rest = rest[0], append([]string{"--help"}, rest[1:]...)
	}
	for _, v := range verbs() {
		if v.name == name {
			return v.call(p, rest)
		}
	}
	if len(name) > 0 && name[0] == '-' {
		return usagef("flag %s stands before the verb: write memobench VERB %s", name, name)
	}
	return unknown("verb", name, verbNames())
}

// group calls the verb, of those below the verb name, that args starts with.
func (p *program) group(name, about string, below []verb, args []string, examples ...[2]string) error {
	var list strings.Builder
	var names []string
	for _, v := range below {
		fmt.Fprintf(&list, "\n  %-*s%s", listIndent-2, v.name, v.about)
		names = append(names, v.name)
	}
	f := p.flags(name+" VERB [flags]", fmt.Sprintf("%s\n\nVerbs:%s\n\n\"memobench %s VERB --help\" explains a verb and its flags.",
		about, list.String(), name), examples...)
	if len(args) == 0 {
		return usagef("%s: a verb is needed: %s", name, strings.Join(names, ", "))
	}
	first, rest := args[0], args[1:]
	switch first {
	case "-h", "--help", "help":
		if len(rest) == 0 {
			f.help()
			return errHelp
		}
		first, rest = rest[0], []string{"--help"}
	}
	for _, v := range below {
		if v.name == first {
			return v.call(p, rest)
		}
	}
	if strings.HasPrefix(first, "-") {
		return usagef("%s: flag %s stands before the verb: write memobench %s VERB %s", name, first, name, first)
	}
	return unknown(name+" verb", first, names)
}

// groupFlags starts the flag set of a verb below another, the first two words of
// usage.
func (p *program) groupFlags(usage, about string, examples ...[2]string) *flagSet {
	f := p.flags(usage, about, examples...)
	f.Init(strings.Join(strings.Fields(usage)[:2], " "), pflag.ContinueOnError)
	return f
}

// help writes the overview.
func (p *program) help(w io.Writer) {
	var b strings.Builder
	b.WriteString(`memobench trains memory networks on tasks that need several facts to be put
together, and compares them under equal conditions, beside the numbers of
"MEMO: A Deep Network for Flexible Combination of Episodic Memories"
(Banino et al., ICLR 2020).

Usage:
  memobench VERB [flags]

Verbs:
`)
	for _, v := range verbs() {
		fmt.Fprintf(&b, "  %-*s%s\n", listIndent-2, v.name, v.about)
	}
	width := min(p.width(80), 90)
	fmt.Fprintf(w, "%s\n%s\n%s\n", paragraphs(b.String()+"\n\"memobench VERB --help\" explains a verb and its flags.\n\nStart with:", width),
		shownExamples([][2]string{
			{"run", "a small comparison in a few minutes"},
			{"ls", "what there is to train, and on what"},
			{"train --model memo --task pai3", "one model at the paper's sizes"},
		}, width),
		paragraphs("Exit status: 0 good, 1 failed, 2 wrong usage, 3 inconclusive, 130 interrupted (run, train, eval, sweep and data then name the command that resumes).", width))
}
