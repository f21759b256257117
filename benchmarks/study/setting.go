package study

import (
	"encoding"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/goccy/go-yaml"

	"memobench/benchmarks/record"
	"memobench/datasets"
)

// Setting is one field of a configuration.
type Setting struct {
	Key      string
	Doc      string // one line
	value    reflect.Value
	optional bool   // omitted from files and hashes if zero
	legacy   string // its value in files that were written before it existed; "" for none
}

func (s *Setting) omitted() bool { return s.optional && s.value.IsZero() }

// Text returns the value in the form that --set takes.
func (s *Setting) Text() string {
	v := reflect.Indirect(s.value)
	switch {
	case !v.IsValid():
		return "off"
	case v.Kind() == reflect.Struct || v.Kind() == reflect.Slice && v.Len() > 0:
		if data, err := yaml.MarshalWithOptions(v.Interface(), yaml.Flow(true)); err == nil {
			return strings.TrimSpace(string(data))
		}
	}
	return fmt.Sprint(v.Interface())
}

// Settings lists the settings of config, a pointer to a struct, in order.
func Settings(config any) (list []Setting) {
	v := reflect.ValueOf(config).Elem()
	fields, known := fieldsOf.Load(v.Type())
	if !known {
		fields, _ = fieldsOf.LoadOrStore(v.Type(), settingFields(v.Type()))
	}
	for _, f := range fields.([]settingField) {
		f.value = v.FieldByIndex(f.index)
		list = append(list, f.Setting)
	}
	return list
}

// settingField is a Setting without a value, and its field.
type settingField struct {
	Setting
	index []int
}

// fieldsOf caches settingFields by type: a study reads the settings of thousands of values.
var fieldsOf sync.Map

// settingFields lists the settings of a struct, those of embedded structs among them.
func settingFields(t reflect.Type) (list []settingField) {
	for _, f := range reflect.VisibleFields(t) {
		key, option, _ := strings.Cut(f.Tag.Get("yaml"), ",")
		if !f.Anonymous && f.IsExported() && key != "" && key != "-" {
			list = append(list, settingField{Setting{Key: key, Doc: f.Tag.Get("doc"), optional: option == "omitempty", legacy: f.Tag.Get("legacy")}, f.Index})
		}
	}
	return list
}

func keysOf(config any) (keys []string) {
	for _, s := range Settings(config) {
		keys = append(keys, s.Key)
	}
	return keys
}

func setKey(config any, key, text string) error {
	for _, s := range Settings(config) {
		if s.Key == key {
			if err := setText(s.value, text); err != nil {
				return fmt.Errorf("%s = %s: %w", key, text, err)
			}
			return nil
		}
	}
	return &datasets.UnknownError{What: "key", Name: key, Known: keysOf(config)}
}

// SetTask changes one of a task's settings, a pointer to a struct from
// datasets.Entry.Defaults, by "key=value", in which the key may have the prefix "task.". It
// works like Study.Set.
func SetTask(settings any, arg string) error {
	arg = partTask + "." + strings.TrimPrefix(strings.TrimSpace(arg), partTask+".")
	return (&Study{Experiments: []*Experiment{{Settings: settings}}}).Set(arg)
}

// Changed returns a copy of a configuration, a pointer to a struct, with one setting
// changed, and the text of the setting's value before and after.
func Changed[T any](config T, key, text string) (changed T, before, after string, err error) {
	changed = clone(config)
	if err := setKey(changed, key, text); err != nil {
		return config, "", "", err
	}
	was, now := Settings(config), Settings(changed)
	i := slices.IndexFunc(was, func(s Setting) bool { return s.Key == key })
	return changed, was[i].Text(), now[i].Text(), nil
}

// setLegacy gives the settings that a file lacks their legacy values. named has the keys
// of the file.
func setLegacy(config any, named []string) error {
	for _, s := range Settings(config) {
		if s.legacy != "" && !slices.Contains(named, s.Key) {
			if err := setText(s.value, s.legacy); err != nil {
				return fmt.Errorf("%s, missing: %w", s.Key, err)
			}
		}
	}
	return nil
}

// complete reports whether named has all settings of config without a legacy value: then
// the file is of a run, which has every setting, and not a preset.
func complete(config any, named []string) bool {
	missing := func(s Setting) bool { return s.legacy == "" && !slices.Contains(named, s.Key) }
	return !slices.ContainsFunc(Settings(config), missing)
}

