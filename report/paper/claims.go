package paper

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// ClaimRule is the rule by which a claim is evaluated.
type ClaimRule int

// The rules of claims.
const (
	NumberAgrees ClaimRule = iota // the number agrees with the paper's
	SameOrder                     // the systems of the row have the paper's order
	FirstAlone                    // the first system of the row is above the others, and they are near chance
	FirstAbove                    // the first system of the row is above the others
	PartNeeded                    // the row is above the row Without
)

// Claim is a claim of the paper about numbers in a block of a table.
type Claim struct {
	Text       string
	Rule       ClaimRule
	Row, Group int
	Without    int
	Note       string // what must be said of the runs behind it
}

// ClaimSection has claims about one block of a table. The setup of its numbers is the
// first with a value for the question of Row and Group.
type ClaimSection struct {
	Title             string
	Spec              Spec
	Block, Row, Group int
	Claims            []Claim
	Halting           []HaltingLength // claims about hops, by the length of chains, instead of Claims
}

// HaltingLength is a length of chains for claims about hops.
type HaltingLength struct {
	Name  string
	Query string    // the hardest
	Paper *Question // accuracy on it; nil where the paper has none
}

// Claims lists the paper's main claims.
func Claims() []ClaimSection {
	return slices.Concat(inferenceClaims(), haltingClaims(), pathClaims(), []ClaimSection{babiClaims(), ablationClaims()})
}

// memoGroup is MEMO's index among the paper's models.
var memoGroup = slices.IndexFunc(paperModels, func(s System) bool { return s.Label == "memo" })

// addNumbers adds a claim about the number of each of the groups in a row.
func (s *ClaimSection) addNumbers(row int, groups []int, suffix string) {
	for _, g := range groups {
		system := s.Spec.Blocks[s.Block].Rows[row].Questions[g].System
		s.Claims = append(s.Claims, Claim{Text: system.Title + suffix, Row: row, Group: g})
	}
}

// inferenceClaims are about the hardest query of each length: MEMO answers it, and the
// others fail, except DNC on the shortest chains.
func inferenceClaims() []ClaimSection {
	var list []ClaimSection
	for i, l := range lengths {
		s := ClaimSection{Title: fmt.Sprintf("Hardest query of %s, %s", l.name, l.query), Spec: hardestSpec(), Block: i, Group: memoGroup}
		s.addNumbers(0, s.Spec.Blocks[i].Rows[0].ByPaper(), "")
		order := Claim{Text: "order", Rule: SameOrder}
		if i > 0 {
			order = Claim{Text: "MEMO alone is not near chance", Rule: FirstAlone}
		}
		s.Claims = append(s.Claims, order)
		list = append(list, s)
	}
	return list
}

// haltingClaims are about the number of hops, which MEMO adapts to the task.
func haltingClaims() []ClaimSection {
	var list []ClaimSection
	hardest := hardestSpec()
	for way, m := range paperHaltings[1:] {
		s := ClaimSection{Title: "Halting by " + m.Title, Spec: haltingSpec(), Row: way + 1}
		for i, l := range lengths {
			length := HaltingLength{Name: l.name, Query: l.query}
			if m.Label == "memo-reinforce" { // as the paper's MEMO halts
				length.Paper = &hardest.Blocks[i].Rows[0].Questions[memoGroup]
			}
			s.Halting = append(s.Halting, length)
		}
		list = append(list, s)
	}
	return list
}

// pathClaims are about shortest paths: the order of the models, and that on the largest
// graphs MEMO alone finds the nodes.
func pathClaims() []ClaimSection {
	var list []ClaimSection
	spec := pathSpec()
	for i, block := range spec.Blocks {
		s := ClaimSection{Title: "Shortest paths, " + block.Name, Spec: spec, Block: i, Group: memoGroup}
		order := Claim{Text: "order, ", Rule: SameOrder}
		if i == len(spec.Blocks)-1 {
			order = Claim{Text: "MEMO above the others, ", Rule: FirstAbove}
		}
		for r := range block.Rows {
			row := &block.Rows[r]
			groups := row.ByPaper()
			s.addNumbers(r, append(groups, row.published(true)...), ", "+row.Label)
			if row.Questions[groups[0]].Paper.Mean == row.Questions[groups[1]].Paper.Mean {
				continue // the paper has no order, on 10-2-2
			}
			s.Claims = append(s.Claims, Claim{Text: order.Text + row.Label, Rule: order.Rule, Row: r})
		}
		list = append(list, s)
	}
	return list
}

// babiClaims are about the error on the 20 bAbI tasks. The number of solved tasks is no
// separate claim: the rule for accuracies is too coarse for a count out of 20.
func babiClaims() ClaimSection {
	s := ClaimSection{Title: "bAbI, 20 tasks jointly, mean error, %", Spec: babiSpec(), Group: memoGroup}
	row := &s.Spec.Blocks[0].Rows[0]
	s.addNumbers(0, append(row.ByPaper(), row.published(true)...), "")
	return s
}

// ablationClaims are about MEMO's parts: both separate words and recurrent attention are
// needed.
func ablationClaims() ClaimSection {
	s := ClaimSection{Title: "MEMO without some of its parts, 3 items, A-C", Spec: paiAblationSpec()}
	rows := s.Spec.Blocks[0].Rows
	at := map[string]int{}
	for i, r := range rows {
		at[r.Questions[0].System.Label] = i
	}
	s.Row = at["memo"]
	short := strings.NewReplacer(" (MEMO)", "", "no recurrent attention", "not recurrent", "recurrent attention", "recurrent")
	for i, r := range slices.Backward(rows) {
		s.Claims = append(s.Claims, Claim{Text: short.Replace(r.Label), Row: i})
	}
	s.Claims = append(s.Claims,
		Claim{Text: "separate words are needed", Rule: PartNeeded, Row: s.Row, Without: at["memo-posenc"]},
		Claim{Text: "recurrent attention is needed", Rule: PartNeeded, Row: s.Row, Without: at["memo-norec"],
			Note: "MEMO without recurrent attention still feeds back what it read: its next query is the value read " +
				"plus a linear map of the last one. A MEMO that feeds nothing back was not run."})
	return s
}

// ByPaper lists the groups with comparable numbers in the paper, the highest first.
func (r *SpecRow) ByPaper() []int {
	groups := r.published(false)
	slices.SortStableFunc(groups, func(a, b int) int {
		return cmp.Compare(r.Questions[b].Paper.Mean, r.Questions[a].Paper.Mean)
	})
	return groups
}

// published lists the groups with a number in the paper; unlike selects those of a
// different question.
func (r *SpecRow) published(unlike bool) []int {
	var groups []int
	for g, q := range r.Questions {
		if q.Published && q.Unlike == unlike {
			groups = append(groups, g)
		}
	}
	return groups
}
