package format

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"memobench/datasets/must"
	"memobench/report/reporttest"
)

// The files of LaTeX of all recorded runs compile without a line that is too wide and
// without a warning: the document with its figures, and each table by itself in an
// article of LaTeX's own width.
func TestLaTeXFilesCompile(t *testing.T) {
	if testing.Short() {
		t.Skip("runs LaTeX")
	}
	compiler, err := exec.LookPath("pdflatex")
	if err != nil {
		t.Skip("not compiled: no pdflatex here (Debian: texlive-latex-recommended)")
	}
	d := reporttest.Recorded(t)
	dir := t.TempDir()
	put := func(name string, data []byte) {
		path := filepath.Join(dir, name)
		must.Do(t, os.MkdirAll(filepath.Dir(path), 0o755))
		must.Do(t, os.WriteFile(path, data, 0o644))
	}
	for _, f := range d.Figures {
		if f.Empty() {
			continue
		}
		data := must.Get(f.PDF())(t)
		put("figures/"+f.ID+".pdf", data)
	}
	flaw := regexp.MustCompile(`(?m)^Overfull \\hbox.*\n.*|^LaTeX Warning: .*`)
	compile := func(name string) {
		for range 2 { // longtable and references
			command := exec.Command(compiler, "-interaction=nonstopmode", "-halt-on-error", name)
			command.Dir = dir
			if out, err := command.CombinedOutput(); err != nil {
				t.Fatalf("%s: %v\n%s", name, err, out[max(0, len(out)-1500):])
			}
		}
		log := must.Get(os.ReadFile(filepath.Join(dir, strings.TrimSuffix(name, ".tex")+".log")))(t)
		for _, line := range flaw.FindAllString(string(log), 3) {
			t.Errorf("%s: %s", name, line)
		}
	}
	files := LaTeXFiles(d)
	for _, f := range files {
		var out bytes.Buffer
		must.Do(t, f.Write(&out))
		put(f.Name, out.Bytes())
	}
	if want := len(d.Tables()) + 2; len(files) != want {
		t.Errorf("%d files, want %d", len(files), want)
	}
	compile("report.tex")
	for i, table := range d.Tables() {
		name := fmt.Sprintf("one-%d.tex", i)
		put(name, []byte("\\documentclass{article}\n\\usepackage{array,booktabs,longtable}\n\\begin{document}\n\\input{latex/"+table.ID+"}See Table~\\ref{tab:"+table.ID+"}.\n\\end{document}\n"))
		compile(name)
	}
	put("macros.tex", []byte("\\documentclass{article}\n\\input{latex/macros}\n\\begin{document}\nMEMO has \\memoSpTwentyThreeThreeNodeOne, in the paper \\memoSpTwentyThreeThreeNodeOnePaper.\n\\end{document}\n"))
	compile("macros.tex")
}

func TestMacrosAreTheTablesNumbers(t *testing.T) {
	var out strings.Builder
	must.Do(t, macros(&out, reporttest.Document(t)))
	for _, want := range []string{`\newcommand{\memoSpTwentyThreeThreeNodeOne}{100.0}`, `\newcommand{\memoPaiThreeACPaper}{98.26}`, `\newcommand{\dncBabiMeanErrorPaper}{3.8}`} {
		if !strings.Contains(out.String(), want+"\n") {
			t.Errorf("no %s", want)
		}
	}
	// The paper's number is of training on each task alone, ours of all tasks.
	if strings.Contains(out.String(), "emnBabiMeanErrorPaper") {
		t.Error("a number of another question")
	}
	if bad := regexp.MustCompile(`(?m)^\\newcommand\{\\[a-zA-Z]*[^a-zA-Z}].*$`).FindString(out.String()); bad != "" {
		t.Errorf("no name of a command: %s", bad)
	}
}
