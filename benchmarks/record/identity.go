package record

import (
	"cmp"
	"os"
	"runtime"
	"runtime/debug"
	"strings"

	"memobench/datasets/strictjson"
)

// Identity says what was run.
type Identity struct {
	Study string `json:"study" doc:"study the run belongs to: the name of a built-in study, or of a file or directory"`
	Task  string `json:"task" doc:"registry name of the task"`
	Name  string `json:"name" doc:"name of the run, unique within study and task; all seeds of a run have the same"`
	Title string `json:"title" doc:"the name as a table prints it"`
	Model string `json:"model" doc:"registry name of the model"`
	Seed  uint64 `json:"seed" doc:"seed of initial values, dropout and training data; 0 is a seed like any other"`
	Cell  string `json:"cell" doc:"hash of the run's whole configuration with its seed"`
}

// UnmarshalJSON also reads the identities of earlier records, which had a preset, a label and
// the changes made to the preset (key=value).
func (i *Identity) UnmarshalJSON(data []byte) error {
	type plain Identity
	var read struct {
		plain
		Preset    string   `json:"preset"`
		Label     string   `json:"label"`
		Overrides []string `json:"overrides"`
	}
	if err := strictjson.Decode(data, &read); err != nil {
		return err
	}
	*i = Identity(read.plain)
	i.Study = cmp.Or(i.Study, read.Preset)
	if i.Name == "" {
		i.Name = WithChanges(read.Label, read.Overrides...)
	}
	return nil
}

// WithChanges returns the name of a run with changed settings: memo,hops=5 for the name memo
// and the change model.hops=5.
func WithChanges(name string, changes ...string) string {
	for _, change := range changes {
		key, value, _ := strings.Cut(change, "=")
		name += "," + key[strings.LastIndex(key, ".")+1:] + "=" + value
	}
	return name
}

// NameWithoutChanges returns the name before the changes that WithChanges appends.
func NameWithoutChanges(name string) string {
	name, _, _ = strings.Cut(name, ",")
	return name
}

// RunKey names one run within a study.
type RunKey struct {
	Task string `json:"task"`
	Name string `json:"name"`
	Seed uint64 `json:"seed"`
}

// Key returns the run that the record is of.
func (i *Identity) Key() RunKey { return RunKey{i.Task, i.Name, i.Seed} }

// Compare orders runs by task, name and seed.
func (k RunKey) Compare(other RunKey) int {
	return cmp.Or(cmp.Compare(k.Task, other.Task), cmp.Compare(k.Name, other.Name), cmp.Compare(k.Seed, other.Seed))
}

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
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	version := cmp.Or(strings.TrimSuffix(info.Main.Version, "(devel)"), "unknown")
	if commit := settings["vcs.revision"]; commit != "" {
		version = commit[:min(len(commit), 12)]
		if settings["vcs.modified"] == "true" {
			version += "+dirty"
		}
	}
	return version
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
