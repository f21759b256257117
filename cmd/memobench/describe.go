package main

import (
	"fmt"
	"io"
	"reflect"
	"strings"
)

// describe lists the settings of a configuration, a pointer to a struct with
// yaml and doc tags: key, default and meaning, one a line.
func describe(w io.Writer, prefix string, config any) { list(w, prefix, config, true) }

// keys lists them without defaults, which each preset sets.
func keys(w io.Writer, prefix string, config any) { list(w, prefix, config, false) }

func list(w io.Writer, prefix string, config any, defaults bool) {
	v := reflect.Indirect(reflect.ValueOf(config))
	for i := range v.NumField() {
		field := v.Type().Field(i)
		key, _, _ := strings.Cut(field.Tag.Get("yaml"), ",")
		if key == "" || key == "-" || !field.IsExported() {
			continue
		}
		text := prefix + key
		if defaults {
			text += fmt.Sprintf("=%v", v.Field(i).Interface())
		}
		fmt.Fprintln(w, strings.TrimRight(fmt.Sprintf("    %-33s %s", text, field.Tag.Get("doc")), " "))
	}
}
