// Package report assembles a report: tables by specification, figures, and a page, from
// results alone.
//
//	results.Read -> New -> Write (files) or Print (one format)
//
// The work is in its packages: results reads records, table makes tables, figure and page
// draw, gate and stats compare.
package report

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"memobench/benchmarks/printable"
	"memobench/report/page"
	"memobench/report/results"
	"memobench/report/table"
	"memobench/report/tables"
)

// Report is the content of a report.
type Report struct {
	Title  string
	Groups []page.Group
	Runs   []results.Run
}

// Formats are the formats of a report. Tidy is one CSV line per run, kind and metric.
var Formats = []string{"text", "markdown", "latex", "html", "csv", "json", "tidy"}

// fileNames are the names of the files of the formats.
var fileNames = map[string]string{"text": "report.txt", "markdown": "report.md", "latex": "report.tex", "html": "report.html",
	"csv": "tables.csv", "json": "tables.json", "tidy": "runs.csv"}

// New makes the report of a set of results: the paper's claims and tables, those on questions
// that it leaves open, the given ones, evaluations on shifted questions, a table for each other
// study and task, and the figures. Tables without numbers are left out.
func New(set *results.Set, own []table.Spec) (*Report, error) {
	r := &Report{Title: "memobench report", Runs: set.Runs}
	results.SortByIdentity(r.Runs)
	cited := map[string]bool{}
	add := func(title string, specs []table.Spec) error {
		filled, err := tablesWithNumbers(specs, set.Runs)
		if err != nil || len(filled) == 0 {
			return err
		}
		for _, t := range filled {
			for _, study := range t.Studies {
				cited[study] = true
			}
		}
		r.Groups = append(r.Groups, page.Group{Title: title, Tables: filled})
		return nil
	}
	err := add("Own tables", own)
	clear(cited)
	err = cmp.Or(err, add("Claims of the paper", tables.Specs("claims")), add("Tables of the paper", tables.Specs("paper")),
		add("Questions that the paper leaves open", tables.Specs("open")))
	others := slices.DeleteFunc(slices.Clone(set.Runs), func(run results.Run) bool { return cited[run.Record.Identity.Study] })
	err = cmp.Or(err, add("Generalization", table.ByShift(set.Runs)), add("Studies", table.ByTask(others)))
	figures, err2 := figuresOf(set, others)
	if err = cmp.Or(err, err2); err != nil {
		return nil, err
	}
	if len(figures) > 0 {
		r.Groups = append(r.Groups, page.Group{Title: "Figures", Figures: figures})
	}
	if len(r.Groups) == 0 {
		return nil, fmt.Errorf("report: no finished runs among the results")
	}
	return r, nil
}

// tablesWithNumbers returns the tables of specifications that have numbers.
func tablesWithNumbers(specs []table.Spec, runs []results.Run) ([]*table.Table, error) {
	var list []*table.Table
	for i := range specs {
		t, err := specs[i].Fill(runs)
		if err != nil {
			return nil, err
		}
		if len(t.Sections) > 0 {
			list = append(list, t)
		}
	}
	return list, nil
}

// OfRuns makes a report without title and headings: a table for each study and task of runs, and
// for each setting of evaluations on shifted questions.
func OfRuns(runs []results.Run) (*Report, error) {
	results.SortByIdentity(runs)
	filled, err := tablesWithNumbers(append(table.ByTask(runs), table.ByShift(runs)...), runs)
	return &Report{Groups: []page.Group{{Tables: filled}}, Runs: runs}, err
}

// tables lists the tables of the report.
func (r *Report) tables() []*table.Table {
	var list []*table.Table
	for _, g := range r.Groups {
		list = append(list, g.Tables...)
	}
	return list
}

// Print writes the report in one format.
func (r *Report) Print(w io.Writer, format string, style table.Style) error {
	switch format {
	case "text":
		return r.each(w, func(t *table.Table) error { return t.Text(w, style) }, func(title string) string { return title + "\n\n" })
	case "markdown":
		if r.Title != "" {
			fmt.Fprintf(w, "# %s\n\n", r.Title)
		}
		return r.each(w, func(t *table.Table) error { return t.Markdown(w) }, func(title string) string { return "## " + title + "\n\n" })
	case "latex":
		return r.latex(w)
	case "html":
		return r.page().Write(w)
	case "csv":
		return table.CSV(w, r.tables())
	case "json":
		return table.JSON(w, r.tables())
	case "tidy":
		return table.TidyCSV(w, r.Runs)
	}
	return fmt.Errorf("format %q: want one of %s", format, strings.Join(Formats, ", "))
}

// each writes the groups of tables with headings, and a line between tables.
func (r *Report) each(w io.Writer, write func(*table.Table) error, heading func(string) string) error {
	between := ""
	for _, g := range r.Groups {
		for i, t := range g.Tables {
			if i == 0 && g.Title != "" {
				between += heading(g.Title)
			}
			if _, err := io.WriteString(w, between); err != nil {
				return err
			}
			if err := write(t); err != nil {
				return err
			}
			between = "\n"
		}
	}
	return nil
}

// latexHead begins a document that compiles without other files.
const latexHead = `\documentclass[10pt,a4paper]{article}
\usepackage[utf8]{inputenc}
\usepackage[margin=14mm]{geometry}
\usepackage{booktabs,longtable,textcomp}
\setlength{\parindent}{0pt}
\begin{document}
`

// latex writes a document or, without a title, tables alone.
func (r *Report) latex(w io.Writer) error {
	if r.Title != "" {
		io.WriteString(w, latexHead)
	}
	err := r.each(w, func(t *table.Table) error { return t.LaTeX(w) }, func(title string) string { return "\\section*{" + title + "}\n" })
	if err == nil && r.Title != "" {
		_, err = io.WriteString(w, "\\end{document}\n")
	}
	return err
}

// page returns the HTML page, with the studies behind its numbers.
func (r *Report) page() *page.Page {
	p := &page.Page{Title: cmp.Or(r.Title, "memobench"), Groups: r.Groups}
	for _, run := range r.Runs {
		id := run.Record.Identity
		i := slices.IndexFunc(p.Studies, func(s page.Study) bool { return s.Name == id.Study })
		if i < 0 {
			p.Studies = append(p.Studies, page.Study{Name: id.Study})
			i = len(p.Studies) - 1
		}
		line := id.Task + ": " + id.Name
		if s := &p.Studies[i]; !slices.Contains(s.Runs, line) {
			s.Runs = append(s.Runs, line)
		}
	}
	return p
}

// Files makes the files of formats and of the figures, by name.
func (r *Report) Files(formats []string, style table.Style) (map[string][]byte, error) {
	files := map[string][]byte{}
	for _, format := range formats {
		var b bytes.Buffer
		if err := r.Print(printable.NewWriter(&b), format, style); err != nil {
			return nil, err
		}
		files[fileNames[format]] = b.Bytes()
	}
	for _, g := range r.Groups {
		for _, f := range g.Figures {
			for _, kind := range []struct {
				ending string
				draw   func() ([]byte, error)
			}{{"svg", f.SVG}, {"png", f.PNG}} {
				data, err := kind.draw()
				if err != nil {
					return nil, err
				}
				files["figures/"+f.ID+"."+kind.ending] = data
			}
		}
	}
	return files, nil
}
