package datasets

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// SettingError is a setting whose value is not allowed.
type SettingError struct {
	Key   string // as in YAML, for example "sequences"
	Value any    // as given
	Want  string // the allowed range, for example "2 to 4096"
}

func (e *SettingError) Error() string {
	if s, ok := e.Value.(string); ok {
		return fmt.Sprintf("setting %s = %q: want %s", e.Key, s, e.Want)
	}
	return fmt.Sprintf("setting %s = %v: want %s", e.Key, e.Value, e.Want)
}

// BadSetting returns a *SettingError; want is a format.
func BadSetting(key string, value any, want string, args ...any) error {
	return &SettingError{Key: key, Value: value, Want: fmt.Sprintf(want, args...)}
}

// CheckSettings returns a *SettingError for the first setting of a task whose value is outside its
// range tag (see CheckRange) or, unless shifted, is set although it has a tag such as
//
//	training:"0 in training"
//
// Such a setting is only for evaluation under distribution shift.
func CheckSettings(settings any, shifted bool) error {
	v := reflect.ValueOf(settings).Elem()
	for _, f := range reflect.VisibleFields(v.Type()) {
		value := v.FieldByIndex(f.Index)
		e := CheckRange(f, value)
		if want, ok := f.Tag.Lookup("training"); e == nil && ok && !shifted && !value.IsZero() {
			e = settingError(f, value, want+"; memobench generalize evaluates other values")
		}
		if e != nil {
			return e
		}
	}
	return nil
}

// CheckRange returns an error if the value of a setting is outside its range tag:
//
//	range:"auto, on, off"
//	range:"fixed or uniform"
//	range:"1 or more"
//	range:"above 0 to below 1"
//
// Numbers must be finite. A pointer may be nil.
func CheckRange(f reflect.StructField, v reflect.Value) *SettingError {
	if want, ok := f.Tag.Lookup("range"); ok && !within(reflect.Indirect(v), want) {
		return settingError(f, v, want)
	}
	return nil
}

func settingError(f reflect.StructField, v reflect.Value, want string) *SettingError {
	key, _, _ := strings.Cut(f.Tag.Get("yaml"), ",")
	return &SettingError{key, reflect.Indirect(v).Interface(), want}
}

// within reports whether a value is in a range.
func within(v reflect.Value, want string) bool {
	var x float64
	switch v.Kind() {
	case reflect.Invalid: // a nil pointer
		return true
	case reflect.String:
		return slices.Contains(strings.Split(strings.ReplaceAll(want, " or ", ", "), ", "), v.String())
	case reflect.Int:
		x = float64(v.Int())
	default:
		x = v.Float()
	}
	low, high, bounded := strings.Cut(strings.TrimSuffix(want, " or more"), " to ")
	low, above := strings.CutPrefix(low, "above ")
	high, below := strings.CutPrefix(high, "below ")
	least, most := bound(low), math.MaxFloat64
	if bounded {
		most = bound(high)
	}
	return x >= least && x <= most && !(above && x == least) && !(below && x == most)
}

// bound parses a bound of a range, which may have words behind it; "finite" means no bounds.
func bound(text string) float64 {
	if text == "finite" {
		return -math.MaxFloat64
	}
	number, _, _ := strings.Cut(strings.TrimSuffix(text, ", or off"), " ")
	x, err := strconv.ParseFloat(number, 64)
	if err != nil {
		panic(fmt.Sprintf("datasets: %q is no bound of a range", text))
	}
	return x
}
