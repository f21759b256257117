package table

import (
	"fmt"

	"memobench/report/paper"
	"memobench/report/results"
)

// Finding is a claim of the paper compared with what the records show.
type Finding struct {
	Part  string `json:"part"`  // what the claim is about
	Claim string `json:"claim"` // "MEMO, node 1", "order"
	Table string `json:"table"` // ID of the table that has the numbers

	Setup    string `json:"setup,omitempty"`    // steps and data of the runs; empty where there are none, or where they have several
	Protocol string `json:"protocol,omitempty"` // its hash

	Paper      Cell     `json:"paper"`
	Here       Cell     `json:"here"`
	Verdict    Verdict  `json:"verdict"`              // empty where the paper has no number
	Difference *float64 `json:"difference,omitempty"` // measured less published, points
	Half       float64  `json:"half_width,omitempty"` // of the 95 % interval of the difference
	Outside    []string `json:"outside,omitempty"`    // settings of runs that agree with the paper but do not have its settings
	Systems    int      `json:"systems,omitempty"`    // number of systems or lengths with results, of a claim about several
	Of         int      `json:"of,omitempty"`         // number of systems or lengths in the claim
	Notes      []string `json:"notes,omitempty"`      // footnotes on the numbers
}

// Findings compares the paper's main claims with deduplicated runs (results.Deduplicate), as a
// table and as a list. The numbers are those of the tables of the claims, in the setup
// nearest to the paper that has MEMO. Numbers of another setup say so and are not ordered
// together with these. Numbers of smaller data have no verdict.
func Findings(kept []results.Run, presets ...Preset) (*Table, []Finding) {
	f := &finder{kept: kept, presets: presets, t: &Table{
		ID: paper.FindingsID, Title: "Findings: what the paper claims, and what the records show; accuracy, %", Corner: "claim of the paper",
		Groups: []Group{oneColumn("paper", paper.Published), oneColumn("here", paper.Measured), oneColumn("verdict", paper.Verdicts)},
		Remarks: []string{
			intervalRule + " The verdict has the difference and the half-width. Here: mean ± sample standard deviation (n seeds).",
			"order: > where the interval of two systems' difference lies beyond that, ≈ where it does not, ? where it is undecided. It agrees where every two systems lie as in the paper; " +
				"two that are the same there may lie apart in the paper's order. Only runs on the same data and test questions are put in order; their training may differ. 2 of 4: decided by two of the four that the claim is about.",
			"Verdict –: of reduced data or of another question than the paper's number, so that the two are not compared.",
			"*: the runs have settings that are not the paper's, by its Tables 11 to 16 or its equations; the note names them. EMN's other settings the paper does not print.",
			fmt.Sprintf("near chance: %g %% or less; guessing between the two items of a query gives %g %%.", chance+nearChance, chance),
			fmt.Sprintf("hops adapt: they rise from the shortest chain to the longest, by more than %g with the whole 95 %% interval of the seeds, and never fall, among lengths whose hardest query is not near chance. To the query: by as much from direct queries to the hardest one, which are shown in this order, of the differences within runs.", minRise),
			"Of several variants of a system, that of its own name counts, else that with the lowest loss by the paper's rule; of several settings of halting, those with the lowest; never by the accuracy shown. " +
				"Of several protocols: data of the paper's sizes first, then ready presets as they are, then the most steps.",
		},
	}}
	for _, section := range paper.Claims() {
		f.claims(&section)
	}
	return f.t, f.list
}

// claims adds the findings of a section.
func (f *finder) claims(c *paper.ClaimSection) {
	if c.Halting != nil {
		f.section(c.Title, "", nil, f.halting(c))
		return
	}
	s := f.claimBlock(&c.Spec, c.Block, c.Row, c.Group)
	var list []Finding
	for _, claim := range c.Claims {
		switch claim.Rule {
		case paper.NumberAgrees:
			list = append(list, s.find(claim.Row, claim.Group, claim.Text))
		case paper.PartNeeded:
			list = append(list, s.needed(claim))
		default:
			list = append(list, s.orders(&claim)...)
		}
	}
	f.section(c.Title, c.Spec.Blocks[c.Block].Task, s.main, list)
}

// finder collects findings.
type finder struct {
	kept    []results.Run
	presets []Preset
	t       *Table
	list    []Finding
}

// section adds findings under a title, with their setup unless they have several.
func (f *finder) section(part, task string, main *Setup, list []Finding) {
	section := Section{Title: part, Task: task}
	if main != nil {
		section.Title += ": " + main.Title()
		section.Marks = []int{f.t.Note("%s", main.Note())}
	}
	for i := range list {
		x := &list[i]
		x.Part = part
		verdict := Cell{State: Unknown}
		if words := x.text(); words != "" {
			verdict = Words(words)
		}
		section.Rows = append(section.Rows, Row{Label: x.Claim, Cells: []Cell{x.Paper, x.Here, verdict}})
		for _, c := range []*Cell{&x.Paper, &x.Here} {
			for _, m := range c.Marks {
				x.Notes = append(x.Notes, f.t.Notes[m-1])
			}
			c.Marks = nil // of the table
		}
	}
	f.t.Sections = append(f.t.Sections, section)
	f.list = append(f.list, list...)
}
