package page

import (
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"regexp"
	"strings"
	"testing"

	"memobench/datasets/must"
	"memobench/report/figure"
	"memobench/report/table"
)

// number returns a cell of two seeds of a study.
func number(study string, mean float64, notes ...int) table.Cell {
	return table.Cell{Number: true, Mean: mean, SD: 0.5, HasSD: true, N: 2, Decimals: 1, Notes: notes,
		Sources: []table.Source{{Study: study, Task: "pai3", Name: "memo", Seed: 0, Value: mean - 0.5}, {Study: study, Task: "pai3", Name: "memo", Seed: 1, Value: mean + 0.5}}}
}

// byModel has models as columns, by as many queries.
func byModel(id string, numRows int) *table.Table {
	t := &table.Table{ID: id, Title: "Accuracy: by query", Corner: "query", Notes: []string{"2 seeds diverged."}, Remarks: []string{"On the test split."}}
	for _, model := range []string{"MEMO", "EMN, 4 hops"} {
		t.Columns = append(t.Columns, table.Column{Group: model, Title: "all seeds", Role: table.Measured}, table.Column{Group: model, Title: "paper", Role: table.Published}, table.Column{Group: model, Title: "diff.", Role: table.Difference})
	}
	t.Columns = append(t.Columns, table.Column{Group: "UT", Role: table.Measured})
	s := table.Section{Title: "chains of 3"}
	for i := range numRows {
		s.Rows = append(s.Rows, table.Row{Label: fmt.Sprintf("query %d", i), Cells: []table.Cell{
			number("standard", 98, 1), {Number: true, Mean: 97, Decimals: 2}, {Number: true, Mean: -1, Decimals: 1},
			number("tuned", 60), {}, {}, {}}})
	}
	t.Sections = []table.Section{s}
	return t
}

func testPage() *Page {
	drawing := figure.Overview([]figure.Panel{{Title: "Chains", Questions: []figure.Question{{Name: "A-C", Answers: []figure.Answer{{Model: "memo", Title: "MEMO", Seeds: []float64{98, 99}, Paper: math.NaN()}}}}}})
	byRows := &table.Table{ID: "kinds", Title: "By kind", Corner: "run", Columns: []table.Column{{Group: "accuracy", Title: "A-B", Role: table.Measured}, {Group: "accuracy", Title: "A-C", Role: table.Measured}},
		Sections: []table.Section{{Rows: []table.Row{{Label: "memo", Cells: []table.Cell{number("standard", 98), table.Words("not run")}}}}}}
	return &Page{Title: "A report",
		Groups: []Group{
			{Title: "Results", Figures: []*figure.Figure{drawing}, Tables: []*table.Table{byModel("few", 2), byRows}},
			{Title: "More", Tables: []*table.Table{byModel("rows", maxTurned+1)}},
		},
		Studies: []Study{{Name: "standard", Runs: []string{"pai3, memo: 2 seeds"}}}}
}

func write(t testing.TB, p *Page) string {
	t.Helper()
	var out strings.Builder
	must.Do(t, p.Write(&out))
	return out.String()
}

// element is a start tag with its attributes.
type element struct {
	name  string
	attrs map[string]string
}

// parse reads the page as XML with HTML's void elements and entities: every other element must
// be closed, and in order.
func parse(t *testing.T, page string) (elements []element, text string) {
	t.Helper()
	_, page, _ = strings.Cut(page, "<!DOCTYPE html>")
	d := xml.NewDecoder(strings.NewReader(page))
	d.Strict, d.AutoClose, d.Entity = false, []string{"meta", "link"}, xml.HTMLEntity
	var words strings.Builder
	var open []string
	for {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		must.Do(t, err)
		switch x := token.(type) {
		case xml.StartElement:
			e := element{x.Name.Local, map[string]string{}}
			for _, a := range x.Attr {
				e.attrs[a.Name.Local] = a.Value
			}
			elements, open = append(elements, e), append(open, x.Name.Local)
		case xml.EndElement:
			if open[len(open)-1] != x.Name.Local {
				t.Fatalf("</%s> closes <%s>", x.Name.Local, open[len(open)-1])
			}
			open = open[:len(open)-1]
		case xml.CharData:
			words.Write(x)
		}
	}
	return elements, strings.Join(strings.Fields(words.String()), " ")
}

