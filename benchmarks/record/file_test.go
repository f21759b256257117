package record

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"syscall"
	"testing"

	"memobench/datasets/binfile"
	"memobench/datasets/must"
)

// Reading the files below a directory always ends: special files are not opened, and no
// file is read beyond its limit.
func TestOnlyRegularFilesOfBoundedSizeAreRead(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	if err := syscall.Mkfifo(at("pipe"), 0o600); err != nil {
		t.Skip(err)
	}
	for link, target := range map[string]string{"zero": "/dev/zero", "link": at("pipe"), "good": at("file"), "nowhere": at("none")} {
		must.Do(t, os.Symlink(target, at(link)))
	}
	must.Do(t, os.WriteFile(at("file"), []byte("{}"), 0o644))
	huge := must.Get(os.Create(at("huge")))(t)
	must.Do(t, huge.Truncate(MaxSize+1))
	huge.Close()
	for name, want := range map[string]string{
		"pipe": "pipe is a named pipe, want a regular file", "link": "link is a named pipe", "zero": "zero is a device",
		"huge": "huge is larger than 16 MiB", "nowhere": "no such file", ".": "is a directory",
	} {
		if _, err := ReadFile(at(name)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one with %q", name, err, want)
		}
	}
	if data, err := binfile.ReadFile(at("good"), 2); err != nil || string(data) != "{}" {
		t.Errorf("a link to a file: %q, %v", data, err)
	}
	if _, err := binfile.ReadFile(at("good"), 1); err == nil {
		t.Error("two bytes are within a limit of one")
	}
}

func TestRecordsStateTheirOrigin(t *testing.T) {
	for _, origin := range []Origin{Trained, Evaluated, Scored} {
		r := sample()
		r.Origin = origin
		again := must.Get(Parse(must.Get(r.Marshal())(t)))(t)
		if again.Origin != origin {
			t.Errorf("origin %q is read as %q", origin, again.Origin)
		}
	}
	for _, other := range []Origin{"", "guessed"} {
		r := sample()
		r.Origin = other
		if _, err := r.Marshal(); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("origin: %q is none of", other)) {
			t.Errorf("error %v", err)
		}
	}
}

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
