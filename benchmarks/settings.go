package benchmarks

import (
	"encoding"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"

	"memobench/benchmarks/suggest"
)

// Configurations (of a model, a task, training, a protocol) are structs whose
// exported fields carry yaml tags. The functions here read and set them by key,
// for presets, overrides, checkpoints and records alike, so that a key means
// the same and is checked the same everywhere. A setting that came later has a tag
// legacy: its value in files that were written before (setLegacy).

// setting is one field of a configuration.
type setting struct {
	key      string
	value    reflect.Value
	optional bool   // left out where it has its zero value
	legacy   string // "" for none
}

// unset reports whether the setting is left out of files and hashes.
func (s *setting) unset() bool { return s.optional && s.value.IsZero() }

// settingsOf lists the settings of config, a pointer to a struct, in order.
func settingsOf(config any) []setting {
	v := reflect.ValueOf(config).Elem()
	var list []setting
	for i := range v.NumField() {
		f := v.Type().Field(i)
		key, option, _ := strings.Cut(f.Tag.Get("yaml"), ",")
		if f.IsExported() && key != "" && key != "-" {
			list = append(list, setting{key, v.Field(i), option == "omitempty", f.Tag.Get("legacy")})
		}
	}
	return list
}

// keysOf lists the keys of config.
func keysOf(config any) []string {
	var keys []string
	for _, s := range settingsOf(config) {
		keys = append(keys, s.key)
	}
	return keys
}

// hasKey reports whether config has the key.
func hasKey(config any, key string) bool {
	for _, s := range settingsOf(config) {
		if s.key == key {
			return true
		}
	}
	return false
}

// setKey sets one setting of config from text.
func setKey(config any, key, text string) error {
	for _, s := range settingsOf(config) {
		if s.key == key {
			if err := setText(s.value, text); err != nil {
				return fmt.Errorf("%s = %s: %w", key, text, err)
			}
			return nil
		}
	}
	return &suggest.UnknownError{What: "key", Name: key, Known: keysOf(config)}
}

// setLegacy gives the settings of config that a file was written without the values
// that they had then. named reports whether the file names a key.
func setLegacy(config any, named func(key string) bool) error {
	for _, s := range settingsOf(config) {
		if s.legacy != "" && !named(s.key) {
			if err := setText(s.value, s.legacy); err != nil {
				return fmt.Errorf("%s, missing: %w", s.key, err)
			}
		}
	}
	return nil
}

// complete reports whether named holds for all settings of config but those that
// came later: then they are of a run, whose files name every setting, and not of
// a preset.
func complete(config any, named func(key string) bool) bool {
	for _, s := range settingsOf(config) {
		if s.legacy == "" && !named(s.key) {
			return false
		}
	}
	return true
}

// setText parses text by the type of v. Unlike a YAML decoder it takes no
// fraction for a whole number and no number that is not finite. Structures are
// given in YAML's flow form; "off" clears an optional one.
func setText(v reflect.Value, text string) error {
	if u, ok := v.Addr().Interface().(encoding.TextUnmarshaler); ok {
		return u.UnmarshalText([]byte(text))
	}
	switch v.Kind() {
	case reflect.Int, reflect.Int64:
		n, err := strconv.ParseInt(strings.ReplaceAll(text, "_", ""), 10, 64)
		if err != nil || v.OverflowInt(n) {
			return fmt.Errorf("want a whole number")
		}
		v.SetInt(n)
	case reflect.Uint64:
		n, err := strconv.ParseUint(strings.ReplaceAll(text, "_", ""), 10, 64)
		if err != nil {
			return fmt.Errorf("want a whole number, 0 or more")
		}
		v.SetUint(n)
	case reflect.Float64:
		x, err := strconv.ParseFloat(text, 64)
		if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
			return fmt.Errorf("want a number")
		}
		v.SetFloat(x)
	case reflect.Bool:
		switch text {
		case "true":
			v.SetBool(true)
		case "false":
			v.SetBool(false)
		default:
			return fmt.Errorf("want true or false")
		}
	case reflect.String:
		v.SetString(text)
	case reflect.Pointer:
		fresh := reflect.New(v.Type().Elem())
		switch text {
		case "off", "null":
			v.SetZero()
			return nil
		}
		if err := DecodeYAML([]byte(text), fresh.Interface()); err != nil {
			return err
		}
		v.Set(fresh)
	default:
		fresh := reflect.New(v.Type())
		if v.Kind() == reflect.Slice && (text == "off" || text == "null") {
			v.SetZero()
			return nil
		}
		if err := DecodeYAML([]byte(text), fresh.Interface()); err != nil {
			return err
		}
		v.Set(fresh.Elem())
	}
	return nil
}

// mapOf returns the settings of config by key, of optional ones those that are
// set.
func mapOf(config any) map[string]any {
	m := map[string]any{}
	for _, s := range settingsOf(config) {
		if s.unset() {
			continue
		}
		m[s.key] = reflect.Indirect(s.value).Interface()
	}
	return m
}

// withoutLegacy is mapOf without the settings that have their legacy value.
func withoutLegacy(config any) map[string]any {
	m := mapOf(config)
	for _, s := range settingsOf(config) {
		if s.legacy != "" && fmt.Sprint(m[s.key]) == s.legacy {
			delete(m, s.key)
		}
	}
	return m
}

// clone returns a pointer to a copy of the struct that config points to.
// Configurations hold plain values; what they point to is never changed.
func clone(config any) any {
	v := reflect.ValueOf(config).Elem()
	out := reflect.New(v.Type())
	out.Elem().Set(v)
	return out.Interface()
}
