package page

import (
	"encoding/xml"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"memobench/datasets/must"
	"memobench/report/document"
	"memobench/report/paper"
	"memobench/report/reporttest"
	"memobench/report/table"
)

func write(t testing.TB, d *document.Document) string {
	t.Helper()
	var out strings.Builder
	must.Do(t, Write(&out, d, Links{Files: []string{"report.csv"}, Figures: true, Record: func(path string) string { return path }}))
	return out.String()
}

// element is a start tag with its attributes.
type element struct {
	name  string
	attrs map[string]string
}

// parse reads the page as XML with HTML's void elements and entities: every other
// element must be closed, and in order.
func parse(t *testing.T, page string) (elements []element, text string) {
	t.Helper()
	_, page, _ = strings.Cut(page, "<!DOCTYPE html>")
	before, script, _ := strings.Cut(page, "<script>") // no XML
	_, after, _ := strings.Cut(script, "</script>")
	page = before + "<script></script>" + after
	d := xml.NewDecoder(strings.NewReader(page))
	d.Strict, d.AutoClose, d.Entity = false, []string{"meta", "link", "br"}, xml.HTMLEntity
	var words strings.Builder
	var open []string
	for {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		switch x := token.(type) {
		case xml.StartElement:
			e := element{x.Name.Local, map[string]string{}}
			for _, a := range x.Attr {
				e.attrs[a.Name.Local] = a.Value
			}
			elements = append(elements, e)
			open = append(open, x.Name.Local)
		case xml.EndElement:
			if open[len(open)-1] != x.Name.Local {
				t.Fatalf("</%s> closes <%s>", x.Name.Local, open[len(open)-1])
			}
			open = open[:len(open)-1]
		case xml.CharData:
			words.Write(x)
		}
	}
	if len(open) > 0 {
		t.Errorf("not closed: %v", open)
	}
	return elements, words.String()
}

func TestThePageIsWellFormedAndItsLinksLeadSomewhere(t *testing.T) {
	d := reporttest.Document(t)
	elements, text := parse(t, write(t, d))
	ids := map[string]bool{}
	for _, e := range elements {
		if id := e.attrs["id"]; id != "" {
			if ids[id] {
				t.Errorf("id %q twice", id)
			}
			ids[id] = true
		}
	}
	count := map[string]int{}
	for _, e := range elements {
		count[e.name]++
		if href, ok := strings.CutPrefix(e.attrs["href"], "#"); ok && !ids[href] {
			t.Errorf("link to #%s, which is not there", href)
		}
	}
	if count["table"] != len(d.Tables())+1 || count["svg"] < 8 || count["h1"] != 1 {
		t.Errorf("%d tables, %d drawings, %d titles", count["table"], count["svg"], count["h1"])
	}
	for _, want := range []string{"Table 16.", "Differences from the paper", "58.9", "paper 61.01", "seed 1: 98.00"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not there", want)
		}
	}
}

// Nothing is loaded: links lead to files of the report, and the one script is in the page.
func TestThePageIsSelfContained(t *testing.T) {
	page := write(t, reporttest.Document(t))
	elements, _ := parse(t, page)
	scripts := 0
	for _, e := range elements {
		if e.name == "iframe" || e.name == "img" || e.name == "object" {
			t.Errorf("<%s>", e.name)
		}
		if e.name == "script" {
			scripts++
		}
		for key, v := range e.attrs {
			if strings.HasPrefix(key, "on") {
				t.Errorf("<%s %s>", e.name, key)
			}
			if key == "src" || key == "href" && e.name != "a" && v != "data:," || key == "href" && strings.Contains(v, ":") && v != "data:," {
				t.Errorf("<%s %s=%q> loads", e.name, key, v)
			}
		}
	}
	if scripts != 1 {
		t.Errorf("%d scripts", scripts)
	}
	if m := regexp.MustCompile(`url\(|@import|https?://|fetch\(|XMLHttp|import\(`).FindString(page); m != "" {
		t.Errorf("the page holds %q", m)
	}
}

// Files of the report and the figures are linked; a page by itself links to none.
func TestFilesBesideThePageAreLinked(t *testing.T) {
	d := reporttest.Document(t)
	page := write(t, d)
	for _, want := range []string{`<a href="report.csv">CSV</a>`, `<a href="figures/figure-3a-1.pdf">PDF</a>`, `<a href="` + d.Runs[0].Path + `">`} {
		if !strings.Contains(page, want) {
			t.Errorf("no %s", want)
		}
	}
	var alone strings.Builder
	must.Do(t, Write(&alone, d, Links{}))
	if m := regexp.MustCompile(`<a href="[^#"]+"`).FindString(alone.String()); m != "" {
		t.Errorf("a page by itself has %s", m)
	}
}

