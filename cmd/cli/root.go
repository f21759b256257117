package cli

import (
	"cmp"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"memobench/benchmarks/printable"
	"memobench/benchmarks/record"
	"memobench/benchmarks/study"
	"memobench/datasets"
	"memobench/models"
	"memobench/models/engine"
	"memobench/report"
	"memobench/report/gate"
)

// root returns the command memobench.
func (p *program) root() *cobra.Command {
	cobra.EnableCommandSorting = false
	root := &cobra.Command{
		Use:   "memobench",
		Short: "Train memory networks and compare them",
		Long: `memobench trains memory networks on tasks that need several facts to be put together, and
compares them under equal conditions, next to the numbers of "MEMO: A Deep Network for
Flexible Combination of Episodic Memories" (Banino et al., ICLR 2020).`,
		Example: `  memobench run quick                       a small comparison in a few minutes
  memobench ls                              what there is to train, and on what
  memobench train --model memo --task pai3  one model at the paper's sizes`,
		Version:       versions(),
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.ArbitraryArgs,
		RunE:          needCommand,
	}
	root.SetOut(p.stdout)
	root.SetErr(p.stderr)
	root.SetVersionTemplate("{{.Version}}")
	for _, flags := range []string{".LocalFlags.FlagUsages", ".InheritedFlags.FlagUsages"} {
		root.SetUsageTemplate(strings.ReplaceAll(root.UsageTemplate(), flags, fmt.Sprintf("%sWrapped %d", flags, p.helpWidth())))
	}
	root.PersistentFlags().BoolVar(&p.ascii, "ascii", false, "text in plain ASCII, whatever the locale")
	root.SetFlagErrorFunc(flagError)
	root.AddCommand(p.runCommand(), p.trainCommand(), p.recordCommand(), p.evalCommand(), p.generalizeCommand(), p.scoreCommand(), p.askCommand(),
		p.attentionCommand(), p.tableCommand(), p.reportCommand(), p.checkCommand(), p.compareCommand(), p.dataCommand(),
		p.scalingCommand(), p.lsCommand(), p.versionCommand())
	root.InitDefaultCompletionCmd()
	completion, _, err := root.Find([]string{"completion"})
	cobra.CheckErr(err)
	completion.RunE = needCommand
	p.prepare(root)
	return root
}

// execute runs the command that the arguments name.
func (p *program) execute() error {
	root, args := p.root(), p.args
	if len(args) > 1 && args[0] == "help" {
		args = append(slices.Clone(args[1:]), "--help")
	}
	if c, rest, _ := root.Find(args); c.HasSubCommands() && len(rest) > 1 && rest[1] == "--help" {
		return usage(needCommand(c, rest))
	}
	root.SetArgs(args)
	c, err := root.ExecuteContextC(p.ctx)
	if err != nil && !p.started {
		text := strings.TrimSpace(err.Error())
		if c != root {
			text = fmt.Sprintf("%s: %s\nUsage: %s", strings.TrimPrefix(c.CommandPath(), "memobench "), text, c.UseLine())
		}
		err = usagef("%s", text)
	}
	var status *statusError
	if errors.As(err, &status) && status.status == exitUsage && slices.ContainsFunc(args, func(arg string) bool { return strings.HasPrefix(arg, "--github") }) {
		return errors.Join(err, gate.Annotate(p.stdout, "error", "wrong usage", err.Error()))
	}
	return err
}

// needCommand is the action of a command that only has subcommands.
func needCommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		c.SetOut(c.ErrOrStderr())
		_ = c.Help()
		return errors.New("a command is needed")
	}
	c.SuggestionsMinimumDistance = 2
	if near := c.SuggestionsFor(args[0]); len(near) > 0 {
		return fmt.Errorf("unknown command %q: did you mean %s?", args[0], strings.Join(near, " or "))
	}
	return fmt.Errorf("unknown command %q", args[0])
}

// prepare adds to every command what all have: the completion of names, and the note that the
// command line was accepted.
func (p *program) prepare(c *cobra.Command) {
	c.Long = printable.Wrap(strings.Join(strings.Fields(c.Long), " "), p.helpWidth(), 0)
	c.Flags().SortFlags = false
	values := map[string][]string{"model": modelNames(), "models": modelNames(), "task": datasets.Names(), "tasks": datasets.Names(),
		"study": study.Names(), "split": {"train", "validation", "test"}, "format": report.Formats}
	for name, list := range values {
		if c.Flags().Lookup(name) != nil {
			cobra.CheckErr(c.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(list, cobra.ShellCompDirectiveNoFileComp)))
		}
	}
	if run := c.RunE; run != nil && !c.HasSubCommands() {
		c.RunE = func(c *cobra.Command, args []string) error {
			var empty error // a list such as "$TASKS" that was meant to choose
			c.Flags().Visit(func(flag *pflag.Flag) {
				if list, ok := flag.Value.(pflag.SliceValue); ok && len(list.GetSlice()) == 0 {
					empty = fmt.Errorf("--%s is empty: want %s", flag.Name, valueName(flag))
				}
			})
			if empty != nil {
				return empty
			}
			p.started = true
			return run(c, args)
		}
	}
	for _, below := range c.Commands() {
		p.prepare(below)
	}
}

