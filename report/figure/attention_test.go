package figure

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memobench/benchmarks/evaluate/trace"
)

func TestShades(t *testing.T) {
	tr := &trace.Trace{Query: "A-C: 1 goes with 3 or 6? 3", Rows: []string{"1 2", "22 33", "5 6"},
		Answers: []trace.Answer{{Target: "3", Given: "6", Hops: [][][]float64{{{1, 0, 0}, {0.5, 0.5, 0}}, {{0, 1, 0}, {0.2, 0.2, 0.6}}}}}}
	want := []string{
		"A-C: 1 goes with 3 or 6? 3",
		"Answer after 2 hops: 6 (wrong, right is 3).",
		"  row  memory  hop 1    hop 2",
		"    1  1 2     ***  75       10",
		"    2  22 33   ...  25  ***  60",
		"    3  5 6           0  ...  30",
		"Attention in per cent, mean over 2 heads.",
	}
	got := Shades(tr, true)
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if unicode := strings.Join(Shades(tr, false), "\n"); !strings.Contains(unicode, "▓▓▓  75") {
		t.Errorf("%s", unicode)
	}
}

// Of a long memory the rows that are looked at most are shown, in their order.
func TestALongMemoryIsCutToWhatIsLookedAt(t *testing.T) {
	tr := &trace.Trace{Answers: []trace.Answer{{Hops: [][][]float64{{make([]float64, 100)}}}}}
	for range 100 {
		tr.Rows = append(tr.Rows, "row")
	}
	w := tr.Answers[0].Hops[0][0]
	w[90], w[17], w[99] = 0.5, 0.3, 0.2
	rows := shownRows(tr)
	if len(rows) != maxRows || rows[maxRows-1] != 99 || rows[maxRows-2] != 90 {
		t.Errorf("%v", rows)
	}
	if !slices.IsSorted(rows) || !slices.Contains(rows, 17) {
		t.Errorf("not in order, or without row 17: %v", rows)
	}
}
