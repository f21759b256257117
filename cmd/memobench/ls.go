package main

import (
	"fmt"
	"reflect"

	"memobench/benchmarks"
	"memobench/datasets"
	"memobench/models"
)

// ls lists what there is.
func (p *program) ls(args []string) error {
	f := p.flags("ls [flags]",
		"List models, tasks and presets. With -v also every setting with its default and\nmeaning, as --set takes it.",
		[2]string{"ls", "the names"},
		[2]string{"ls -v", "the settings too"})
	verbose := f.BoolP("verbose", "v", false, "also every setting")
	if err := f.parse(args, ""); err != nil {
		return err
	}
	w := p.stdout
	fmt.Fprintln(w, "Models (--model):")
	for _, name := range models.Names() {
		e, _ := models.Lookup(name)
		fmt.Fprintf(w, "  %-10s%s\n", name, e.About)
		if *verbose {
			describe(w, "model.", e.Defaults())
		}
	}
	if *verbose {
		fmt.Fprintln(w, "  every model: optimizer and learning rate")
		keys(w, "training.", &models.Training{})
	}
	fmt.Fprintln(w, "\nVariants of models (--model):")
	for _, name := range models.VariantNames() {
		v, _ := models.LookupVariant(name)
		fmt.Fprintf(w, "  %-18s%s\n", name, v.About)
	}
	fmt.Fprintln(w, "\nTasks (--task):")
	described := map[reflect.Type]string{}
	for _, name := range datasets.Names() {
		e, _ := datasets.Lookup(name)
		fmt.Fprintf(w, "  %-10s%s\n", name, e.About)
		if !*verbose {
			continue
		}
		settings := e.Defaults()
		if other, done := described[reflect.TypeOf(settings)]; done {
			fmt.Fprintf(w, "    settings as of %s\n", other)
			continue
		}
		described[reflect.TypeOf(settings)] = name
		describe(w, "task.", settings)
	}
	fmt.Fprintln(w, "\nPresets (--preset):")
	for _, name := range benchmarks.PresetNames() {
		preset, err := benchmarks.LoadPreset(name)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "  %-10s%s\n", name, preset.About)
	}
	if *verbose {
		fmt.Fprintln(w, "  protocol: what is trained for how long, and how it is judged")
		keys(w, "protocol.", &benchmarks.Protocol{})
		fmt.Fprintln(w, "\nA key may stand without its first part where that is clear: --set hops=5. Values of a\n"+
			"preset differ from these defaults; --print-config shows them.")
	}
	return nil
}