func modelNames() []string { return append(models.Names(), models.VariantNames()...) }

// helpWidth is the number of columns of help.
func (p *program) helpWidth() int { return min(100, printable.Columns(p.stdout, p.getenv, 100)) }

func (p *program) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the versions of the code, of Go and of the BLAS",
		Args:  cobra.ExactArgs(0),
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprint(p.stdout, versions())
			return err
		},
	}
}

func versions() string {
	return fmt.Sprintf("memobench %s\n%s %s/%s\n%s\n",
		record.CodeVersion(), runtime.Version(), runtime.GOOS, runtime.GOARCH, engine.BLAS().Name)
}

// completeNames completes the first argument of a command.
func completeNames(names func() []string) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return names(), cobra.ShellCompDirectiveDefault
	}
}

// flagError explains errors of pflag and suggests the nearest flag for an unknown one.
func flagError(c *cobra.Command, err error) error {
	var missing *pflag.NotExistError
	var badValue *pflag.InvalidValueError
	switch {
	case errors.As(err, &missing):
		name := cmp.Or(missing.GetSpecifiedShortnames(), missing.GetSpecifiedName())
		flags := &cobra.Command{SuggestionsMinimumDistance: 2}
		c.Flags().VisitAll(func(flag *pflag.Flag) {
			flags.AddCommand(&cobra.Command{Use: flag.Name, Run: func(*cobra.Command, []string) {}})
		})
		if near := flags.SuggestionsFor(name); len(near) > 0 && len(name) > 1 {
			return fmt.Errorf("unknown flag --%s: did you mean --%s?", name, strings.Join(near, " or --"))
		}
	case errors.As(err, &badValue):
		cause := badValue.Unwrap()
		if errors.Is(err, strconv.ErrSyntax) {
			cause = errors.New("want " + valueName(badValue.GetFlag()))
		}
		return fmt.Errorf("--%s %q: %w", badValue.GetFlag().Name, badValue.GetValue(), cause)
	}
	return err
}

// valueName describes the value of a flag.
func valueName(flag *pflag.Flag) string {
	name, _ := pflag.UnquoteUsage(flag)
	return name
}

// needFlags makes flags required.
func needFlags(c *cobra.Command, names ...string) {
	for _, name := range names {
		cobra.CheckErr(c.MarkFlagRequired(name))
	}
}

// numberVar declares a flag for a whole number from low to high.
func numberVar(f *pflag.FlagSet, value *int, name string, low, high int, about string) {
	if *value != 0 {
		about += fmt.Sprintf(" (default %d)", *value)
	}
	f.Func(name, about, func(text string) error {
		n, err := strconv.Atoi(text)
		if err != nil || n < low || n > high {
			return fmt.Errorf("want a whole number from %d to %d", low, high)
		}
		*value = n
		return nil
	})
}

// dataVar declares --data.
func dataVar(f *pflag.FlagSet, path *string) {
	f.StringVar(path, "data", "", "`PATH` of the data, for tasks that read files")
}

// setVar declares --set.
func setVar(f *pflag.FlagSet, list *[]string) {
	f.StringArrayVar(list, "set", nil, "change a setting, `KEY=VALUE`; may be repeated (keys: memobench ls -v)")
}

// splitVar declares --split.
func splitVar(f *pflag.FlagSet, split *datasets.Split) {
	f.Func("split", fmt.Sprintf("`SPLIT`: train, validation or test (default %v)", *split), func(text string) (err error) {
		*split, err = datasets.ParseSplit(text)
		return err
	})
}

// maxSeeds is the maximum number of seeds in a range.
const maxSeeds = 10_000

// seedsVar declares --seeds.
func seedsVar(f *pflag.FlagSet, seeds *[]uint64) {
	f.Func("seeds", "these seeds instead of the study's, `N,N` or N-N", func(text string) error {
		for _, part := range strings.Split(text, ",") {
			from, to, isRange := strings.Cut(part, "-")
			first, err := strconv.ParseUint(from, 10, 64)
			last := first
			if isRange && err == nil {
				last, err = strconv.ParseUint(to, 10, 64)
			}
			if err != nil || last < first || last-first >= maxSeeds {
				return errors.New("want whole numbers, 0 or above, with commas between, or ranges such as 0-4")
			}
			for i := range last - first + 1 {
				*seeds = append(*seeds, first+i)
			}
		}
		return nil
	})
}
