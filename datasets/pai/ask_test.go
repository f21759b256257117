package pai

import (
	"slices"
	"strings"
	"testing"

	"memobench/datasets"
	"memobench/internal/must"
)

func TestAskTakesTypedPairs(t *testing.T) {
	src := must.Get(New(*Defaults(3), datasets.Options{}))(t)
	var b datasets.Batch
	names := must.Get(src.Ask(&b, []string{"tea cup", "cup shelf", "nail wall"}, "tea ? shelf, wall"))(t)
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
		{[]string{"a b c"}, "a ? b c", `pair 1, "a b c": 3 items, want 2`},
		{[]string{"a b"}, "a ? b", `question "a ? b": 2 items, want 3`},
		{[]string{"a b", "c d"}, "a ? b moon", `question "a ? b moon": no pair has moon; known: a, b, c, d`},
		{nil, "a ? b c", "0 pairs, want 1 to 32"},
	} {
		if _, err := src.Ask(&b, bad.memory, bad.query); err == nil || !strings.Contains(err.Error(), bad.want) {
			t.Errorf("%v: error %v, want %q", bad, err, bad.want)
		}
		if err := src.CheckMemory(bad.memory); (err != nil) == strings.HasPrefix(bad.want, "question") {
			t.Errorf("%v: of the memory alone: %v", bad, err)
		}
	}
}
