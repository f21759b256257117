package babi

import (
	"strings"
	"testing"

	"memobench/datasets"
	"memobench/datasets/must"
)

func TestAskTakesTypedStories(t *testing.T) {
	src := must.Get(Open(*Defaults(), datasets.Options{DataPath: simulatedSource}))(t)
	var b datasets.Batch
	names := must.Get(src.ParseQuestion(&b, []string{"1 Mary went to the hallway.", "john moved to the Kitchen"}, "Where is Mary?"))(t)
	must.Do(t, b.Validate(src.Shape()))
	var text []string
	for _, ids := range [][]int32{b.Rows, b.Queries} {
		for _, id := range ids {
			if id != datasets.NoWord {
				text = append(text, names(id))
			}
		}
	}
	if got, want := strings.Join(text, " "), "mary went to the hallway john moved to the kitchen where is mary"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	for _, bad := range []struct {
		memory []string
		query  string
		want   string
	}{
		{[]string{"Mary went home."}, "Where is Mary?", `statement 1, "Mary went home.": the word "home" is not among`},
		{[]string{"Mary went to the hallway."}, "Where is Marry?", `question "Where is Marry?": the word "marry" is not among`},
		{[]string{"Mary went to the hallway."}, " ?", "0 words, want 1 to"},
		{make([]string, 400), "Where is Mary?", "400 statements, the model takes at most 320"},
	} {
		if _, err := src.ParseQuestion(&b, bad.memory, bad.query); err == nil || !strings.Contains(err.Error(), bad.want) {
			t.Errorf("%v: error %v, want %q", bad, err, bad.want)
		}
		if _, err := src.ParseQuestion(&b, bad.memory, ""); (err != nil) == (len(bad.memory) == 1 && strings.HasPrefix(bad.memory[0], "Mary went to the")) {
			t.Errorf("%v: of the memory alone: %v", bad, err)
		}
	}
}
