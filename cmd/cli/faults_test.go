package cli

import (
	little "encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	"memobench/benchmarks/record"
	"memobench/datasets/must"
)

// encodings are those in which editors and shells write text.
var encodings = map[string]func(string) []byte{
	"mark":    func(s string) []byte { return []byte("\xef\xbb\xbf" + s) },
	"Windows": func(s string) []byte { return []byte("\xef\xbb\xbf" + strings.ReplaceAll(s, "\n", "\r\n")) },
	"old Mac": func(s string) []byte { return []byte(strings.ReplaceAll(s, "\n", "\r")) },
	"UTF-16": func(s string) []byte {
		data := []byte{0xff, 0xfe}
		for _, unit := range utf16.Encode([]rune(s)) {
			data = little.LittleEndian.AppendUint16(data, unit)
		}
		return data
	},
}

const ownStudy = `about: own
experiments:
  - task: pai3
    settings: {classes: 40, sequences: 4}
    protocol: {steps: 20, validation_per_kind: 5, test_per_kind: 5}
    seeds: [0]
    runs:
      - model: emn
`

// Every file that people write is read in every encoding, or the encoding is named.
func TestTextOfOtherSystems(t *testing.T) {
	all := must.Get(filepath.Abs(recorded))(t)
	runs, weights := filepath.Join(all, "quick"), filepath.Join(all, "pretrained", "pai3-memo")
	t.Chdir(t.TempDir())
	answers := "{\"id\": \"test-0\", \"answer\": 1}\n{\"id\": \"x\", \"answer\": 2}\n"
	for name, encode := range encodings {
		for file, c := range map[string]struct {
			text   string
			args   []string
			status int
			want   string // on either output
		}{
			"own.yaml":      {ownStudy, []string{"run", "own.yaml", "--plan"}, exitGood, "emn"},
			"spec.yaml":     {"tables:\n  - id: own\n    columns: [{title: a}]\n    rows: [{label: b}]\n", []string{"report", runs, "--tables", "spec.yaml", "--table", "nono"}, exitUsage, `unknown table "nono"`},
			"story.txt":     {"tea cup\ncup shelf\nnail hammer\nhammer wall\ntea ? shelf wall\n", []string{"ask", "story.txt", "--checkpoint", weights}, exitGood, "shelf"},
			"answers.jsonl": {answers, []string{"score", "answers.jsonl", "--task", "pai3", "--name", "x"}, exitFailed, "answers.jsonl:1: question \"test-0\": the ids"},
		} {
			must.Do(t, os.WriteFile(file, encode(c.text), 0o600))
			got := command(c.args...)
			status, want := c.status, c.want
			if name == "UTF-16" {
				want = "UTF-16, want UTF-8"
				if status == exitGood {
					status = exitUsage
				}
			}
			if got.status != status || !strings.Contains(got.stdout+got.stderr, want) {
				t.Errorf("%s, %s: status %d, want %d and %q:\n%s%s", file, name, got.status, status, want, got.stdout, got.stderr)
			}
		}
	}
}

// A second document in a file is not left out without a word.
func TestASecondDocumentIsRefused(t *testing.T) {
	t.Chdir(t.TempDir())
	must.Do(t, os.WriteFile("two.yaml", []byte(ownStudy+"---\n"+ownStudy), 0o600))
	command("run", "two.yaml", "--plan").want(t, exitUsage, "a second document")
	const specs = "tables: []\n---\ntables: []\n"
	must.Do(t, os.WriteFile("specs.yaml", []byte(specs), 0o600))
	command("report", filepath.Join(recorded, "quick"), "--tables", "specs.yaml").want(t, exitUsage, "a second document")
}

// A study of one's own needs no optimizer, and ranges of seeds are lists.
func TestAStudyOfDefaults(t *testing.T) {
	t.Chdir(t.TempDir())
	must.Do(t, os.WriteFile("own.yaml", []byte(ownStudy), 0o600))
	command("run", "own.yaml", "--quiet", "--seeds", "0-1,5").want(t, exitGood).prints(t, "emn")
	if files := glob(filepath.Join("runs", "own", "*", record.FileName)); len(files) != 3 {
		t.Errorf("records %q", files)
	}
}

// Without a directory for temporary files, and with a umask, commands write what they always do, to
// readers that the umask allows.
func TestUnusualEnvironments(t *testing.T) {
	dir := t.TempDir()
	shell := func(line string) {
		t.Helper()
		cmd := exec.Command("sh", "-c", "umask 077; "+line)
		cmd.Env = append(os.Environ(), "TMPDIR="+filepath.Join(dir, "none"), "BIN="+binary)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", line, err, out)
		}
	}
	must.Do(t, os.WriteFile(filepath.Join(dir, "own.yaml"), []byte(ownStudy), 0o600))
	shell("$BIN run own.yaml --quiet --out runs")
	run := filepath.Dir(glob(filepath.Join(dir, "runs", "*", record.FileName))[0])
	must.Do(t, os.MkdirAll(filepath.Join(dir, ".writing-evaluated", "half"), 0o700)) // of a killed process
	shell("$BIN eval --checkpoint " + run + " --out evaluated --quiet")
	shell("$BIN report runs --out report")
	shell("$BIN data export pai3 --study own.yaml --out data --steps 2")
	checked := 0
	must.Do(t, filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		info, err := e.Info()
		if err == nil && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s: mode %v", path, info.Mode())
		}
		if strings.Contains(e.Name(), ".writing-") {
			t.Errorf("%s is left", path)
		}
		checked++
		return err
	}))
	if checked < 20 {
		t.Errorf("%d files", checked)
	}
}

// A report writes into no file that it did not make, not even one with the name of a temporary one.
func TestReportKeepsFilesOfTheUser(t *testing.T) {
	dir := t.TempDir()
	runs := filepath.Join(recorded, "quick")
	command("report", runs, "--out", filepath.Join(dir, "first"), "--format", "markdown").want(t, exitGood)
	var name string
	for _, file := range glob(filepath.Join(dir, "first", "*")) {
		if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() {
			name = filepath.Base(file)
		}
	}
	out := filepath.Join(dir, "out")
	must.Do(t, os.MkdirAll(out, 0o755))
	mine := filepath.Join(out, name+".new")
	must.Do(t, os.WriteFile(mine, []byte("mine"), 0o600))
	command("report", runs, "--out", out, "--format", "markdown").want(t, exitFailed, "was not written by a report")
	if text := must.Get(os.ReadFile(mine))(t); string(text) != "mine" {
		t.Errorf("%s has %q", mine, text)
	}
}
