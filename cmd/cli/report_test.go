package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"memobench/benchmarks/config"
	"memobench/benchmarks/trace"
	"memobench/datasets/must"
	"memobench/report/document"
	"memobench/report/table"
)

func TestReportWritesEveryFormatWithTheAttentionThatWasTraced(t *testing.T) {
	dir := t.TempDir()
	runs, out := filepath.Join(dir, "runs"), filepath.Join(dir, "out")
	run := filepath.Join(runs, "memo")
	command(with([]string{"train", "--preset", "quick", "--model", "memo", "--task", "pai3", "--out", run, "--quiet"}, tinySizes...)...).want(t, exitGood)
	command("train", "--preset", "quick", "--model", "dnc", "--task", "pai3", "--out", filepath.Join(runs, "dnc"), "--quiet", "--set", "protocol.steps=2",
		"--set", "early_stop=off", "--set", "evaluate_every=2", "--set", "validation_per_kind=5", "--set", "test_per_kind=5", "--set", "batch_size=4",
		"--set", "classes=40", "--set", "sequences=4").want(t, exitGood)

	file := filepath.Join(run, trace.FileName)
	looked := command("attention", "--checkpoint", run, "--kind", "A-C", "--question", "2", "--out", file).want(t, exitGood)
	if !strings.HasPrefix(looked.stdout, "A-C: ") || !strings.Contains(looked.stdout, "hop 3") {
		t.Errorf("attention prints\n%s", looked.stdout)
	}
	tr, err := trace.Read(file)
	if err != nil || tr.Kind != "A-C" || len(tr.Rows) != 8 || len(tr.Answers) != 1 || len(tr.Answers[0].Hops) != 3 || tr.Step != 30 {
		t.Fatalf("%+v, %v", tr, err)
	}
	deep := filepath.Join(dir, "not", "there", "yet.trace.json")
	command("attention", "--checkpoint", run, "--out", deep).want(t, exitGood)
	if _, err := trace.Read(deep); err != nil {
		t.Error(err)
	}
	other := command("attention", "--checkpoint", run, "--kind", "A-C")
	if other.stdout == looked.stdout {
		t.Error("questions 0 and 2 are the same")
	}
	command("attention", "--checkpoint", run, "--question", "10000").want(t, exitUsage, "want 0 to 9999")
	command("attention", "--checkpoint", run, "--kind", "A-D").want(t, exitUsage, "A-D")
	command("attention", "--checkpoint", filepath.Join(runs, "dnc")).want(t, exitFailed, "a dnc does not show its attention")

	all := command("report", runs, "--out", out).want(t, exitGood)
	for _, name := range []string{"report.txt", "report.md", "report.tex", "report.html", "report.csv", "report.json",
		"figures/figure-2-1.svg", "figures/figure-2-1.png", "figures/figure-3a-1.svg"} {
		path := filepath.Join(out, name)
		if info, err := os.Stat(path); err != nil || info.Size() < 500 {
			t.Errorf("%s: %v", name, err)
		}
		all.prints(t, path+"\n")
	}
	page, err := os.ReadFile(filepath.Join(out, "report.html"))
	if err != nil || !strings.Contains(string(page), `id="figure-2-1"`) || !strings.Contains(string(page), "Question A-C: ") {
		t.Errorf("the page lacks the attention (%v)", err)
	}
	printed := command("report", runs, "--format", "markdown").want(t, exitGood)
	if file, err := os.ReadFile(filepath.Join(out, "report.md")); err != nil || printed.stdout != string(file) {
		t.Errorf("printed and written Markdown differ (%v)", err)
	}
}

// Ctrl-C while the files are written does not leave a mixture of two reports.
func TestInterruptedReportIsWhole(t *testing.T) {
	runs, dir := recordedDir("quick"), t.TempDir()
	whole, out := filepath.Join(dir, "whole"), filepath.Join(dir, "out")
	process(t, "report", runs, "--out", whole).want(t, exitGood)
	cmd, stderr := startAndWaitFor(t, filepath.Join(out, "report.*"), "report", runs, "--out", out)
	must.Do(t, cmd.Process.Signal(os.Interrupt))
	if err := cmd.Wait(); err != nil {
		t.Errorf("%v\n%s", err, stderr)
	}
	for _, pattern := range []string{"*", "*/*"} {
		if want, got := glob(filepath.Join(whole, pattern)), glob(filepath.Join(out, pattern)); len(want) == 0 || len(got) != len(want) {
			t.Errorf("%d of %d files %s", len(got), len(want), pattern)
		}
	}
}

