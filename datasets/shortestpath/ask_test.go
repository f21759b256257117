package shortestpath

import (
	"slices"
	"strings"
	"testing"

	"memobench/datasets"
	"memobench/internal/must"
)

func TestAskTakesTypedEdges(t *testing.T) {
	src := must.Get(New(*Defaults(20, 3, 3), datasets.Options{}))(t)
	var b datasets.Batch
	must.Get(src.Ask(&b, []string{"0 1", "1 -> 2"}, "0 ? 2"))(t)
	must.Do(t, b.Validate(src.Shape()))
	if !slices.Equal(b.Rows, []int32{0, 1, 1, 2}) || !slices.Equal(b.Queries, []int32{0, 2}) {
		t.Errorf("rows %v, query %v", b.Rows, b.Queries)
	}
	for _, bad := range []struct {
		memory      []string
		query, want string
	}{
		{[]string{"0 1000"}, "0 2", `edge 1, "0 1000": node "1000", want a number from 0 to`},
		{[]string{"0 1"}, "0 a", `question "0 a": node "a"`},
		{[]string{"0"}, "0 1", "1 nodes, want 2"},
		{nil, "0 1", "0 edges, want 1 to"},
	} {
		if _, err := src.Ask(&b, bad.memory, bad.query); err == nil || !strings.Contains(err.Error(), bad.want) {
			t.Errorf("%v: error %v, want %q", bad, err, bad.want)
		}
		if err := src.CheckMemory(bad.memory); (err != nil) == strings.HasPrefix(bad.want, "question") {
			t.Errorf("%v: of the memory alone: %v", bad, err)
		}
	}
}
