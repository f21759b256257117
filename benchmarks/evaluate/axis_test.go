package evaluate

import (
	"slices"
	"strings"
	"testing"
)

// Whatever is read is written as the same again.
func FuzzParseAxis(f *testing.F) {
	for text, want := range map[string]string{
		"length=3,4,5": "length=3,4,5", "task.rows=shuffled": "rows=shuffled", " noise = 1 , 2.5 ": "noise=1,2.5",
		"length": "", "=3": "", "length=": "", "length=3,,4": "", "length=3,4, 3": "",
	} {
		f.Add(text)
		if a, err := ParseAxis(text); (err == nil) != (want != "") || err == nil && a.Setting+"="+strings.Join(a.Values, ",") != want {
			f.Errorf("%q gives %v (%v), want %q", text, a, err, want)
		}
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
