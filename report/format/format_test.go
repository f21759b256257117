package format

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"memobench/datasets/must"
	"memobench/report/document"
	"memobench/report/reporttest"
	"memobench/report/reporttest/golden"
	"memobench/report/table"
)

// few is the document with as many tables as a golden file can be read with.
func few(t *testing.T) *document.Document {
	d := reporttest.Document(t)
	d.Results = []*table.Table{d.Results[0], d.Results[7]}
	d.Settings = d.Settings[:1]
	return d
}

// writers are the formats, by the names of golden files.
func writers(d *document.Document) map[string]func(io.Writer) error {
	return map[string]func(io.Writer) error{
		"report.txt":       func(w io.Writer) error { return Text(w, d, table.Style{}) },
		"report_ascii.txt": func(w io.Writer) error { return Text(w, d, table.Style{ASCII: true}) },
		"report.md":        func(w io.Writer) error { return Markdown(w, d) },
		"report.tex":       func(w io.Writer) error { return LaTeX(w, d) },
		"report.csv":       func(w io.Writer) error { return CSV(w, d.Tables()) },
		"report.json":      func(w io.Writer) error { return JSON(w, d) },
	}
}

func TestGoldenFileOfEveryFormat(t *testing.T) {
	for name, write := range writers(few(t)) {
		t.Run(name, func(t *testing.T) {
			var out, again bytes.Buffer
			must.Do(t, write(&out))
			if err := write(&again); err != nil || !bytes.Equal(out.Bytes(), again.Bytes()) {
				t.Errorf("written twice it is not the same (%v)", err)
			}
			golden.Compare(t, name, out.String())
		})
	}
}

func TestASCIIIsASCII(t *testing.T) {
	var out bytes.Buffer
	must.Do(t, Text(&out, reporttest.Document(t), table.Style{ASCII: true}))
	for i, line := range strings.Split(out.String(), "\n") {
		for _, r := range line {
			if r > 126 {
				t.Fatalf("line %d holds %q: %s", i+1, r, line)
			}
		}
	}
}