func TestThePageIsWellFormedAndItsLinksLeadSomewhere(t *testing.T) {
	elements, text := parse(t, write(t, testPage()))
	ids, count := map[string]bool{}, map[string]int{}
	for _, e := range elements {
		count[e.name]++
		if id := e.attrs["id"]; id != "" {
			if ids[id] {
				t.Errorf("id %q twice", id)
			}
			ids[id] = true
		}
	}
	for _, e := range elements {
		if href, ok := strings.CutPrefix(e.attrs["href"], "#"); ok && !ids[href] {
			t.Errorf("link to #%s, which is not there", href)
		}
	}
	if count["table"] != 3 || count["figure"] != 1 || count["h1"] != 1 {
		t.Errorf("%v", count)
	}
	for _, want := range []string{"98.0 ± 0.5 (2)", "paper 97.00 (−1.0)", "2 seeds diverged.", "On the test split."} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in the text:\n%s", want, text)
		}
	}
}

func TestThePageIsSelfContained(t *testing.T) {
	page := write(t, testPage())
	if m := regexp.MustCompile(`<script|<img|src=|url\(|@import|https?://`).FindString(page); m != "" {
		t.Errorf("the page has %q", m)
	}
}

func TestWordsAreEscaped(t *testing.T) {
	p := testPage()
	p.Groups[0].Tables[0].Sections[0].Rows[0].Label = `<script>alert("x")</script>`
	p.Groups[0].Tables[0].Notes[0] = `<b onclick="x">`
	page := write(t, p)
	if strings.Contains(page, "<script>alert") || strings.Contains(page, "<b onclick") {
		t.Error("markup from a label is markup in the page")
	}
	parse(t, page)
}

// Models are rows where the tasks fit as columns; a model without a number is left out.
func TestModelsAreRows(t *testing.T) {
	p := testPage()
	v := p.newTableView(p.Groups[0].Tables[0])
	if v.Corner != "model" || len(v.Heads) != 2 || len(v.Groups) != 1 || v.Groups[0] != (groupHead{"chains of 3", 2}) {
		t.Errorf("heads %+v, groups %+v", v.Heads, v.Groups)
	}
	rows := v.Sections[0].Rows
	if len(rows) != 2 || rows[0].Label != "MEMO" || rows[1].Label != "EMN, 4 hops" {
		t.Fatalf("%+v", rows)
	}
	if c := rows[0].Cells[0]; c.Mean != "98.0" || c.Paper != "97.00" || c.Difference != "-1.0" || c.Notes[0].ID != "few-note-1" || c.Runs != "standard/pai3/memo: 97.5 (seed 0), 98.5 (seed 1)" {
		t.Errorf("%+v", c)
	}
	if rows[0].Studies[0] != (studyLink{"standard", true}) || rows[1].Studies[0] != (studyLink{"tuned", false}) || v.Studies != nil {
		t.Errorf("studies %+v and %+v", rows[0].Studies, rows[1].Studies)
	}
	if v = p.newTableView(p.Groups[1].Tables[0]); v.Corner != "query" || len(v.Heads) != 3 || len(v.Sections[0].Rows) != maxTurned+1 {
		t.Errorf("a long table is turned: %q, %+v", v.Corner, v.Heads)
	}
}

// Columns of one group that are all measured stay apart, below its heading, and a study of all
// rows is named once.
func TestColumnsOfOneGroup(t *testing.T) {
	p := testPage()
	v := p.newTableView(p.Groups[0].Tables[1])
	if len(v.Heads) != 2 || v.Groups[0] != (groupHead{"accuracy", 2}) || v.Sections[0].Rows[0].Cells[1].Text != "not run" {
		t.Errorf("%+v", v)
	}
	if len(v.Studies) != 1 || v.Sections[0].Rows[0].Studies != nil {
		t.Errorf("studies of the table %+v, of the row %+v", v.Studies, v.Sections[0].Rows[0].Studies)
	}
}

func TestContentsAreShort(t *testing.T) {
	p := &Page{}
	for g := range 4 {
		group := Group{Title: fmt.Sprint("part ", g)}
		for i := range 8 {
			group.Tables = append(group.Tables, byModel(fmt.Sprintf("t-%d-%d", g, i), 1))
		}
		p.Groups = append(p.Groups, group)
	}
	nav, _, _ := strings.Cut(write(t, p), "</nav>")
	if n := strings.Count(nav, "<a "); n != 4+16 {
		t.Errorf("%d entries", n)
	}
}
