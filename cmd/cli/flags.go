package cli

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"memobench/benchmarks/printable"
	"memobench/benchmarks/suggest"
)

// flagSet is a command's flags with its help.
type flagSet struct {
	*pflag.FlagSet
	program  *program
	usage    string // "train --model NAME ..."
	about    string // paragraphs
	examples [][2]string
}

// flags makes a command's flag set. examples are pairs of command and meaning.
func (p *program) flags(usage, about string, examples ...[2]string) *flagSet {
	set := pflag.NewFlagSet(strings.Fields(usage)[0], pflag.ContinueOnError)
	set.SortFlags = false
	set.SetOutput(p.stderr)
	set.Usage = func() {}
	return &flagSet{FlagSet: set, program: p, usage: usage, about: about, examples: examples}
}

// parse parses args. positional describes arguments other than flags; if it is empty they
// are refused. The errors are usage errors with a suggestion.
func (f *flagSet) parse(args []string, positional string) error {
	err := f.Parse(args)
	switch {
	case errors.Is(err, pflag.ErrHelp):
		f.help()
		return errHelp
	case err != nil:
		return f.explain(err)
	}
	var empty *pflag.Flag // a list that was meant to choose, such as "$TASKS", and chooses nothing
	f.Visit(func(flag *pflag.Flag) {
		if list, ok := flag.Value.(pflag.SliceValue); ok && len(list.GetSlice()) == 0 {
			empty = flag
		}
	})
	if empty != nil {
		return usagef("%s: --%s is empty: want %s", f.Name(), empty.Name, typeName(empty))
	}
	if rest := f.Args(); len(rest) > 0 && positional == "" {
		return f.leftOver(rest[0], args)
	}
	return nil
}

// dataVar declares --data.
func (f *flagSet) dataVar(path *string) {
	f.StringVar(path, "data", "", "`PATH` of the data, for tasks that read files")
}

// explain converts errors of pflag to usage errors.
func (f *flagSet) explain(err error) error {
	var none *pflag.NotExistError
	if errors.As(err, &none) {
		name := none.GetSpecifiedName()
		if none.GetSpecifiedShortnames() != "" {
			return usagef("%s: unknown flag -%s; memobench %s --help lists the flags", f.Name(), name, f.Name())
		}
		if near := suggest.Nearest(name, f.names()); near != "" {
			return usagef("%s: unknown flag --%s: did you mean --%s?", f.Name(), name, near)
		}
		return usagef("%s: unknown flag --%s; memobench %s --help lists the flags", f.Name(), name, f.Name())
	}
	var bad *pflag.InvalidValueError
	if errors.As(err, &bad) && errors.Is(err, strconv.ErrRange) {
		return usagef("%s: --%s %q: out of range", f.Name(), bad.GetFlag().Name, bad.GetValue())
	}
	if errors.As(err, &bad) {
		return usagef("%s: --%s %q: want %s", f.Name(), bad.GetFlag().Name, bad.GetValue(), typeName(bad.GetFlag()))
	}
	var value *pflag.ValueRequiredError
	if errors.As(err, &value) {
		return usagef("%s: --%s needs a value: %s", f.Name(), value.GetFlag().Name, typeName(value.GetFlag()))
	}
	return usagef("%s: %v", f.Name(), err)
}

func typeName(flag *pflag.Flag) string {
	switch flag.Value.Type() {
	case "intSlice":
		return "whole numbers with commas between"
	case "uint64":
		return "a whole number, 0 or above"
	case "int":
		return "a whole number"
	case "bool":
		return "true or false"
	case "duration":
		return "a time such as 90s or 20m"
	}
	name, _ := pflag.UnquoteUsage(flag)
	return name
}

// leftOver is the error for an unexpected argument. After a boolean flag it is most likely
// the flag's value, which pflag accepts only after "=".
func (f *flagSet) leftOver(arg string, args []string) error {
	for i, a := range args[:len(args)-1] {
		name, long := strings.CutPrefix(a, "--")
		if args[i+1] != arg || !long {
			continue
		}
		if flag := f.Lookup(name); flag != nil && flag.Value.Type() == "bool" {
			return usagef("%s: argument %q is left over: the switch --%s takes a value only as --%s=%s", f.Name(), arg, name, name, arg)
		}
	}
	if near := suggest.Nearest(arg, f.names()); near != "" {
		return usagef("%s: argument %q is left over: did you mean --%s?", f.Name(), arg, near)
	}
	return usagef("%s: argument %q is left over: %s takes flags only", f.Name(), arg, f.Name())
}

// names lists the flags.
func (f *flagSet) names() []string {
	names := []string{"help"}
	f.VisitAll(func(flag *pflag.Flag) { names = append(names, flag.Name) })
	return names
}

// help prints the help of the command.
func (f *flagSet) help() {
	if f.program.described != nil {
		f.program.described(f)
		return
	}
	w, width := f.program.stdout, min(f.program.width(80), 90)
	fmt.Fprintf(w, "Usage:\n%s\n\n%s\n", printable.Wrap("  memobench "+f.usage, width, 4), paragraphs(strings.TrimSpace(f.about), width))
	if f.HasFlags() {
		fmt.Fprintf(w, "\nFlags:\n%s", printable.Wrap(f.FlagUsagesWrapped(width), width, 0))
	}
	if len(f.examples) > 0 {
		fmt.Fprintf(w, "\nExamples:\n%s", shownExamples(f.examples, width))
	}
}
