package evaluate_test

import (
	"strings"
	"testing"

	"memobench/benchmarks/evaluate"
	"memobench/datasets/must"
	_ "memobench/datasets/pai"
	_ "memobench/models/memo"
)

// In a terminal a statement is checked when it is typed, and left out if it is wrong.
func TestAskChecksStatementsAsTheyAreTyped(t *testing.T) {
	a := must.Get(evaluate.OpenAsker("../recorded/pretrained/pai3-memo", evaluate.Options{}))(t)
	var out strings.Builder
	must.Do(t, a.Converse(strings.NewReader("tea cup\ncup\ncup shelf\nnail wall\ntea ? shelf moon\ntea ? shelf wall\n"), "standard input", &out, false, true))
	replies := strings.Split(out.String(), "> ")
	for i, want := range map[int]string{1: "", 2: `pair 2, "cup": 1 items, want 2, as in "A B"; this line is left out`, 3: "", 5: "no pair has moon; known: tea, cup, shelf, nail, wall", 6: "shelf ("} {
		if i >= len(replies) || !strings.Contains(replies[i], want) || want == "" && replies[i] != "" {
			t.Errorf("reply %d is not %q in\n%s", i, want, out.String())
		}
	}
}
