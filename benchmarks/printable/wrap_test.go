package printable

import "testing"

func TestWrapBreaksBetweenWords(t *testing.T) {
	for _, c := range []struct {
		text        string
		width, hang int
		want        string
	}{
		{"short\nlines stay", 10, 2, "short\nlines stay"},
		{"one two three four", 9, 0, "one two\nthree\nfour"},
		{"  run   train and compare", 16, 6, "  run   train\n        and\n        compare"},
		{"a incomprehensibilities b", 10, 1, "a\n incomprehensibilities\n b"},
		{"ä ö ü ß", 7, 0, "ä ö ü ß"},
		{"ä ö ü ß", 3, 0, "ä ö\nü ß"},
		{"", 5, 0, ""},
	} {
		if got := Wrap(c.text, c.width, c.hang); got != c.want {
			t.Errorf("Wrap(%q, %d, %d) = %q, want %q", c.text, c.width, c.hang, got, c.want)
		}
	}
	if got, want := WrapCommand("run --seed 1 --out x", 12, 2), "run --seed \\\n  1 --out x"; got != want {
		t.Errorf("WrapCommand: %q, want %q", got, want)
	}
}
