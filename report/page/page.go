// Package page writes a report as one HTML file.
//
// What comes in: a document.Document. What goes out: a page with style, figures as inline
// SVG, and the runs of each number in a tooltip and a collapsible section. What always
// holds: it loads no other files, is complete without its script, fits the width of a
// phone and of paper, and has a light and a dark mode.
package page

import (
	"embed"
	"fmt"
	"html/template"
	"io"
	"path/filepath"
	"slices"
	"strings"
	texttemplate "text/template"

	"memobench/benchmarks/record"
	"memobench/report/document"
	"memobench/report/figure"
	"memobench/report/results"
	"memobench/report/table"
)

//go:embed page.html page.css page.js
var files embed.FS

// Links are the files next to the page; the zero value is for a page without any.
type Links struct {
	Files   []string                 // of the report in other formats: "report.csv"
	Figures bool                     // figures/ID.svg, .pdf and .png
	Record  func(path string) string // address of a record; nil for none
}

// Write writes the page.
func Write(w io.Writer, d *document.Document, links Links) error {
	css, err := texttemplate.ParseFS(files, "page.css")
	if err != nil {
		return fmt.Errorf("page: %w", err)
	}
	var style strings.Builder
	if err := css.Execute(&style, nil); err != nil {
		return fmt.Errorf("page: %w", err)
	}
	script, err := files.ReadFile("page.js")
	if err != nil {
		return fmt.Errorf("page: %w", err)
	}
	t, err := template.New("page.html").Funcs(template.FuncMap{
		"inc": func(n int) int { return n + 1 },
		"short": func(title string) string {
			head, _, _ := strings.Cut(title, ".")
			head, _, _ = strings.Cut(head, ":")
			return head
		},
	}).ParseFS(files, "page.html")
	if err != nil {
		return fmt.Errorf("page: %w", err)
	}
	v := view{Document: d, Style: template.CSS(style.String()), Script: template.JS(script), Version: record.CodeVersion(), Models: models,
		Found: viewsOf(d.Found), Tables: viewsOf(d.Results...), OwnTables: viewsOf(d.Own...), Shifted: viewsOf(d.Shifted...),
		Others: viewsOf(append([]*table.Table{d.Further}, d.Effort...)...), SettingTables: viewsOf(d.Settings...), Summary: summaryOf(d)}
	for _, name := range links.Files {
		v.Files = append(v.Files, link{name, strings.ToUpper(strings.TrimPrefix(filepath.Ext(name), "."))})
	}
	for _, t := range slices.Concat(v.Found, v.Tables, v.OwnTables, v.Shifted, v.Others) {
		for _, s := range t.Sections {
			if s.Task != "" {
				v.Tasks = results.AddNew(v.Tasks, s.Task)
			}
		}
	}
	for i, f := range d.Figures {
		drawing, err := figureView(f)
		if err != nil {
			return err
		}
		if links.Figures && len(drawing.Panels) > 0 {
			for _, ending := range []string{"svg", "pdf", "png"} {
				drawing.Files = append(drawing.Files, link{"figures/" + f.ID + "." + ending, strings.ToUpper(ending)})
			}
		}
		if i == 0 {
			v.First = &drawing
			continue
		}
		v.Drawn = append(v.Drawn, drawing)
	}
	for _, r := range d.Runs {
		line := recordView(r)
		if links.Record != nil {
			line.Link = links.Record(r.Path)
		}
		v.Records = append(v.Records, line)
	}
	var b strings.Builder // a page that breaks off is worse than none
	if err := t.Execute(&b, v); err != nil {
		return fmt.Errorf("page: %w", err)
	}
	_, err = io.WriteString(w, b.String())
	return err
}

// link is an address with its text.
type link struct{ To, Text string }

// viewsOf returns the tables in the form of the template; nil tables are omitted.
func viewsOf(tables ...*table.Table) []tableView {
	var list []tableView
	for _, t := range tables {
		if t != nil {
			list = append(list, viewOf(t))
		}
	}
	return list
}

// view is the input of the template.
type view struct {
	*document.Document
	Style         template.CSS
	Script        template.JS
	Version       string
	Files         []link
	Tasks, Models []string
	First         *drawing // the figure of the first screen
	Summary       *summary
	Found         []tableView
	Tables        []tableView
	OwnTables     []tableView
	Shifted       []tableView
	Others        []tableView
	SettingTables []tableView
	Drawn         []drawing
	Records       []recordLine
}

// drawing is a figure.
type drawing struct {
	ID, Title, Command string
	Panels             []template.HTML
	Legend             []key
	Head               []string
	Large              bool // panels that are half a page wide
	Files              []link
	Lead               string // first sentence of the caption
	Rest               []string
}

// key is an entry of a figure's legend.
type key struct {
	Mark template.HTML
	Name string
}

func figureView(f *figure.Figure) (drawing, error) {
	out := drawing{ID: f.ID, Title: f.Title, Command: f.Fill, Head: f.Head, Large: f.Large()}
	if f.Empty() {
		return out, nil
	}
	legend, panels, err := f.Inline()
	if err != nil {
		return out, err
	}
	for _, k := range legend {
		out.Legend = append(out.Legend, key{template.HTML(k.Mark), k.Name})
	}
	for _, p := range panels {
		out.Panels = append(out.Panels, template.HTML(p))
	}
	if len(f.Caption) > 0 {
		out.Lead, out.Rest = f.Caption[0], f.Caption[1:]
	}
	return out, nil
}

// recordLine is a run in the list of all records.
type recordLine struct {
	Path, Link, What, Status, Steps, Accuracy, Where string
}

func recordView(r results.Run) recordLine {
	rec := r.Record
	line := recordLine{Path: r.Path, What: fmt.Sprintf("%s, %s, seed %d", rec.Identity.Task, rec.Identity.Title, rec.Identity.Seed),
		Status: string(rec.Status), Steps: fmt.Sprint(rec.Training.Steps), Where: rec.Environment.Code + ", " + rec.Environment.BLAS}
	if v, ok := record.Accuracy.Overall(rec); ok {
		line.Accuracy = fmt.Sprintf("%.1f", v)
	}
	return line
}
