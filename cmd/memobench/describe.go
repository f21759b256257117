package main

import (
	"fmt"
	"io"
	"reflect"
	"strings"
)

// describe lists the settings of a configuration, a pointer to a struct with
// yaml and doc tags: key, default and meaning, one a line.
func describe(w io.Writer, prefix string, config any) {
	v := reflect.Indirect(reflect.ValueOf(config))
	if v.Kind() != reflect.Struct {
		return
	}
	for i := range v.NumField() {
		field := v.Type().Field(i)
		key, _, _ := strings.Cut(field.Tag.Get("yaml"), ",")
		if key == "" || key == "-" || !field.IsExported() {
			continue
		}
		value := fmt.Sprint(v.Field(i).Interface())
		if value == "" {
			value = `""`
		}
		fmt.Fprintf(w, "    %-38s%s\n", fmt.Sprintf("%s%s=%s", prefix, key, value), field.Tag.Get("doc"))
	}
}
