package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"memobench/benchmarks/record"
	"memobench/datasets/must"
)

// TestCampaign tries faults at random for the time in MEMOBENCH_CAMPAIGN, such as 5m, a quarter of it
// for each kind, and prints the numbers of tries: killed trainings, damaged files, hostile records and
// models that misbehave. MEMOBENCH_CAMPAIGN_SEED repeats the choices of one.
func TestCampaign(t *testing.T) {
	total, err := time.ParseDuration(os.Getenv("MEMOBENCH_CAMPAIGN"))
	if err != nil {
		t.Skip("set MEMOBENCH_CAMPAIGN to a time such as 5m")
	}
	seed := uint64(time.Now().UnixNano())
	fmt.Sscan(os.Getenv("MEMOBENCH_CAMPAIGN_SEED"), &seed)
	t.Logf("MEMOBENCH_CAMPAIGN_SEED=%d", seed)
	c := &campaign{rand.New(rand.NewPCG(seed, 0)), t.TempDir()}
	whole := filepath.Join(c.dir, "whole")
	process(t, tiny(whole)...).want(t, exitGood)
	for _, kind := range []struct {
		name string
		try  func(t *testing.T, whole string) (outcome string)
	}{{"killed trainings", c.kill}, {"damaged files", c.damage}, {"hostile records", c.hostile}, {"misbehaving models", c.misbehave}} {
		outcomes, tries := map[string]int{}, 0
		for began := time.Now(); time.Since(began) < total/4; tries++ {
			outcomes[kind.try(t, whole)]++
		}
		t.Logf("%s: %d tries", kind.name, tries)
		for _, outcome := range slices.Sorted(maps.Keys(outcomes)) {
			t.Logf("  %4d %s", outcomes[outcome], outcome)
		}
	}
}

type campaign struct {
	*rand.Rand
	dir string
}

// fresh returns a path where nothing is.
func (c *campaign) fresh() string { return filepath.Join(c.dir, fmt.Sprint("try-", c.Uint64())) }

// bounded runs the program in a process that must end within a minute, without a panic.
func bounded(t *testing.T, args ...string) result {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, binary, args...)
	cmd.Stdout, cmd.Stderr, cmd.WaitDelay = &stdout, &stderr, time.Second
	err := cmd.Run()
	r := result{strings.Join(args, " "), cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()}
	if ctx.Err() != nil || strings.Contains(r.stderr, "goroutine ") || r.status < 0 {
		t.Errorf("%s: %v, status %d\n%.4000s", r.line, err, r.status, r.stderr)
	}
	return r
}

// kill kills a training up to three times, after random times, and compares it with a whole one.
func (c *campaign) kill(t *testing.T, whole string) string {
	dir := c.fresh()
	defer os.RemoveAll(dir)
	kills, every := 0, fmt.Sprint(1+c.IntN(60))
	args := func() []string { return tiny(dir, "--resume", "--checkpoint-every", every) }
	for range 1 + c.IntN(3) {
		cmd, _, _ := prepare(args()...)
		must.Do(t, cmd.Start())
		time.Sleep(time.Duration(c.IntN(1500)) * time.Millisecond)
		cmd.Process.Kill()
		if cmd.Wait() != nil {
			kills++
		}
	}
	bounded(t, args()...).want(t, exitGood)
	sameResult(t, whole, dir)
	if left := glob(filepath.Join(dir, "*", ".writing-*")); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
	return fmt.Sprintf("same bits after %d kills", kills)
}

// change flips a bit of a file or cuts its end off, and returns what it did.
func (c *campaign) change(t *testing.T, path string) string {
	data := must.Get(os.ReadFile(path))(t)
	if len(data) == 0 {
		return "empty"
	}
	at, what := c.IntN(len(data)), "cut"
	if c.IntN(3) > 0 {
		data[at] ^= 1 << c.IntN(8)
		what = "flipped"
	} else {
		data = data[:at]
	}
	must.Do(t, os.WriteFile(path, data, 0o600))
	return what
}

// damage damages a file of a kind and runs a command that reads it: it is refused, or the result is the
// same, or the damage is named. A record and a study have no checksum: other values may be read from
// them.
func (c *campaign) damage(t *testing.T, whole string) string {
	dir := c.fresh()
	defer os.RemoveAll(dir)
	must.Do(t, os.CopyFS(dir, os.DirFS(whole)))
	kinds := []string{"checkpoint/*.json", "checkpoint/*.safetensors", "curve.jsonl", "model.safetensors", "record.json", "config.yaml", "lock"}
	kind := kinds[c.IntN(len(kinds))]
	files := glob(filepath.Join(dir, kind))
	file := files[c.IntN(len(files))]
	label := kind + " " + c.change(t, file) + ": "
	var r result
	switch kind {
	case "model.safetensors":
		if r = bounded(t, "eval", "--checkpoint", dir, "--quiet", "--split", "validation", "--per-kind", "2"); r.status == exitGood {
			t.Errorf("%s evaluated", label)
		}
	case "record.json":
		r = bounded(t, "table", dir)
	case "config.yaml":
		r = bounded(t, "run", file, "--plan")
	default: // the run continues from its checkpoint
		for _, name := range []string{record.FileName, record.BenchName, "model.safetensors"} {
			must.Do(t, os.Remove(filepath.Join(dir, name)))
		}
		r = bounded(t, tiny(dir, "--resume")...)
		if r.status == exitGood && !bytes.Equal(read(t, dir, "model.safetensors"), read(t, whole, "model.safetensors")) {
			t.Errorf("%s other weights", label)
		}
		if kind == "curve.jsonl" || kind == "lock" {
			r.want(t, exitGood)
		}
	}
	switch {
	case r.status == exitGood && strings.Contains(r.stderr, "damaged"):
		return label + "named"
	case r.status == exitGood:
		return label + "read"
	case strings.TrimSpace(r.stderr) == "":
		t.Errorf("%s status %d without a word", label, r.status)
	}
	return label + "refused"
}

