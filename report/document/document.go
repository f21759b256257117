// Package document assembles the contents of a report, independent of its format.
//
// What comes in: result records, attention traces, measurements of scaling, and the
// settings of presets. What goes out: a Document of tables and figures, findings first,
// then in the paper's order. What always holds: every record is in one of its tables, and
// an empty cell has the command that would fill it.
package document

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"memobench/benchmarks/printable"
	"memobench/benchmarks/trace"
	"memobench/report/figure"
	"memobench/report/paper"
	"memobench/report/results"
	"memobench/report/table"
)

// Document is a report.
type Document struct {
	Title       string
	About       []string // introductory paragraphs
	Findings    []table.Finding
	Found       *table.Table // the findings as a table
	Results     []*table.Table
	Own         []*table.Table   // on questions that the paper leaves open
	Shifted     []*table.Table   // of trained weights on questions unlike those of training
	Further     *table.Table     // other runs; nil without any
	Effort      []*table.Table   // search effort, and accuracy over CPU time
	Figures     []*figure.Figure // the first is that of the hardest queries
	Settings    []*table.Table
	Differences []paper.Difference // of the protocols from the paper's
	Runs        []results.Run      // all
}

// Tables lists all tables in their order.
func (d *Document) Tables() []*table.Table {
	list := slices.Concat([]*table.Table{d.Found}, d.Results, d.Own, d.Shifted, []*table.Table{d.Further}, d.Effort, d.Settings)
	return slices.DeleteFunc(list, func(t *table.Table) bool { return t == nil })
}

// Input is the input of a Document.
type Input struct {
	Runs    []results.Run
	Shifted []results.Run // evaluations on questions unlike those of training, see results.Results
	Traces  []*trace.Trace
	Scaling []*results.Set // costs by the number of memory rows, in the Go benchmark format
	Samples []*results.Set // accuracies of runs without records, in the Go benchmark format
	Links   []string       // links to directories, which were not followed

	Unfinished []string // runs without a result, see results.Unfinished

	Presets  []table.Preset // all that commands may name
	Settings []string       // names of the presets whose settings are shown
}

// New makes a Document. It fails without runs, or if a learning curve next to a record
// cannot be read.
func New(in Input) (*Document, error) {
	if len(in.Runs)+len(in.Shifted) == 0 {
		return nil, fmt.Errorf("report: no runs")
	}
	d := &Document{Title: "memobench: results beside the paper's", Differences: paper.Differences(), Runs: in.Runs}
	var shown []table.Preset
	for _, name := range in.Settings {
		i := slices.IndexFunc(in.Presets, func(p table.Preset) bool { return p.Name == name })
		if i < 0 {
			return nil, fmt.Errorf("report: no preset %q", name)
		}
		shown = append(shown, in.Presets[i])
	}
	d.Settings = table.SettingsTables(shown)
	d.About = about(in.Runs)
	if in.Links != nil {
		d.About = append(d.About, "Not read: "+results.LinksNote(in.Links)+".")
	}
	in.Runs, in.Shifted = table.Present(in.Runs, in.Presets), table.Present(in.Shifted, in.Presets)
	kept := results.Deduplicate(in.Runs)
	trained, others := results.Divide(in.Runs)
	d.Found, d.Findings = table.Findings(kept, in.Presets...)
	if in.Unfinished != nil {
		d.Found.Remarks = append(d.Found.Remarks, "Not in any table: "+strings.Join(in.Unfinished, "; ")+".")
	}
	own := slices.DeleteFunc(table.Variants(trained), func(v table.Variant) bool { return paper.HasSystem(v.Model, v.Label) })
	for _, s := range paper.Specs() {
		for _, v := range own {
			s.AddOwn(v.Label, v.Title)
		}
		d.Results = append(d.Results, table.Fill(&s, kept, in.Presets...))
	}
	for _, s := range paper.OwnSpecs() {
		d.Own = append(d.Own, table.Fill(&s, kept, in.Presets...))
	}
	groups := table.ShiftedGroups(in.Shifted)
	d.Shifted = table.Generalization(groups)
	d.Further = table.Further(kept, others, slices.Concat(d.Results, d.Own))
	curves, err := figure.ReadCurves(kept)
	if err != nil {
		return nil, err
	}
	d.Effort = []*table.Table{table.Effort(kept), table.OverTime(kept, curves)}
	for _, t := range d.Tables() {
		if err := t.Validate(); err != nil {
			return nil, fmt.Errorf("report: %w", err)
		}
	}
	scaling, err := figure.Scaling(in.Scaling)
	if err != nil {
		return nil, err
	}
	setups := table.Setups(kept)
	d.Figures = slices.Concat(
		[]*figure.Figure{figure.Overview(figure.Hardest(d.Results)), figure.Queries(d.Results), figure.Errors(setups), figure.Suite(setups, curves), figure.Cost(setups, curves)},
		figure.Attention(in.Traces), figure.Training(setups, curves),
		[]*figure.Figure{figure.Hops(setups, curves), figure.Spread(setups, in.Samples), figure.Reinforce(setups, curves)},
		scaling, figure.Generalization(groups))
	for _, f := range d.Figures {
		if f.Err() != nil {
			return nil, f.Err()
		}
	}
	return d, nil
}

