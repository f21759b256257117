package cli

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"memobench/benchmarks/printable"
	"memobench/benchmarks/suggest"
	"memobench/report/document"
	"memobench/report/format"
	"memobench/report/page"
	"memobench/report/paper"
	"memobench/report/paper/doctables"
	"memobench/report/results"
	"memobench/report/table"
)

// reportFormats are the formats of a report, reportEndings those of their files.
var (
	reportFormats = []string{"text", "markdown", "latex", "html", "csv", "json"}
	reportEndings = map[string]string{"text": "txt", "markdown": "md", "latex": "tex", "html": "html", "csv": "csv", "json": "json"}
)

// report writes the paper's tables and figures from existing runs.
func (p *program) report(args []string) error {
	f := p.flags("report [DIR...] [flags]",
		`Write a report of the runs found in or below the directories (default: runs):
the paper's tables 1 to 10 with the numbers measured here next to the printed
ones, its settings (tables 11 to 16) next to the presets', and its figures. Runs
of different protocols or data are in parts of their own; what is empty says
which command would fill it.

Found there are records with their learning curves, attention traces (*.trace.json,
written by memobench attention) and files in the Go benchmark format: *.txt with
lines of BenchmarkScaling (cost by memory size) or BenchmarkEval (many seeds).

With --out all formats are written: report.txt, .md, .tex, .html, .csv, .json, and
the figures as SVG, PDF and PNG in figures/; latex/ has a file for each table and
one with a command for each headline number, which report.tex includes. Files of
another report in that directory, which .report-files lists, are removed; those of
the same report in other formats are kept. Without --out, one format is printed.`,
		[2]string{"report benchmarks/recorded --out recorded-out", "all formats and figures, into recorded-out"},
		[2]string{"report runs/quick --format markdown", "print the tables as Markdown"},
		[2]string{"report runs --format html,csv --out out", "these two formats and the figures"},
		[2]string{"report benchmarks/recorded --table pai", "one table of the documents, as Markdown"})
	var out, only string
	var formats []string
	var ascii bool
	f.StringVar(&out, "out", "", "write files into `DIR` instead of printing")
	f.StringSliceVar(&formats, "format", nil, "`NAMES` of formats: "+strings.Join(reportFormats, ", ")+" (default: text, with --out all)")
	f.StringVar(&only, "table", "", "print the table of this `NAME` alone, of a report: "+strings.Join(reportTables(), ", ")+
		"; or of the documents, which are made from benchmarks/recorded: "+strings.Join(doctables.Names(), ", "))
	f.BoolVar(&ascii, "ascii", false, "text in plain ASCII, whatever the locale")
	if err := f.parse(args, "run directories"); err != nil {
		return err
	}
	if err := suggest.Check("format", reportFormats, formats...); err != nil {
		return usage(err)
	}
	dirs := f.Args()
	if len(dirs) == 0 {
		dirs = []string{"runs"}
	}
	if only != "" {
		return p.printTable(only, out, formats, dirs, ascii)
	}
	if formats == nil {
		formats = []string{"text"}
		if out != "" {
			formats = reportFormats
		}
	}
	if out == "" && len(formats) > 1 {
		return usagef("report: --format %s: only one format can be printed; --out DIR takes several", strings.Join(formats, ","))
	}
	d, err := p.document(dirs)
	if err != nil {
		return err
	}
	if out != "" {
		return p.writeReport(out, formats, d, table.Style{ASCII: ascii})
	}
	return writeFormat(formats[0], p.stdout, d, p.style(ascii), page.Links{})
}

// document reads the input of a report.
func (p *program) document(dirs []string) (*document.Document, error) {
	in, err := document.Read(dirs...)
	if err != nil {
		return nil, err
	}
	if err := addPresets(&in); err != nil {
		return nil, err
	}
	return document.New(in)
}

// writeFormat writes a document in a format. links are those of HTML.
func writeFormat(name string, w io.Writer, d *document.Document, style table.Style, links page.Links) error {
	switch name {
	case "markdown":
		return format.Markdown(w, d)
	case "latex":
		return format.LaTeX(w, d)
	case "html":
		return page.Write(w, d, links)
	case "csv":
		return format.CSV(w, d.Tables())
	case "json":
		return format.JSON(w, d)
	}
	return format.Text(w, d, style)
}

