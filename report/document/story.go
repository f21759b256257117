package document

import (
	"fmt"
	"slices"
	"strings"

	"memobench/report/figure"
	"memobench/report/table"
)

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