// evil returns new values that nobody expects: they may later be changed themselves.
func evil() []any {
	return []any{nil, -1.0, 1e300, 1e-300, "", "\x1b[2J\x07\r\n", strings.Repeat("long ", 100_000), "<script>alert(1)</script>|`$\\",
		[]any{}, map[string]any{}, true, "../../../etc/passwd", make([]any, 10_000), 0.5, float64(1 << 62), "\u202e\u0000"}
}

// put replaces a value at random in and below a JSON value, which is an object or a list that is not
// empty.
func (c *campaign) put(value any) {
	child := func(v any, set func(any)) {
		switch below := v.(type) {
		case map[string]any:
			if len(below) > 0 && c.IntN(4) > 0 {
				c.put(below)
				return
			}
		case []any:
			if len(below) > 0 && c.IntN(4) > 0 {
				c.put(below)
				return
			}
		}
		values := evil()
		set(values[c.IntN(len(values))])
	}
	switch v := value.(type) {
	case map[string]any:
		keys := slices.Sorted(maps.Keys(v))
		key := keys[c.IntN(len(keys))]
		child(v[key], func(x any) { v[key] = x })
	case []any:
		i := c.IntN(len(v))
		child(v[i], func(x any) { v[i] = x })
	}
}

// hostile puts such values into a record.
func (c *campaign) hostile(t *testing.T, whole string) string {
	dir := c.fresh()
	defer os.RemoveAll(dir)
	must.Do(t, os.MkdirAll(dir, 0o755))
	var values map[string]any
	must.Do(t, json.Unmarshal(read(t, whole, record.FileName), &values))
	for range 1 + c.IntN(3) {
		c.put(values)
	}
	must.Do(t, os.WriteFile(filepath.Join(dir, record.FileName), must.Get(json.Marshal(values))(t), 0o600))
	commands := [][]string{{"table", dir}, {"report", dir, "--format", "html"}, {"check", whole, dir}, {"compare", dir, whole}, {"report", dir, "--out", filepath.Join(dir, "out")}}
	args := commands[c.IntN(len(commands))]
	r := bounded(t, args...)
	if strings.ContainsAny(r.stdout+r.stderr, "\x1b\x07\x00") || strings.Contains(r.stdout, "<script>alert") && args[0] == "report" {
		t.Errorf("%s: hostile text is printed", r.line)
	}
	return fmt.Sprintf("%s: status %d", args[0], r.status)
}

// misbehave trains a model whose process does what it should not.
func (c *campaign) misbehave(t *testing.T, _ string) string {
	mark := fmt.Sprint(3000 + c.IntN(1_000_000)) // of the processes of this try
	programs := map[string]string{
		"ends":                       "exit 3",
		"crashes with a worker":      "sleep " + mark + " & exit 7",
		"hangs":                      "sleep " + mark,
		"hangs with a worker":        "sleep " + mark + " & wait",
		"ignores signals":            "trap '' TERM INT HUP PIPE; sleep " + mark + "; sleep " + mark,
		"prints":                     "yes",
		"prints to standard error":   "yes | head -c 1000000 >&2; sleep " + mark,
		"echoes":                     "cat",
		"reads only":                 "cat > /dev/null",
		"answers with noise":         "head -c 100000 /dev/urandom; sleep " + mark,
		"kills itself":               "kill -9 $$",
		"closes its output":          "exec >&-; sleep " + mark,
		"closes its input":           "exec <&-; sleep " + mark,
		"announces a large header":   `printf '\177\377\377\377'; sleep ` + mark,
		"is not there":               "/no/such/program-" + mark,
		"sends half a message":       `printf '\020\000\000\000{"type":'`,
		"sends a header of a number": `printf '\001\000\000\0001'; sleep ` + mark,
	}
	names := slices.Sorted(maps.Keys(programs))
	name := names[c.IntN(len(names))]
	dir := c.fresh()
	defer os.RemoveAll(dir)
	began := time.Now()
	r := bounded(t, "train", "--study", tinyStudy, "--task", "pai3", "--model", "exec:"+programs[name], "--set", "timeout=2", "--out", dir, "--quiet")
	r.want(t, exitFailed, "model process")
	if d := time.Since(began); d > 15*time.Second {
		t.Errorf("%s: it took %v", name, d)
	}
	if out, _ := exec.Command("pgrep", "-f", "sleep "+mark+"$").Output(); len(out) > 0 {
		t.Errorf("%s: processes live on: %s", name, out)
	}
	return name
}