// All formats are of one table value: the numbers of CSV and JSON are the same,
// and every measured one is in Markdown and LaTeX.
func TestFormatsAgree(t *testing.T) {
	d := reporttest.Document(t)
	var comma, object, mark, tex bytes.Buffer
	for _, err := range []error{CSV(&comma, d.Tables()), JSON(&object, d), Markdown(&mark, d), LaTeX(&tex, d)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	lines := must.Get(csv.NewReader(&comma).ReadAll())(t)
	var doc struct {
		Tables []struct {
			Sections []struct {
				Rows []struct {
					Cells []struct {
						State string
						Mean  float64
						N     int
					}
				}
			}
		}
	}
	must.Do(t, json.Unmarshal(object.Bytes(), &doc))
	var means []float64
	for _, table := range doc.Tables {
		for _, s := range table.Sections {
			for _, r := range s.Rows {
				for _, c := range r.Cells {
					if c.State == "number" {
						means = append(means, c.Mean)
					}
				}
			}
		}
	}
	at := 0
	for _, l := range lines[1:] {
		if l[6] != "number" {
			continue
		}
		v, err := strconv.ParseFloat(l[7], 64)
		if err != nil || at >= len(means) || math.Abs(v-means[at]) > 1e-12 {
			t.Fatalf("number %d: CSV has %v (%v), JSON %v", at, l, err, means[min(at, len(means)-1)])
		}
		at++
		if text := l[10]; l[5] == "measured" && (!strings.Contains(mark.String(), text) || !strings.Contains(tex.String(), latex(text))) {
			t.Errorf("%v: %q is missing in Markdown or LaTeX", l[:5], text)
		}
	}
	if at != len(means) || at < 100 {
		t.Errorf("%d numbers in CSV, %d in JSON", at, len(means))
	}
}

// The findings are an object each in JSON, and lines of the table elsewhere: first
// of all tables.
func TestFindingsAreInEveryFormat(t *testing.T) {
	d := reporttest.Document(t)
	var object bytes.Buffer
	must.Do(t, JSON(&object, d))
	var doc struct {
		Findings []struct {
			Part, Claim, Table, Protocol string
			Verdict                      *string
			Difference                   *float64
			Here                         struct {
				State, Fill string
				Mean        float64
				Sources     []struct{ Path string }
			}
		}
	}
	must.Do(t, json.Unmarshal(object.Bytes(), &doc))
	verdicts := map[string]int{}
	for _, f := range doc.Findings {
		if f.Verdict == nil || f.Part == "" || f.Claim == "" || f.Table == "" {
			t.Fatalf("%+v", f)
		}
		verdicts[*f.Verdict]++
		if f.Here.State == "number" && (len(f.Here.Sources) == 0 || f.Protocol == "") || f.Here.State == "missing" && (f.Here.Fill == "" || *f.Verdict != "not run") {
			t.Errorf("%+v", f)
		}
		if (*f.Verdict == "higher" || *f.Verdict == "lower") != (f.Difference != nil && math.Abs(*f.Difference) > 2) && *f.Verdict != "agrees" && *f.Verdict != "one seed" {
			t.Errorf("%+v", f)
		}
	}
	if verdicts["one seed"] < 2 || verdicts[""] < 5 || verdicts["not run"] < 10 {
		t.Errorf("verdicts %v", verdicts)
	}
	for name, write := range writers(d) {
		if name == "report.json" {
			continue
		}
		var out bytes.Buffer
		must.Do(t, write(&out))
		found, first := strings.Index(strings.ToLower(out.String()), "findings"), strings.Index(strings.ToLower(out.String()), "table-1")
		if name != "report.csv" {
			first = strings.Index(out.String(), "Table 1.")
		}
		if found < 0 || first < found || !strings.Contains(out.String(), "hops adapt to the length") {
			t.Errorf("%s: findings at %d, Table 1 at %d", name, found, first)
		}
	}
}

func TestNothingIsWrittenOfATableThatIsNotWellFormed(t *testing.T) {
	bad := &table.Table{Title: "bad", Groups: []table.Group{{Columns: []table.Column{{Title: "x"}}}},
		Sections: []table.Section{{Rows: []table.Row{{Label: "a", Cells: []table.Cell{{State: table.Number, Mean: math.NaN()}}}}}}}
	d := &document.Document{Results: []*table.Table{bad}}
	for name, write := range writers(d) {
		var out bytes.Buffer
		if err := write(&out); err == nil || out.Len() > 0 || !strings.Contains(err.Error(), `row "a" holds NaN`) {
			t.Errorf("%s: %v, %d bytes", name, err, out.Len())
		}
	}
}

func TestSignsOfTheFormatsAreEscaped(t *testing.T) {
	nasty := `a|b*c_d<e>&f%g#h$i{j}k\l~m^n"o--p` + "`q[r]"
	one := &table.Table{Title: nasty, Corner: nasty, Notes: []string{nasty}, Groups: []table.Group{{Title: nasty, Columns: []table.Column{{Title: nasty}}}},
		Sections: []table.Section{{Title: nasty, Rows: []table.Row{{Label: nasty, Marks: []int{1}, Cells: []table.Cell{{State: table.Text, Words: nasty}}}}}}}
	var mark, comma bytes.Buffer
	must.Do(t, markdownTable(&mark, one))
	for _, l := range strings.Split(mark.String(), "\n") {
		if strings.HasPrefix(l, "|") && strings.Count(l, "|")-strings.Count(l, `\|`) != 3 {
			t.Errorf("not three cell borders: %s", l)
		}
	}
	must.Do(t, CSV(&comma, []*table.Table{one}))
	lines, err := csv.NewReader(&comma).ReadAll()
	if err != nil || lines[1][11] != nasty {
		t.Errorf("%v, %v", lines, err)
	}
	compile(t, &document.Document{Title: nasty, Results: []*table.Table{one}})
}

func TestLaTeXCompilesWithinThePage(t *testing.T) {
	if log := compile(t, reporttest.Document(t)); strings.Contains(log, "Overfull") {
		t.Errorf("wider than the page:\n%s", log)
	}
}

// A table that is wider than a page is divided.
func TestWideColumnsAreDivided(t *testing.T) {
	wide := &table.Table{Title: "wide", Corner: "setting", Sections: []table.Section{{Rows: []table.Row{{Label: "learning rate"}}}}}
	for range 4 {
		wide.Groups = append(wide.Groups, table.Group{Title: "task", Columns: []table.Column{{Title: "printed"}, {Title: "preset paper"}, {Title: "preset standard"}}})
		for range 3 {
			wide.Sections[0].Rows[0].Cells = append(wide.Sections[0].Rows[0].Cells, table.Cell{State: table.Text, Words: "0.0001, 0.0005, 0.0007"})
		}
	}
	var out bytes.Buffer
	if err := latexTable(&out, wide); err != nil || strings.Count(out.String(), `\begin{longtable}`) != 2 {
		t.Errorf("%v\n%s", err, out.String())
	}
	if log := compile(t, &document.Document{Title: "wide", Results: []*table.Table{wide}}); strings.Contains(log, "Overfull") {
		t.Errorf("wider than the page:\n%s", log)
	}
}

// compile runs pdflatex over a document's LaTeX form, and returns what it logs.
func compile(t *testing.T, d *document.Document) string {
	t.Helper()
	pdflatex, err := exec.LookPath("pdflatex")
	if err != nil {
		t.Skip("not compiled: no pdflatex here (Debian: texlive-latex-recommended)")
	}
	dir := t.TempDir()
	var out bytes.Buffer
	must.Do(t, LaTeX(&out, d))
	must.Do(t, os.WriteFile(filepath.Join(dir, "report.tex"), out.Bytes(), 0o644))
	cmd := exec.Command(pdflatex, "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "report.tex")
	cmd.Dir = dir
	if said, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said[max(0, len(said)-2000):])
	}
	log := must.Get(os.ReadFile(filepath.Join(dir, "report.log")))(t)
	for _, bad := range []string{"Missing character", "Undefined", "LaTeX Error"} {
		if strings.Contains(string(log), bad) {
			t.Errorf("the log speaks of %q", bad)
		}
	}
	return string(log)
}
