package cli

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode"

	"memobench/benchmarks/record"
	"memobench/datasets"
	"memobench/datasets/must"
)

// An output that cannot be written is a failure of every command. It is named, but not if
// the reader has ended, as head does.
func TestAFullOrClosedOutputIsAFailure(t *testing.T) {
	run := quick
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip(err)
	}
	defer full.Close()
	for _, args := range [][]string{
		{"report", run}, {"table", run}, {"ls"}, {"report", "--help"}, {"check", run, run}, {"compare", run, run, "--json"}, {"data", "show", "pai3"},
	} {
		for name, stdout := range map[string]func() *os.File{
			"full": func() *os.File { return full },
			"closed": func() *os.File {
				r, w, err := os.Pipe()
				if err != nil {
					t.Fatal(err)
				}
				r.Close()
				return w
			},
		} {
			cmd, _, stderr := prepare(args...)
			cmd.Stdout = stdout()
			err := cmd.Run()
			var exit *exec.ExitError
			want := exitFailed
			if args[0] == "check" || args[0] == "compare" { // 1 is a regression
				want = exitUsage
			}
			named := strings.Contains(stderr.String(), "memobench: write /dev/stdout: no space")
			if !errors.As(err, &exit) || exit.ExitCode() != want || named != (name == "full") {
				t.Errorf("%q, %s output: %v\n%s", args, name, err, stderr)
			}
		}
	}
}

// A command that has nothing to save ends at the first signal.
func TestReportEndsAtTheFirstSignal(t *testing.T) {
	for _, sig := range []os.Signal{syscall.SIGTERM, os.Interrupt, syscall.SIGHUP} {
		cmd, _, stderr := prepare("report", filepath.Join(recorded, "standard"), "--format", "json")
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		cmd.Stdout = w
		must.Do(t, cmd.Start())
		w.Close()
		// Nobody reads on: the report waits in its write, and ends by the signal alone.
		if _, err := io.ReadFull(r, make([]byte, 1)); err != nil {
			t.Fatal(err, stderr)
		}
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		must.Do(t, cmd.Process.Signal(sig))
		select {
		case err := <-ended:
			var exit *exec.ExitError
			if !errors.As(err, &exit) || exit.ExitCode() != exitInterrupted || stderr.String() != "memobench: interrupted\n" {
				t.Errorf("%v: %v, %q", sig, err, stderr)
			}
		case <-time.After(time.Minute):
			t.Errorf("%v does not end it", sig)
			cmd.Process.Kill()
			<-ended
		}
		r.Close()
	}
}

// Control characters of records, curves, traces and names of directories reach neither a
// terminal nor a document.
func TestControlCharactersAreNotPrinted(t *testing.T) {
	const hostile = "x\x1b[2J\x1b]0;t\a\r\u009b31m\u202e\x7f"
	r := recordsOf(t, quick)[0]
	id, k := &r.Identity, r.Evaluation.Kinds
	id.Title, id.Study, id.Name = "T"+hostile, "P"+hostile, "N"+hostile+"\ny"
	r.Caveats, r.Dataset.Caveats = datasets.Caveats{{Kind: "remark", Text: "L" + hostile}}, datasets.Caveats{{Kind: "remark", Text: "D" + hostile}}
	k[0].Name, r.Environment.Code, r.Environment.BLAS = "K"+hostile+"\n", "C"+hostile, "B"+hostile
	r.Training.Warnings = []record.Warning{{Text: "W" + hostile, First: 1, Steps: r.Training.Steps}}
	r.Model.Config["halting"] = hostile
	data := must.Get(r.Marshal())(t)
	dir, out := t.TempDir(), t.TempDir()
	run := filepath.Join(dir, "d\x1b[1m\u009b")
	must.Do(t, os.MkdirAll(run, 0o755))
	write := func(name string, data []byte) {
		must.Do(t, os.WriteFile(filepath.Join(run, name), data, 0o644))
	}
	write(record.FileName, data)
	write("more.txt", []byte("protocol: 1\nlabels: l"+strings.ReplaceAll(hostile, "\r", "")+"\n"+
		strings.Repeat("BenchmarkEval/task=pai3/model=e\x1b[5m/kind=A-C 1 50 accuracy\n", 2)))
	write("scaling.txt", bytes.ReplaceAll(read(t, filepath.Join(recorded, "scaling"), "bench.txt"), []byte("model=memo"), []byte("model=me\x1b[5mmo")))
	must.Do(t, os.Symlink(dir, filepath.Join(run, "l\x1bk")))
	clean := func(what string, data []byte) {
		t.Helper()
		if len(data) == 0 {
			t.Errorf("%s is empty", what)
		}
		for i, c := range string(data) {
			if c != '\n' && c != '\t' && unicode.In(c, unicode.Cc, unicode.Bidi_Control) {
				t.Errorf("%s: %q at byte %d: %q", what, c, i, data[max(0, i-40):min(len(data), i+20)])
				return
			}
		}
	}
	for _, args := range [][]string{
		{"report", dir, "--out", out}, {"report", dir}, {"table", run}, {"compare", run, run}, {"check", run, run},
		{"report", filepath.Join(run, "none")}, {"train", "--set", hostile + "=1"}, {"bad\x1b[2J"},
	} {
		got := command(args...)
		clean(strings.Join(args[:1], " "), []byte(got.stdout+got.stderr))
		if args[0] == "table" && (got.status != exitGood || !strings.Contains(got.stdout, "Tx?[2J")) {
			t.Errorf("table: status %d\n%s%s", got.status, got.stdout, got.stderr)
		}
		if args[0] == "report" && args[1] == dir && got.status != exitGood {
			t.Errorf("report: status %d\n%s", got.status, got.stderr)
		}
	}
	files := 0
	err := filepath.WalkDir(out, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || slices.Contains([]string{".png", ".pdf"}, filepath.Ext(path)) {
			return err
		}
		files++
		data, err := os.ReadFile(path)
		clean(path, data)
		if strings.HasSuffix(path, "table-1.tex") && !bytes.Contains(data, []byte("Tx?")) {
			t.Errorf("%s lacks the title", path)
		}
		return err
	})
	if err != nil || files < 6 {
		t.Errorf("%d files (%v)", files, err)
	}
}
