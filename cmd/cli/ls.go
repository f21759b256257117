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
		describe(w, "task.", settings)
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
		keys(w, "protocol.", &config.Protocol{})
		fmt.Fprintln(w, "\nA key may be given without its first part where that is clear: --set hops=5. Values of a\n"+
			"preset differ from these defaults; --print-config shows them.")
	}
	_, err := fmt.Fprint(out, printable.Wrap(w.String(), p.width(math.MaxInt), width))
	return err
}

// describe lists the settings of a configuration, a pointer to a struct with yaml and doc
// tags: key, default and meaning, one per line.
func describe(w io.Writer, prefix string, config any) { list(w, prefix, config, true) }

// keys lists settings without defaults, since each preset sets them.
func keys(w io.Writer, prefix string, config any) { list(w, prefix, config, false) }

func list(w io.Writer, prefix string, config any, defaults bool) {
	v := reflect.Indirect(reflect.ValueOf(config))
	for i := range v.NumField() {
		field := v.Type().Field(i)
		if field.Anonymous { // settings that several configurations share
			list(w, prefix, v.Field(i).Interface(), defaults)
			continue
		}
		key, _, _ := strings.Cut(field.Tag.Get("yaml"), ",")
		if key == "" || key == "-" || !field.IsExported() {
			continue
		}
		text := prefix + key
		if defaults {
			text += "=" + shown(v.Field(i))
		}
		fmt.Fprintln(w, strings.TrimRight(fmt.Sprintf("    %-33s %s", text, field.Tag.Get("doc")), " "))
	}
}

// shown prints a default in the form of --set: an optional setting is off.
func shown(v reflect.Value) string {
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return "off"
		}
		v = v.Elem()
	}
	return fmt.Sprint(v.Interface())
}
