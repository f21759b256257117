package gate

import (
	"fmt"
	"strings"
	"testing"
)

func TestAnnotations(t *testing.T) {
	a := bench("A-C", "accuracy", high...) + bench("A-B", "accuracy", noisy...)
	b := bench("A-C", "accuracy", low...) + bench("A-B", "accuracy", 90, 99, 84, 95, 96)
	r := check(t, a, b, Defaults())
	var out strings.Builder
	if err := r.GitHub(&out); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 3 || !strings.HasPrefix(lines[0], "::error title=memobench%3A accuracy regressed::pai3 memo A-C accuracy: drop of 3.00") ||
		!strings.HasPrefix(lines[1], "::warning title=memobench%3A too few runs to tell::pai3 memo A-B accuracy: ") ||
		lines[2] != "::notice title=memobench%3A regression gate::FAIL: 2 cells judged, 1 fail, 1 inconclusive" {
		t.Errorf("%s", out.String())
	}
	// GitHub shows ten of a kind: the tenth counts the rest.
	a, b = "", ""
	for i := range 14 {
		a, b = a+bench(fmt.Sprint("k", i), "accuracy", high...), b+bench(fmt.Sprint("k", i), "accuracy", low...)
	}
	out.Reset()
	if err := check(t, a, b, Defaults()).GitHub(&out); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(out.String(), "::error "); n != 10 || !strings.Contains(out.String(), "::and 5 more: see the log\n") {
		t.Errorf("%d errors:\n%s", n, out.String())
	}
}
