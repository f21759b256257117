package pai

import (
	"slices"
	"strings"
	"testing"

	"memobench/datasets"
	"memobench/datasets/must"
)

func TestExamplesArePrinted(t *testing.T) {
	b := datasets.Batch{
		RowWidth: 2, Rows: []int32{9, 8, 9, 9, 4, 5, 1, 2, 2, 3, 5, 6}, Offsets: []int{0, 2, 6},
		QueryWidth: 3, Queries: []int32{0, 0, 0, 1, 6, 3},
		Answers: 1, Targets: []int32{0, 3}, Kinds: []int32{0, 2},
		Choices: []int32{0, 1, 6, 3}, NumChoices: 2,
	}
	src := &Source{kinds: kinds(3)}
	want := strings.Join([]string{
		"A-C: 1 goes with 6 or 3? 3",
		"       4      5",
		"*      1      2",
		"*      2      3",
		"       5      6", ""}, "\n")
	var out strings.Builder
	if err := src.Print(&out, &b, 1); err != nil || out.String() != want {
		t.Errorf("%v, got\n%s\nwant\n%s", err, &out, want)
	}

	b.Items = &datasets.Items{Dim: 1, Data: make([]float32, 10)}
	out.Reset()
	if err := src.Print(&out, &b, 1); err != nil || !strings.HasPrefix(out.String(), "A-C: #1 goes with #6 or #3? #3 (answer 3)\n ") {
		t.Errorf("%v, got\n%s", err, &out)
	}
}

func TestAskTakesTypedPairs(t *testing.T) {
	src := must.Get(New(*Defaults(3), datasets.Options{}))(t)
	var b datasets.Batch
	names := must.Get(src.ParseQuestion(&b, []string{"tea cup", "cup shelf", "nail wall"}, "tea ? shelf, wall"))(t)
	must.Do(t, b.Validate(src.Shape()))
	if !slices.Equal(b.Rows, []int32{0, 1, 1, 2, 3, 4}) || !slices.Equal(b.Queries, []int32{0, 2, 4}) || !slices.Equal(b.Choices, []int32{2, 4}) {
		t.Errorf("rows %v, query %v, choices %v", b.Rows, b.Queries, b.Choices)
	}
	if names(2) != "shelf" || names(900) != "class 900" {
		t.Errorf("class 2 is %q, class 900 %q", names(2), names(900))
	}
	for _, bad := range []struct {
		memory      []string
		query, want string
	}{
		{[]string{"a b c"}, "a ? b c", `pair 1, "a b c": 3 items, want 2, as in "A B"`},
		{[]string{"a b"}, "a ? b", `question "a ? b": 2 items, want 3, as in "A ? B C"`},
		{[]string{"a b", "c d"}, "a ? b moon", `question "a ? b moon": no pair has moon; known: a, b, c, d`},
		{nil, "a ? b c", "0 pairs, want 1 to 32"},
	} {
		if _, err := src.ParseQuestion(&b, bad.memory, bad.query); err == nil || !strings.Contains(err.Error(), bad.want) {
			t.Errorf("%v: error %v, want %q", bad, err, bad.want)
		}
		if _, err := src.ParseQuestion(&b, bad.memory, ""); (err != nil) == strings.HasPrefix(bad.want, "question") {
			t.Errorf("%v: of the memory alone: %v", bad, err)
		}
	}
}