// Each note leads back to its first mark.
func TestNotesLeadBack(t *testing.T) {
	elements, _ := parse(t, write(t, reporttest.Document(t)))
	notes, back := 0, 0
	for _, e := range elements {
		if e.name == "li" && strings.Contains(e.attrs["id"], "-note-") {
			notes++
		}
		if e.attrs["class"] == "back" {
			back++
		}
	}
	if notes < 50 || back != notes {
		t.Errorf("%d of %d notes lead back", back, notes)
	}
}

// The table of the first screen has the best value of each row in bold.
func TestTheSummaryNamesTheBest(t *testing.T) {
	s := summaryOf(reporttest.Document(t))
	if s == nil || len(s.Rows) != 7 || !slices.Equal(s.Models, []string{"MEMO", "EMN"}) {
		t.Fatalf("%+v", s)
	}
	row := s.Rows[4] // 20-3-3, of which there is one run of MEMO
	if memo := row.Cells[0]; row.Name != "20-3-3, node 1" || !memo.Best || memo.Value != "100.0" || memo.Half != " (one seed)" || s.Rows[0].Cells[0].Best {
		t.Errorf("%+v", row)
	}
	if summaryOf(&document.Document{}) != nil {
		t.Error("a summary of nothing")
	}
}

// Each measured number has the runs behind it as a tooltip, and in the fold.
func TestEveryNumberHasItsRuns(t *testing.T) {
	d := reporttest.Document(t)
	elements, text := parse(t, write(t, d))
	var hovers []string
	for _, e := range elements {
		if e.attrs["class"] == "value" {
			hovers = append(hovers, e.attrs["title"])
		}
	}
	n := 0
	for _, table := range slices.Concat(d.Results, d.Own) {
		for label, c := range table.Cells() {
			for _, source := range c.Sources {
				n++
				line := fmt.Sprintf("seed %d: %.2f after %d steps (%s)", source.Seed, source.Value, source.Steps, source.Status)
				shown := slices.ContainsFunc(hovers, func(h string) bool { return strings.Contains(h, line) && strings.Contains(h, source.Path) })
				if !shown && c.N > 0 {
					t.Errorf("%s, %s: %q is in no tooltip", table.ID, label, line)
				}
				if !strings.Contains(text, line) || !strings.Contains(text, source.Path) {
					t.Errorf("%s, %s: %q is not in the fold", table.ID, label, line)
				}
			}
		}
	}
	if n < 40 || len(hovers) < 20 {
		t.Errorf("%d runs behind numbers, %d tooltips", n, len(hovers))
	}
}

func TestWordsFromRecordsAreEscaped(t *testing.T) {
	d := reporttest.Document(t)
	d.Results[0].Sections[0].Rows[0].Label = `<script>alert("x")</script>`
	d.Results[0].Notes[0] = `<b onclick="x">`
	page := write(t, d)
	if strings.Contains(page, "<script>alert") || strings.Contains(page, "<b onclick") {
		t.Error("markup from a label is markup in the page")
	}
	parse(t, page)
}

func TestAFigureWithoutDataSaysWhatWouldMakeIt(t *testing.T) {
	in := document.Input{Runs: reporttest.Document(t).Runs[:1]}
	d := must.Get(document.New(in))(t)
	_, text := parse(t, write(t, d))
	if n := strings.Count(text, "No data yet. To make it: memobench"); n < 4 {
		t.Errorf("%d figures without data name a command", n)
	}
}

// The bar is the measured mean, the tick the paper's number, on a scale that ends
// at the best there can be.
func TestBarAndTick(t *testing.T) {
	number := func(mean float64) table.Cell { return table.Cell{State: table.Number, Mean: mean, Full: 20} }
	one := &table.Table{Groups: []table.Group{{Columns: []table.Column{{Role: paper.Measured}, {Role: paper.Published}, {Role: paper.LessPublished}}}},
		Sections: []table.Section{{Rows: []table.Row{{Cells: []table.Cell{number(9), number(17), number(-8)}}, {Cells: []table.Cell{number(5), {State: table.Unknown}, {}}}}}}}
	rows := viewOf(one).Sections[0].Rows
	if got := rows[0].Cells[0].Bar; *got != (bar{Width: "45.0%", Tick: "85.0%", HasTick: true}) {
		t.Errorf("%+v", got)
	}
	if got := rows[1].Cells[0].Bar; *got != (bar{Width: "25.0%"}) {
		t.Errorf("without a number of the paper: %+v", got)
	}
}
