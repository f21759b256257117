package benchmarks

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A preset that was rendered has the same texts when it is read, whatever YAML
// would take them for.
func TestTextsSurviveRendering(t *testing.T) {
	for _, s := range []string{
		"plain", "a: b", "x # y", "a, b", " lead", "trail ", "\ttab", "a\nb", "a\rb", "a\n", "\n", "\x01", "\x7f", "\u2028", "\ufeffa", "é",
		"~", "null", "true", "1e3", "1_000", ".nan", ".inf", "2001-01-01", "- a", "-", "? x", ": a", "a:", "*a", "&a", "!t", "{a", "[a",
		`"`, "'", `a'b"c`, `\n`, "|", ">", "%a", "@a", "`a", "#x", "---", "...", "<<",
	} {
		c := toyCell(t, "task.note="+s)
		c.Labels, c.Title = []string{s}, s
		data, err := c.YAML()
		if err != nil {
			t.Errorf("%q: %v", s, err)
			continue
		}
		p, err := ParsePreset(c.Preset, data)
		if err != nil {
			t.Errorf("%q: %v\n%s", s, err, data)
			continue
		}
		if d := cmp.Diff([]Cell{c}, p.Cells()); d != "" {
			t.Errorf("%q (-before +after):\n%s\n%s", s, d, data)
		}
	}
}