// A report leaves no file of the report before it, which could be taken for its own, not even
// after one that was interrupted; it removes nothing else.
func TestReportRemovesTheFilesOfTheOneBefore(t *testing.T) {
	dir := t.TempDir()
	out, fresh := filepath.Join(dir, "out"), filepath.Join(dir, "fresh")
	runs, other := recordedDir("quick"), recordedDir("babi")
	files := func(dir string) string {
		return strings.ReplaceAll(strings.Join(append(glob(filepath.Join(dir, "*")), glob(filepath.Join(dir, "*", "*"))...), "\n"), dir, "")
	}
	command("report", runs, "--out", fresh).want(t, exitGood)
	command("report", other, "--out", out).want(t, exitGood)
	if files(out) == files(fresh) {
		t.Fatal("both reports have the same files")
	}
	command("report", runs, "--out", out).want(t, exitGood)
	if got, want := files(out), files(fresh); got != want {
		t.Errorf("after two reports there are\n%s\nwant\n%s", got, want)
	}

	// The same report in one format keeps the others.
	command("report", runs, "--out", out, "--format", "csv").want(t, exitGood)
	if got, want := files(out), files(fresh); got != want {
		t.Errorf("after the same report in one format there are\n%s\nwant\n%s", got, want)
	}

	list := filepath.Join(out, reportList)
	for _, path := range []string{filepath.Join(dir, "outside"), filepath.Join(out, "figures", "own.svg"), filepath.Join(out, "latex", "left.tex")} {
		must.Do(t, os.WriteFile(path, nil, 0o644))
	}
	whole := must.Get(os.ReadFile(list))(t)
	must.Do(t, os.WriteFile(list, append(whole, "latex/left.tex\nlatex/not-written-yet.tex\n"...), 0o644))
	command("report", other, "--out", out, "--format", "latex").want(t, exitGood)
	for name, want := range map[string]bool{"figures/own.svg": true, "report.tex": true, "latex/left.tex": false, "report.html": false} {
		if _, err := os.Stat(filepath.Join(out, name)); (err == nil) != want {
			t.Errorf("%s: %v", name, err)
		}
	}
	must.Do(t, os.WriteFile(list, append(must.Get(os.ReadFile(list))(t), "../outside\n"...), 0o644))
	command("report", runs, "--out", out).want(t, exitFailed, reportList, "outside")
	if _, err := os.Stat(filepath.Join(dir, "outside")); err != nil {
		t.Error(err)
	}

	// A file of a report's name that is of no report is kept.
	own := filepath.Join(dir, "own")
	must.Do(t, os.Mkdir(own, 0o755))
	must.Do(t, os.WriteFile(filepath.Join(own, "report.md"), []byte("notes"), 0o644))
	command("report", runs, "--out", own, "--format", "markdown").want(t, exitUsage, "report.md exists and was not written by a report")
	if text := read(t, own, "report.md"); string(text) != "notes" || len(glob(filepath.Join(own, "*"))) != 1 {
		t.Errorf("report.md is %q, files %v", text, glob(filepath.Join(own, "*")))
	}
}

func TestReportOfNothing(t *testing.T) {
	t.Chdir(t.TempDir())
	command("report").want(t, exitFailed, "runs does not exist")
	command("report", ".", "--out", "out").want(t, exitFailed, "no record.json in or below .")
	command("report", recorded, "--format", "").want(t, exitUsage, "--format is empty")
	if _, err := os.Stat("out"); err == nil {
		t.Error("a directory was made for no report")
	}
}

// The report of all recorded runs, which docs/reports.md shows, can be written, and each
// command in it that would fill a cell or a figure is one that this program takes.
func TestCommandsThatFillAReportAreValid(t *testing.T) {
	in := must.Get(document.Read(recorded))(t)
	must.Do(t, addPresets(&in))
	full := must.Get(document.New(in))(t)
	in.Runs, in.Scaling, in.Traces = in.Runs[:1], nil, nil
	empty := must.Get(document.New(in))(t)
	var commands []string
	add := func(c string) {
		if c != "" && !slices.Contains(commands, c) {
			commands = append(commands, c)
		}
	}
	for _, d := range []*document.Document{full, empty} {
		for _, table := range d.Tables() {
			for _, s := range table.Sections {
				for _, r := range s.Rows {
					for _, c := range r.Cells {
						add(c.Fill)
					}
				}
			}
		}
		for _, f := range d.Figures {
			add(f.Fill)
		}
	}
	seen := map[string]int{}
	for _, c := range commands {
		words := strings.Fields(c)
		seen[words[1]]++
		switch words[1] {
		case "scaling":
			command(append(words[1:], "--help")...).want(t, exitGood)
		case "attention":
			command(words[1:]...).want(t, exitUsage, "RUN") // a name to put in
		default:
			command(append(words[1:], "--print-config")...).want(t, exitGood)
		}
	}
	if seen["train"] < 20 || seen["run"] < 2 || seen["attention"] != 1 {
		t.Errorf("commands: %v", seen)
	}
}

// A command that fills a cell makes a run under the protocol of the cell's part, so
// that its number lands there and not in a part of its own.
func TestACommandThatFillsACellHasTheProtocolOfItsPart(t *testing.T) {
	d := must.Get(new(program).document([]string{recorded}))(t)
	stated := regexp.MustCompile(`, protocol ([0-9a-f]+)`)
	seen := map[string]bool{}
	for _, one := range d.Results {
		for _, s := range one.Sections {
			if len(s.Marks) == 0 { // not run at all
				continue
			}
			part := stated.FindStringSubmatch(one.Notes[s.Marks[0]-1])
			for _, c := range slices.Concat(cellsOf(s.Rows)...) {
				if c.State != table.Missing || c.Fill == "" || seen[c.Fill+part[1]] || strings.Contains(one.Notes[c.Marks[0]-1], "in a part of its own") {
					continue
				}
				seen[c.Fill+part[1]] = true
				printed := command(append(strings.Fields(c.Fill)[1:], "--print-config")...).want(t, exitGood)
				preset := must.Get(config.ParsePreset("printed.yaml", []byte(printed.stdout)))(t)
				if hash := preset.Cells()[0].ProtocolHash(); !strings.HasPrefix(hash, part[1]) {
					t.Errorf("%s, %s: %s has protocol %s, the part %s", one.ID, s.Title, c.Fill, hash, part[1])
				}
			}
		}
	}
	if len(seen) == 0 {
		t.Error("no command was looked at")
	}
}

// cellsOf lists the cells of each row.
func cellsOf(rows []table.Row) [][]table.Cell {
	var list [][]table.Cell
	for _, r := range rows {
		list = append(list, r.Cells)
	}
	return list
}