// setText parses text by the type of v. Unlike a YAML decoder it refuses a fraction
// for an integer, NaN and infinities. Structures are given in YAML's flow form; "off"
// clears an optional one.
func setText(v reflect.Value, text string) error {
	if u, ok := v.Addr().Interface().(encoding.TextUnmarshaler); ok {
		return u.UnmarshalText([]byte(text))
	}
	digits := strings.ReplaceAll(text, "_", "")
	switch v.Kind() {
	case reflect.Int, reflect.Int64:
		n, err := strconv.ParseInt(digits, 10, 64)
		if err != nil || v.OverflowInt(n) {
			return fmt.Errorf("want a whole number")
		}
		v.SetInt(n)
	case reflect.Uint64:
		n, err := strconv.ParseUint(digits, 10, 64)
		if err != nil {
			return fmt.Errorf("want a whole number, 0 or more")
		}
		v.SetUint(n)
	case reflect.Float64:
		x, err := strconv.ParseFloat(text, 64)
		if err != nil || !record.Finite(x) {
			return fmt.Errorf("want a number")
		}
		v.SetFloat(x)
	case reflect.Bool:
		if text != "true" && text != "false" {
			return fmt.Errorf("want true or false")
		}
		v.SetBool(text == "true")
	case reflect.String:
		v.SetString(text)
	default:
		return setStructure(v, text)
	}
	return nil
}

// setStructure is setText for a list, a mapping or a pointer.
func setStructure(v reflect.Value, text string) error {
	if (v.Kind() == reflect.Pointer || v.Kind() == reflect.Slice) && (text == "off" || text == "null") {
		v.SetZero()
		return nil
	}
	t := v.Type()
	if v.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	fresh := reflect.New(t)
	if err := decodeYAML([]byte(text), fresh.Interface()); err != nil {
		return err
	}
	if v.Kind() != reflect.Pointer {
		fresh = fresh.Elem()
	}
	if v.Set(fresh); v.Kind() == reflect.Slice && v.Len() == 0 {
		v.SetZero() // as not set
	}
	return nil
}

// Values returns the settings of a configuration by key, for records and hashes, without
// optional ones that are not set.
func Values(config any) map[string]any {
	m := map[string]any{}
	for _, s := range Settings(config) {
		if !s.omitted() {
			m[s.Key] = reflect.Indirect(s.value).Interface()
		}
	}
	return m
}

// withoutLegacy is Values without the settings that have their legacy value, so that
// hashes do not change when a setting is added.
func withoutLegacy(config any) map[string]any {
	m := Values(config)
	for _, s := range Settings(config) {
		if s.legacy != "" && fmt.Sprint(m[s.Key]) == s.legacy {
			delete(m, s.Key)
		}
	}
	return m
}

// clone returns a pointer to a shallow copy of the struct that config points to. What
// configurations point to is never changed.
func clone[T any](config T) T {
	v := reflect.ValueOf(config).Elem()
	out := reflect.New(v.Type())
	out.Elem().Set(v)
	return out.Interface().(T)
}

// firstNames lists the settings that had another name, or other values, when the first runs
// were recorded. Hashes use those, so that the hashes of these runs are still right.
var firstNames = []struct {
	first, present string
	values         map[string]string // first values by present ones; nil where they are the same
}{
	{"start", "init", nil},
	{"hold", "plateau_fraction", nil},
	{"feedback", "teacher_forcing", map[string]string{"true": "truth", "false": "predicted"}},
}

// Hash returns the hash of everything that decides the cell's result except the contents
// of the data and the machine. It omits names, labels, and later settings with their
// legacy value, and uses the first names of settings.
func (c *Cell) Hash() string {
	training := withFirstNames(Values(&c.Training))
	if phases := slices.Clone(c.Training.Phases); len(phases) > 0 {
		for i, p := range phases {
			phases[i].Config, phases[i].Training = withFirstNames(p.Config), withFirstNames(p.Training)
		}
		training["phases"] = phases
	}
	return record.HashOf(map[string]any{
		"protocol": c.Protocol.Values(c.Task, c.Settings), "model": c.Model,
		"config":   withFirstNames(withoutLegacy(c.Config)),
		"training": training, "seed": c.Seed,
	})
}

// withFirstNames returns settings, whose values are of type any or string, under their first
// names.
func withFirstNames[V any](settings map[string]V) map[string]V {
	out := maps.Clone(settings)
	for _, n := range firstNames {
		value, ok := settings[n.present]
		if !ok {
			continue
		}
		delete(out, n.present)
		out[n.first] = value
		if first, ok := n.values[fmt.Sprint(value)]; ok {
			out[n.first] = any(first).(V)
		}
	}
	return out
}
