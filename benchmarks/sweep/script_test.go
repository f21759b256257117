package sweep

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/goccy/go-yaml"

	"memobench/datasets/must"
)

var someJob = Job{Grid: "Paper.DNC_pai", Program: "/opt/memo bench",
	Args:  []string{"sweep", "run", "paper-dnc", "--out", "/scratch/it's"},
	Cells: 72, Shards: 12, Cores: 2, Memory: 3, Time: 90 * time.Minute}

func quoted(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }

// The script calls the program with the shard of its task; here the program
// prints its arguments, one per line.
func TestSlurmScriptCallsTheProgram(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("bash is not installed")
	}
	j := someJob
	j.Program = filepath.Join(t.TempDir(), "memo bench")
	must.Do(t, os.WriteFile(j.Program, []byte("#!"+bash+"\nprintf '%s\\n' \"$@\"\n"), 0o755))
	cmd := exec.Command(bash)
	cmd.Stdin = strings.NewReader(Slurm(j, quoted))
	cmd.Env = append(os.Environ(), "SLURM_ARRAY_TASK_ID=7")
	out, err := cmd.CombinedOutput()
	if want := strings.Join(append(j.Args, "--shard", "7/12"), "\n") + "\n"; err != nil || string(out) != want {
		t.Errorf("%v\n%s\nwant\n%s", err, out, want)
	}
}

func TestSlurmScriptAsksForWhatIsNeeded(t *testing.T) {
	got := Slurm(someJob, quoted)
	for _, want := range []string{"--job-name=memobench-paper-dnc-pai", "--array=0-11", "--cpus-per-task=2", "--mem=3G",
		"--time=1:30:00",
		"--signal=B:TERM@120", "--requeue", "72 cells in 12 shards"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

func TestKubernetesManifestParses(t *testing.T) {
	grid := "preset: mine.yaml\nparts:\n- seeds: [0]\n  # a comment: \"quoted\" \n"
	text := Kubernetes(someJob, Pod{Image: "memobench:1", Claim: "results", Out: "/results", Files: []File{
		{"/grid/mine.yaml", []byte("about: x\n")}, {"/grid/g.yaml", []byte(grid)}}})
	var docs []map[string]any
	d := yaml.NewDecoder(strings.NewReader(text))
	for {
		var one map[string]any
		if err := d.Decode(&one); err == io.EOF {
			break
		} else if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		docs = append(docs, one)
	}
	if len(docs) != 2 || docs[0]["kind"] != "ConfigMap" || docs[1]["kind"] != "Job" ||
		docs[1]["apiVersion"] != "batch/v1" {
		t.Fatalf("documents %v", docs)
	}
	if got := docs[0]["data"].(map[string]any)["file-1"]; got != grid {
		t.Errorf("the grid arrives as %q, want %q", got, grid)
	}
	spec := docs[1]["spec"].(map[string]any)
	if spec["completionMode"] != "Indexed" || spec["completions"] != uint64(12) || spec["parallelism"] != uint64(12) {
		t.Errorf("spec %v", spec)
	}
	pod := spec["template"].(map[string]any)["spec"].(map[string]any)
	container := pod["containers"].([]any)[0].(map[string]any)
	var command []string
	for _, w := range container["command"].([]any) {
		command = append(command, w.(string)) // every word a string, as the API wants it
	}
	if got, want := strings.Join(command, "|"),
		strings.Join(append(append([]string{someJob.Program}, someJob.Args...), "--shards", "12"), "|"); got != want {
		t.Errorf("command %s, want %s", got, want)
	}
	env := container["env"].([]any)[0].(map[string]any)
	if _, ok := env["value"].(string); !ok {
		t.Errorf("the variable %v is no string", env)
	}
	mounts, volumes := container["volumeMounts"].([]any), pod["volumes"].([]any)
	if len(mounts) != 3 || len(volumes) != 2 {
		t.Errorf("mounts %v, volumes %v", mounts, volumes)
	}
	if pod["restartPolicy"] != "Never" {
		t.Errorf("restartPolicy %v: backoffLimitPerIndex wants Never", pod["restartPolicy"])
	}
}
