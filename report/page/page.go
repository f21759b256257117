// Package page writes tables and figures as one HTML file.
//
// The file loads nothing, needs no script, has light and dark colours, and is readable on a
// phone and on paper. Each number has the runs behind it in a tooltip and a link to their study.
package page

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"

	"memobench/report/figure"
	"memobench/report/table"
)

// Page is the content of a page.
type Page struct {
	Title   string
	Groups  []Group
	Studies []Study
}

// Group is a part of the page with a heading.
type Group struct {
	Title   string
	Figures []*figure.Figure
	Tables  []*table.Table
}

// Study is where the settings of runs are declared.
type Study struct {
	Name string
	Runs []string // one line for each run
}

var (
	//go:embed page.html
	pageHTML string
	//go:embed page.css
	pageCSS template.CSS
)

var pageTemplate = template.Must(template.New("page").Funcs(template.FuncMap{
	"studyID": studyID,
	"minus":   func(s string) string { return strings.Replace(s, "-", "−", 1) },
}).Parse(pageHTML))

// Write writes the page. A page that cannot be made is not begun.
func (p *Page) Write(w io.Writer) error {
	v := pageView{Page: p, Style: pageCSS}
	for i, g := range p.Groups {
		group := groupView{Group: g, ID: fmt.Sprintf("part-%d", i+1)}
		for _, f := range g.Figures {
			legend, panels, err := f.Inline()
			if err != nil {
				return fmt.Errorf("page: %w", err)
			}
			group.Figures = append(group.Figures, figureView{f, panels, legend})
		}
		for _, t := range g.Tables {
			group.Tables = append(group.Tables, p.newTableView(t))
		}
		v.Groups = append(v.Groups, group)
	}
	v.listContents()
	var out bytes.Buffer
	if err := pageTemplate.Execute(&out, v); err != nil {
		return fmt.Errorf("page: %w", err)
	}
	_, err := w.Write(out.Bytes())
	return err
}

func studyID(name string) string { return "study-" + name }

// pageView is the input of the template.
type pageView struct {
	*Page
	Style  template.CSS
	Groups []groupView
}

type groupView struct {
	Group
	ID      string
	Listed  bool // in the contents, with its entries
	Folded  bool // only titles of tables, until a reader opens one
	Figures []figureView
	Tables  []tableView
}

// maxContents is the largest number of entries of the contents.
const maxContents = 25

// listContents decides which groups have their tables and figures in the contents: the first
// ones, as far as there is room. All groups are in it.
func (v *pageView) listContents() {
	left := maxContents - len(v.Groups) - 1 // the studies
	for i := range v.Groups {
		g := &v.Groups[i]
		if n := len(g.Tables) + len(g.Figures); n > 1 && n <= left {
			g.Listed = true
			left -= n
		}
		g.Folded = !g.Listed && len(g.Tables) > 10
	}
}

// figureView is a figure.
type figureView struct {
	*figure.Figure
	Panels []template.HTML
	Legend []figure.InlineKey
}

// shortTitle returns the start of a title, for the contents.
func shortTitle(title string) string {
	head, _, _ := strings.Cut(title, ":")
	if len([]rune(head)) > 64 {
		head = string([]rune(head)[:63]) + "…"
	}
	return head
}

// Short is the figure's entry in the contents.
func (v figureView) Short() string { return shortTitle(v.Title) }

// Short is the table's entry in the contents.
func (v tableView) Short() string { return shortTitle(v.Title) }

// Known reports whether the page has a study of that name.
func (p *Page) Known(study string) bool {
	return slices.ContainsFunc(p.Studies, func(s Study) bool { return s.Name == study })
}
