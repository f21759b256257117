package cli

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/spf13/cobra"

	"memobench/benchmarks/printable"
	"memobench/benchmarks/study"
	"memobench/datasets"
	"memobench/models"
)

func (p *program) lsCommand() *cobra.Command {
	var verbose bool
	c := &cobra.Command{
		Use:   "ls",
		Short: "List models, tasks and studies, with -v also every setting",
		Args:  cobra.ExactArgs(0),
		RunE:  func(*cobra.Command, []string) error { return p.list(verbose) },
	}
	c.Flags().BoolVarP(&verbose, "verbose", "v", false, "also every setting with its default, as --set takes it")
	return c
}

// list prints names, and settings if verbose.
func (p *program) list(verbose bool) error {
	width, nameColumns := printable.Columns(p.stdout, p.getenv, 120), 20
	if verbose {
		nameColumns = 32
	}
	item := func(name, about string) {
		indent := strings.Repeat(" ", nameColumns)
		if len(name) > nameColumns-4 { // it has a line of its own
			name += "\n" + indent
		}
		about = printable.Wrap(about, max(width-nameColumns, nameColumns), 0)
		fmt.Fprintf(p.stdout, "  %-*s%s\n", nameColumns-2, name, strings.ReplaceAll(about, "\n", "\n"+indent))
	}
	settings := func(prefix string, of any, defaults bool) {
		for _, s := range study.Settings(of) {
			if defaults {
				s.Key += "=" + s.Text()
			}
			if verbose {
				item("  "+prefix+s.Key, s.Doc)
			}
		}
	}
	fmt.Fprintln(p.stdout, "Models (--model):")
	for _, name := range models.Names() {
		e, _ := models.Lookup(name)
		item(name, e.About)
		settings("model.", e.Defaults(), true)
	}
	if verbose {
		item("every model", "optimizer and learning rate")
	}
	settings("training.", &models.Training{}, false)
	fmt.Fprintln(p.stdout, "\nVariants of models (--model):")
	for _, name := range models.VariantNames() {
		v, _ := models.LookupVariant(name)
		item(name, v.About)
	}
	fmt.Fprintln(p.stdout, "\nTasks (--task):")
	described := map[reflect.Type]string{}
	for _, name := range datasets.Names() {
		e, _ := datasets.Lookup(name)
		item(name, e.About)
		kind := reflect.TypeOf(e.Defaults())
		if described[kind] == "" {
			described[kind] = name
			settings("task.", e.Defaults(), true)
		} else if verbose {
			item("", "settings as of "+described[kind])
		}
	}
	fmt.Fprintln(p.stdout, "\nStudies (memobench run):")
	for _, name := range study.Names() {
		s, err := study.Load(name)
		if err != nil {
			return err
		}
		item(name, s.About)
	}
	settings("protocol.", &study.Protocol{}, false)
	if verbose {
		fmt.Fprintln(p.stdout, "\n"+printable.Wrap("A key may be given without its first part where that is clear: --set hops=5. "+
			"The values of a study differ from these defaults; --print-config shows them.", width, 0))
	}
	return nil
}
