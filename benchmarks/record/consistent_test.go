package record

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memobench/datasets/must"
)

// protocolSample returns a record that agrees with its protocol.
func protocolSample() *Record {
	r := sample()
	r.Protocol.Values = values{"steps": 100.0, "batch_size": 64.0, "test_per_kind": 600.0, "selection": "final", "task": "pai3",
		"settings": map[string]any{"classes": 100.0, "seed": 0.1}}
	r.Protocol.Hash = HashOf(r.Protocol.Values)
	return r
}

func TestConsistent(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*Record)
		want   string // of the error; empty for none
	}{
		"as it is":        {func(*Record) {}, ""},
		"another hash":    {func(r *Record) { r.Protocol.Hash = "5f1c09" }, "protocol.hash: 5f1c09, but protocol.values have the hash"},
		"another value":   {func(r *Record) { r.Protocol.Values["test_per_kind"] = 601.0 }, "the record was changed"},
		"another setting": {func(r *Record) { r.Protocol.Values["settings"].(map[string]any)["classes"] = 99.0 }, "the record was changed"},
		"no values":       {func(r *Record) { r.Protocol.Values = nil }, ""},
		"another task":    {func(r *Record) { r.Identity.Task = "pai4" }, "identity.task: pai4"},
	} {
		r := protocolSample()
		c.change(r)
		if err := r.consistent(); (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

// A seed that float64 would round keeps its digits, and so the hash follows.
func TestTheHashFollowsFromWhatWasRead(t *testing.T) {
	want := protocolSample()
	want.Protocol.Values["test_seed"] = uint64(18446744073709551615)
	want.Protocol.Values["settings"].(map[string]any)["small"] = 1e-7
	want.Protocol.Hash = HashOf(want.Protocol.Values)
	data := must.Get(want.Marshal())(t)
	got := must.Get(Parse(data))(t)
	if err := got.consistent(); err != nil {
		t.Error(err)
	}
	again := must.Get(got.Marshal())(t)
	if d := cmp.Diff(string(data), string(again)); d != "" {
		t.Errorf("written again (-first +again):\n%s", d)
	}
}
