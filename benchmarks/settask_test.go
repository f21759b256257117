package benchmarks

import (
	"errors"
	"strings"
	"testing"

	"memobench/benchmarks/suggest"
)

func TestSetTask(t *testing.T) {
	type settings struct {
		Rows  string `yaml:"rows"`
		Nodes int    `yaml:"nodes"`
	}
	s := settings{"shuffled", 10}
	for _, arg := range []string{"rows=generation", " task.nodes = 12"} {
		if err := SetTask(&s, arg); err != nil {
			t.Fatal(err)
		}
	}
	if want := (settings{"generation", 12}); s != want {
		t.Errorf("%+v, want %+v", s, want)
	}
	for arg, want := range map[string]string{
		"rows": "want key=value", "=3": "want key=value", "nodes=many": "want a whole number", "ndoes=3": `did you mean "nodes"`,
	} {
		err := SetTask(&s, arg)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), arg) {
			t.Errorf("%s: %v, want ...%s...", arg, err, want)
		}
		var unknown *suggest.UnknownError
		if errors.As(err, &unknown) != (arg == "ndoes=3") {
			t.Errorf("%s: %T", arg, err)
		}
	}
}