// about describes the records of the report.
func about(runs []results.Run) []string {
	trained, others := results.Divide(runs)
	made := printable.Count(len(trained), "runs")
	if len(others) > 0 {
		made += fmt.Sprintf(" and %s of another origin than training, which count as no seed,", printable.Count(len(others), "records"))
	}
	var tasks, models, protocols []string
	for _, r := range runs {
		tasks = results.AddNew(tasks, r.Record.Identity.Task)
		models = results.AddNew(models, cmp.Or(r.Record.Identity.Title, r.Record.Identity.Label))
		protocols = results.AddNew(protocols, r.Record.Protocol.Hash)
	}
	return []string{
		fmt.Sprintf("Made from %s of %s on %s, under %s. Numbers on different data or test questions are in sections of their own and must not be compared; within a section steps, batches and mixtures may differ, as the footnotes say.",
			made, printable.Count(len(models), "model variants"), printable.Count(len(tasks), "tasks"), printable.Count(len(protocols), "protocols")),
		"Every measured number is the mean over all recorded seeds of a setting, with its sample standard deviation and the number of seeds; footnotes give its conditions. " +
			"The paper is Banino et al., MEMO: A Deep Network for Flexible Combination of Episodic Memories, ICLR 2020.",
	}
}

// Story summarizes the findings in three sentences: the accuracy of MEMO and the best other
// model on the hardest queries, and the verdicts on the paper's claims.
func (d *Document) Story() []string {
	var parts []string
	for _, p := range figure.Hardest(d.Results) {
		var names, ours, others []string
		for _, a := range p.Answers {
			i := slices.IndexFunc(a.Models, func(m figure.ModelAnswer) bool { return m.Model == "memo" })
			if i < 0 || a.Models[i].Here.State != table.Number {
				continue
			}
			best := -1
			for j, m := range a.Models {
				if j != i && m.Here.State == table.Number && (best < 0 || m.Here.Mean > a.Models[best].Here.Mean) {
					best = j
				}
			}
			names, ours = append(names, a.Name), append(ours, shown(a.Models[i].Here))
			other := "not run"
			if best >= 0 {
				other = a.Models[best].Title + " " + shown(a.Models[best].Here)
			}
			others = append(others, other)
		}
		if names != nil {
			parts = append(parts, fmt.Sprintf("%s (%s): MEMO has %s, the best of the others %s", p.Title, strings.Join(names, "; "), strings.Join(ours, ", "), strings.Join(others, ", ")))
		}
	}
	var list []string
	if len(parts) > 0 {
		list = append(list, parts[0]+".")
	}
	if len(parts) > 1 {
		list = append(list, strings.Join(parts[1:], "; ")+".")
	}
	return append(list, table.Tally(d.Findings))
}

// shown prints a number for a sentence.
func shown(c table.Cell) string {
	text := fmt.Sprintf("%.1f %%", c.Mean)
	if c.N == 1 {
		text += " (one seed)"
	}
	return text
}

// Newest returns the day on which the newest record was finished; empty if unknown.
func (d *Document) Newest() string {
	newest := ""
	for _, r := range d.Runs {
		newest = max(newest, r.Record.Times.Finished)
	}
	day, _, _ := strings.Cut(newest, "T")
	return day
}