// writeReport writes the formats and the figures into a directory. All are made before the
// first is written, and an interrupt then waits for the last: a report that is interrupted or
// fails leaves the one before it.
func (p *program) writeReport(dir string, formats []string, d *document.Document, style table.Style) error {
	var files []reportFile
	add := func(name string, body func(w io.Writer) error) error {
		var b bytes.Buffer
		if err := body(printable.NewWriter(&b)); err != nil {
			return fmt.Errorf("report: %s: %w", name, err)
		}
		files = append(files, reportFile{filepath.ToSlash(name), b.Bytes()})
		return nil
	}
	links := page.Links{Figures: true, Record: func(path string) string {
		from, err1 := filepath.Abs(dir)
		to, err2 := filepath.Abs(path)
		relative, err3 := filepath.Rel(from, to)
		if cmp.Or(err1, err2, err3) != nil {
			return ""
		}
		return (&url.URL{Path: filepath.ToSlash(relative)}).String()
	}}
	formats = slices.DeleteFunc(slices.Clone(reportFormats), func(name string) bool { return !slices.Contains(formats, name) })
	for _, name := range formats {
		if name != "html" {
			links.Files = append(links.Files, "report."+reportEndings[name])
		}
	}
	for _, name := range formats {
		if name == "latex" { // files to include, and a document of them
			for _, file := range format.LaTeXFiles(d) {
				if err := add(file.Name, file.Write); err != nil {
					return err
				}
			}
			continue
		}
		err := add("report."+reportEndings[name], func(w io.Writer) error { return writeFormat(name, w, d, style, links) })
		if err != nil {
			return err
		}
	}
	for _, fig := range d.Figures {
		if fig.Empty() {
			continue
		}
		for _, part := range []struct {
			ending string
			draw   func() ([]byte, error)
		}{{"svg", fig.SVG}, {"pdf", fig.PDF}, {"png", fig.PNG}} {
			data, err := part.draw()
			if err != nil {
				return err
			}
			name := "figures/" + fig.ID + "." + part.ending
			if part.ending != "svg" {
				files = append(files, reportFile{name, data})
			} else if err := add(name, func(w io.Writer) error { _, err := w.Write(data); return err }); err != nil {
				return err
			}
		}
	}
	if err := p.ctx.Err(); err != nil { // asked for: from here on an interrupt does not end the program
		return err
	}
	whole := sha256.New()
	if err := format.JSON(whole, d); err != nil {
		return err
	}
	return p.replaceReport(dir, fmt.Sprintf("# %x", whole.Sum(nil)), files)
}

// reportTables lists the tables of a report, for report --table.
func reportTables() []string {
	return append(paper.TableIDs(), table.FurtherID, table.EffortID, table.OverTimeID, table.GeneralizationID+"-TASK-SETTING")
}

// printTable prints one table.
func (p *program) printTable(name, out string, formats, dirs []string, ascii bool) error {
	if known := append(reportTables(), doctables.Names()...); !slices.Contains(known, name) && !strings.HasPrefix(name, table.GeneralizationID+"-") {
		return usage(unknown("table", name, known))
	}
	if out != "" || len(formats) > 1 {
		return usagef("report: --table %s prints one table: give it no --out and one --format", name)
	}
	if slices.Contains(formats, "html") {
		return usagef("report: --format html is the whole report; one table (--table %s) has the forms text, markdown, latex, csv and json", name)
	}
	style := p.style(ascii)
	if slices.Contains(doctables.Names(), name) {
		found, err := results.Open(dirs...)
		if err == nil {
			err = found.NeedRecords()
		}
		if err != nil {
			return err
		}
		one, err := doctables.Make(name, found)
		if err != nil {
			return err
		}
		if formats == nil {
			return format.Rows(p.stdout, one)
		}
		return format.Table(p.stdout, formats[0], one, style)
	}
	d, err := p.document(dirs)
	if err != nil {
		return err
	}
	for _, t := range d.Tables() {
		if t.ID == name {
			return format.Table(p.stdout, append(formats, "text")[0], t, style)
		}
	}
	return fmt.Errorf("report: %s is empty: no run is in it", name)
}
