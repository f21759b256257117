package record

import (
	"runtime/debug"
	"testing"
)

func TestVersionOf(t *testing.T) {
	vcs := func(commit, modified string) []debug.BuildSetting {
		return []debug.BuildSetting{{Key: "vcs.revision", Value: commit}, {Key: "vcs.modified", Value: modified}}
	}
	for want, info := range map[string]debug.BuildInfo{
		"0123456789ab":       {Settings: vcs("0123456789abcdef", "false")},
		"0123456789ab+dirty": {Settings: vcs("0123456789abcdef", "true")},
		"v1.2.3":             {Main: debug.Module{Version: "v1.2.3"}},
		"unknown":            {Main: debug.Module{Version: "(devel)"}},
	} {
		if got := versionOf(&info); got != want {
			t.Errorf("version %q, want %q", got, want)
		}
	}
	if h := Host("gonum"); h.BLAS != "gonum" || h.Cores < 1 || h.Go == "" {
		t.Errorf("incomplete host: %+v", h)
	}
}
