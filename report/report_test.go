package report

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memobench/report/results"
	"memobench/report/table"
)

func recorded(t *testing.T) *Report {
	t.Helper()
	set, err := results.Read("../benchmarks/recorded")
	if err != nil {
		t.Fatal(err)
	}
	r, err := New(set, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// The report of all records stays readable: at most 60 footnotes, a page of at most 3 MB.
func TestReportOfAllRecords(t *testing.T) {
	r := recorded(t)
	notes := 0
	for _, made := range r.tables() {
		notes += len(made.Notes)
	}
	if notes > 60 {
		t.Errorf("%d footnotes, want at most 60", notes)
	}
	files, err := r.Files(Formats, table.Style{Width: 120})
	if err != nil {
		t.Fatal(err)
	}
	if size := len(files["report.html"]); size > 3<<20 || size < 100_000 {
		t.Errorf("report.html has %d bytes", size)
	}
	for _, name := range []string{"report.txt", "report.md", "report.tex", "tables.csv", "tables.json", "runs.csv", "figures/figure-overview.svg"} {
		if len(files[name]) == 0 {
			t.Errorf("no %s", name)
		}
	}
	drawn := 0
	for _, g := range r.Groups {
		drawn += len(g.Figures)
	}
	pictures := 0
	for name := range files {
		if strings.HasSuffix(name, ".svg") {
			pictures++
		}
	}
	if pictures != drawn { // none has the file of another
		t.Errorf("%d figures in %d files", drawn, pictures)
	}
	if dir := os.Getenv("MEMOBENCH_REPORT"); dir != "" {
		if err := Write(dir, files); err != nil {
			t.Fatal(err)
		}
	}
	for _, cell := range []string{"98.3 ± 0.6 (5)", "97.22 ± 0.13"} { // MEMO on A-D, and the paper's
		if !bytes.Contains(files["report.txt"], []byte(cell)) {
			t.Errorf("report.txt lacks %s", cell)
		}
	}
}

// The tables of some runs have every format, without the headings and the document of a report.
func TestTablesOfRunsHaveEveryFormat(t *testing.T) {
	set, err := results.Read("../benchmarks/recorded/uniform-edges")
	if err != nil {
		t.Fatal(err)
	}
	r, err := OfRuns(set.Runs)
	if err != nil {
		t.Fatal(err)
	}
	starts := map[string]string{"text": "Shortest paths of 3 edges", "markdown": "### Shortest paths", "latex": "{\\scriptsize", "html": "<!DOCTYPE html>",
		"csv": "table,section,row", "json": "[", "tidy": "study,task,name"}
	for _, format := range Formats {
		var b bytes.Buffer
		if err := r.Print(&b, format, table.Style{}); err != nil || !strings.HasPrefix(strings.ToLower(b.String()), strings.ToLower(starts[format])) {
			t.Errorf("%s: %v\n%.200s", format, err, b.String())
		}
		if !strings.Contains(b.String(), "MEMO") && format != "tidy" {
			t.Errorf("%s: no row of MEMO", format)
		}
	}
}

func TestWriteKeepsOtherFiles(t *testing.T) {
	dir := t.TempDir()
	write := func(names ...string) error {
		files := map[string][]byte{}
		for _, name := range names {
			files[name] = []byte(name)
		}
		return Write(dir, files)
	}
	if err := write("a.txt", "figures/b.svg"); err != nil {
		t.Fatal(err)
	}
	os.WriteFile(filepath.Join(dir, "mine.txt"), []byte("mine"), 0o644)
	if err := write("c.txt"); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "a.txt")); err == nil {
		t.Error("a file of the report before is left")
	}
	if data, _ := os.ReadFile(filepath.Join(dir, "mine.txt")); string(data) != "mine" {
		t.Error("a file of the user is gone")
	}
	if err := write("mine.txt"); err == nil || !strings.Contains(err.Error(), "mine.txt") {
		t.Errorf("a file of the user is replaced: %v", err)
	}
	outside := t.TempDir()
	os.RemoveAll(filepath.Join(dir, "figures"))
	if err := os.Symlink(outside, filepath.Join(dir, "figures")); err != nil {
		t.Fatal(err)
	}
	if err := write("figures/x.svg"); err == nil {
		t.Error("a file is written through a link to another directory")
	}
}
