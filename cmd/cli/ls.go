package cli

import (
	"fmt"
	"io"
	"math"
	"reflect"
	"slices"
	"strings"

	"memobench/benchmarks/config"
	"memobench/benchmarks/printable"
	"memobench/datasets"
	"memobench/models"
)

// ls lists models, tasks and presets.
func (p *program) ls(args []string) error {
	f := p.flags("ls [flags]",
		"List models, tasks and presets. With -v also every setting with its default and\nmeaning, as --set takes it.",
		[2]string{"ls", "the names"},
		[2]string{"ls -v", "the settings too"})
	verbose := f.BoolP("verbose", "v", false, "also every setting")
	if err := f.parse(args, ""); err != nil {
		return err
	}
	out, w := p.stdout, &strings.Builder{}
	// One width for all names, so that descriptions are aligned.
	width := 0
	for _, name := range slices.Concat(models.Names(), models.VariantNames(), datasets.Names(), config.PresetNames()) {
		width = max(width, len(name)+2)
	}
	line := func(name, about string) { fmt.Fprintf(w, "  %-*s%s\n", width, name, about) }
	fmt.Fprintln(w, "Models (--model):")
	for _, name := range models.Names() {
		e, _ := models.Lookup(name)
		line(name, e.About)
		if *verbose {
			describe(w, "model.", e.Defaults(), true)
		}
	}
	if *verbose {
		fmt.Fprintln(w, "  every model: optimizer and learning rate")
		describe(w, "training.", &models.Training{}, false)
	}
	fmt.Fprintln(w, "\nVariants of models (--model):")
	for _, name := range models.VariantNames() {
		v, _ := models.LookupVariant(name)
		line(name, v.About)
	}
	fmt.Fprintln(w, "\nTasks (--task):")
	described := map[reflect.Type]string{}
	for _, name := range datasets.Names() {
		e, _ := datasets.Lookup(name)
		line(name, e.About)
		if !*verbose {
			continue
		}
		settings := e.Defaults()
		if other, done := described[reflect.TypeOf(settings)]; done {
			fmt.Fprintf(w, "    settings as of %s\n", other)
			continue
		}
		described[reflect.TypeOf(settings)] = name
		describe(w, "task.", settings, true)
	}
	fmt.Fprintln(w, "\nPresets (--preset):")
	for _, name := range config.PresetNames() {
		preset, err := config.LoadPreset(name)
		if err != nil {
			return err
		}
		line(name, preset.About)
	}
	if *verbose {
		fmt.Fprintln(w, "  protocol: what is trained for how long, and how it is evaluated")
		describe(w, "protocol.", &config.Protocol{}, false)
		fmt.Fprintln(w, "\nA key may be given without its first part where that is clear: --set hops=5. Values of a\n"+
			"preset differ from these defaults; --print-config shows them.")
	}
	_, err := fmt.Fprint(out, printable.Wrap(w.String(), p.width(math.MaxInt), width))
	return err
}

// describe lists the settings of a configuration, one per line: key, default and meaning.
// Without defaults, each preset sets them.
func describe(w io.Writer, prefix string, settings any, defaults bool) {
	for _, s := range config.Settings(settings) {
		text := prefix + s.Key
		if defaults {
			text += "=" + s.Value
		}
		fmt.Fprintln(w, strings.TrimRight(fmt.Sprintf("    %-33s %s", text, s.Doc), " "))
	}
}
