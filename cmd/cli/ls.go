package cli

import (
	"fmt"
	"io"
	"reflect"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"memobench/benchmarks/study"
	"memobench/datasets"
	"memobench/models"
)

func (p *program) lsCommand() *cobra.Command {
	var verbose bool
	c := &cobra.Command{
		Use:   "ls",
		Short: "List models, tasks and studies, with -v also every setting",
		Args:  noArguments,
		RunE: func(*cobra.Command, []string) error {
			w := tabwriter.NewWriter(p.stdout, 0, 0, 2, ' ', 0)
			if err := list(w, verbose); err != nil {
				return err
			}
			return w.Flush()
		},
	}
	c.Flags().BoolVarP(&verbose, "verbose", "v", false, "also every setting with its default, as --set takes it")
	return c
}

// list writes names, and settings if verbose.
func list(w io.Writer, verbose bool) error {
	settings := func(prefix string, of any, defaults bool) {
		for _, s := range study.Settings(of) {
			if !verbose {
				return
			}
			if defaults {
				s.Key += "=" + s.Value
			}
			fmt.Fprintf(w, "    %s%s\t%s\n", prefix, s.Key, s.Doc)
		}
	}
	fmt.Fprintln(w, "Models (--model):")
	for _, name := range models.Names() {
		e, _ := models.Lookup(name)
		fmt.Fprintf(w, "  %s\t%s\n", name, e.About)
		settings("model.", e.Defaults(), true)
	}
	if verbose {
		fmt.Fprintln(w, "  every model:\toptimizer and learning rate")
	}
	settings("training.", &models.Training{}, false)
	fmt.Fprintln(w, "\nVariants of models (--model):")
	for _, name := range models.VariantNames() {
		v, _ := models.LookupVariant(name)
		fmt.Fprintf(w, "  %s\t%s\n", name, v.About)
	}
	fmt.Fprintln(w, "\nTasks (--task):")
	described := map[reflect.Type]string{}
	for _, name := range datasets.Names() {
		e, _ := datasets.Lookup(name)
		fmt.Fprintf(w, "  %s\t%s\n", name, e.About)
		kind := reflect.TypeOf(e.Defaults())
		if other := described[kind]; other != "" && verbose {
			fmt.Fprintf(w, "    settings as of %s\n", other)
			continue
		}
		described[kind] = name
		settings("task.", e.Defaults(), true)
	}
	fmt.Fprintln(w, "\nStudies (memobench run):")
	for _, name := range study.Names() {
		s, err := study.Load(name)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "  %s\t%s\n", name, s.About)
	}
	settings("protocol.", &study.Protocol{}, false)
	if verbose {
		fmt.Fprint(w, `
A key may be given without its first part where that is clear: --set hops=5. The values of a study
differ from these defaults; --print-config shows them.
`)
	}
	return nil
}
