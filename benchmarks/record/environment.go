package record

import (
	"os"
	"runtime"
	"runtime/debug"
	"strings"
)

// Environment says which code ran where.
type Environment struct {
	Code     string `json:"code" doc:"version of the program: module version, or commit, with +dirty for uncommitted changes"`
	Go       string `json:"go" doc:"Go release"`
	OS       string `json:"os" doc:"operating system (GOOS)"`
	Arch     string `json:"arch" doc:"architecture (GOARCH)"`
	BLAS     string `json:"blas" doc:"BLAS"`
	CPU      string `json:"cpu" doc:"processor model as the system names it; empty when it does not"`
	Cores    int    `json:"cores" doc:"logical processors"`
	MaxProcs int    `json:"max_procs" doc:"processors that the program used at most (GOMAXPROCS)"`
}

// Host describes this process; blas names the BLAS in use.
func Host(blas string) Environment {
	return Environment{
		Code: CodeVersion(), Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH,
		BLAS: blas, CPU: cpuModel(), Cores: runtime.NumCPU(), MaxProcs: runtime.GOMAXPROCS(0),
	}
}

// version is the version of a release; the linker sets it (make release).
var version string

// CodeVersion returns the version of the running program: that of a release, else the
// commit, else "unknown", as in tests.
func CodeVersion() string {
	if version != "" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		return versionOf(info)
	}
	return "unknown"
}

func versionOf(info *debug.BuildInfo) string {
	var commit, dirty string
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			commit = s.Value
		case "vcs.modified":
			if s.Value == "true" {
				dirty = "+dirty"
			}
		}
	}
	switch v := info.Main.Version; {
	case commit != "":
		return commit[:min(len(commit), 12)] + dirty
	case v != "" && v != "(devel)":
		return v
	}
	return "unknown"
}

// cpuModel returns the processor's name on Linux, else an empty string.
func cpuModel() string {
	data, _ := os.ReadFile("/proc/cpuinfo") // empty elsewhere
	for line := range strings.Lines(string(data)) {
		if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return ""
}
