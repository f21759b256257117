package evaluate

import (
	"slices"
	"strings"
	"testing"
)

func TestAnAxisIsASettingWithValues(t *testing.T) {
	for text, want := range map[string]Axis{
		"length=3,4,5":       {"length", []string{"3", "4", "5"}},
		"task.rows=shuffled": {"rows", []string{"shuffled"}},
		" noise = 1 , 2.5 ":  {"noise", []string{"1", "2.5"}},
	} {
		if got, err := ParseAxis(text); err != nil || got.Setting != want.Setting || !slices.Equal(got.Values, want.Values) {
			t.Errorf("%q gives %v (%v), want %v", text, got, err, want)
		}
	}
	for text, want := range map[string]string{
		"length":        "want a setting of the task and its values",
		"=3":            "want a setting",
		"task.=3":       "want a setting",
		"length=":       `the value "" is empty`,
		"length=3,,4":   `the value "" is empty`,
		"length=3,4, 3": `the value "3" is empty or given twice`,
	} {
		if got, err := ParseAxis(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q gives %v (%v), want %s", text, got, err, want)
		}
	}
}

// Whatever is read is written as the same again.
func FuzzParseAxis(f *testing.F) {
	for _, seed := range []string{"length=3,4,5", "task.rows=shuffled", " noise = 1 , 2.5 ", "length", "=", "a=,"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		a, err := ParseAxis(text)
		if err != nil {
			return
		}
		again, err := ParseAxis("task." + a.Setting + "=" + strings.Join(a.Values, ","))
		if err != nil || again.Setting != a.Setting || !slices.Equal(again.Values, a.Values) || len(a.Values) == 0 {
			t.Fatalf("%q is %+v, and that %+v (%v)", text, a, again, err)
		}
	})
}
