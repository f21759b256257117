package paper

import (
	"slices"
	"strings"

	"memobench/benchmarks/record"
)

// theModel is the system of the paper's columns with a model's name: any number of hops
// (emn4), and for MEMO any way of halting in the paper's tables. Ablations are other
// systems.
func theModel(model, title string) System {
	return System{Label: model, Title: title,
		Is: func(r *record.Record) bool {
			id := r.Identity
			if id.Model != model {
				return false
			}
			rest := strings.TrimPrefix(id.Label, model)
			return rest != id.Label && (strings.Trim(rest, "0123456789") == "" || rest == "-reinforce" || rest == "-fixed") && !otherHalting(r)
		},
		Note: fixedHops,
	}
}

// otherHalting reports whether a model has a way of halting that is not in the paper's
// tables.
func otherHalting(r *record.Record) bool {
	way := r.Model.Config["halting"]
	return way == "act" || way == "ponder"
}

// SystemName names a record's model, whatever its settings: a model of the paper as there,
// others by their titles. A model with PonderNet, which is newer than the paper, is another
// system.
func SystemName(r *record.Record) string {
	name, _, _ := strings.Cut(r.Identity.Title, ",")
	if HasModel(r.Identity.Model) { // a user may give it another title
		name = strings.ToUpper(r.Identity.Model)
	}
	if r.Model.Config["halting"] == "ponder" {
		name += ", PonderNet"
	}
	return name
}

// fixedHops notes that a MEMO does not learn when to halt, as the paper's does.
func fixedHops(r *record.Record) string {
	if r.Identity.Model == "memo" && r.Model.Config["halting"] == "fixed" {
		return "MEMO with a fixed number of hops (paper: learned)."
	}
	return ""
}

// ablation is MEMO without some parts, as in Tables 7 and 9, found by its configuration,
// whatever its label. norm is the LayerNorm of recurrent attention; it is ignored without
// recurrent attention.
func ablation(label, title string, separate, recurrent, norm bool) System {
	return System{Label: label, Title: title,
		Is: func(r *record.Record) bool {
			config := r.Model.Config
			if r.Identity.Model != "memo" || slices.Contains([]string{"memo-nowh", "memo-randwh"}, r.Identity.Label) || otherHalting(r) {
				return false
			}
			return (config["memory"] == "separate") == separate && config["recurrent"] == recurrent &&
				(!recurrent || (config["layer_norm"] != "none") == norm)
		},
		Note: func(r *record.Record) string {
			if recurrent { // without it the number of hops is fixed in any case
				return fixedHops(r)
			}
			return ""
		},
	}
}

// paperModels are the columns of most tables.
var paperModels = []System{theModel("emn", "EMN"), theModel("dnc", "DNC"), theModel("ut", "UT"), theModel("memo", "MEMO")}

// AddOwn adds a column for a system that the paper does not have to a table whose columns
// are the paper's models. Other tables do not change.
func (s *Spec) AddOwn(label, title string) {
	if len(s.Groups) < len(paperModels) {
		return
	}
	for _, b := range s.Blocks {
		for _, row := range b.Rows {
			for i, m := range paperModels {
				if row.Questions[i].System.Label != m.Label {
					return
				}
			}
		}
	}
	s.Groups = append(s.Groups, measuredAlone(title))
	own := System{Label: label, Title: title, Is: func(r *record.Record) bool { return r.Identity.Label == label }}
	for _, b := range s.Blocks {
		for i, row := range b.Rows {
			q := row.Questions[0]
			b.Rows[i].Questions = append(row.Questions[:len(row.Questions):len(row.Questions)],
				Question{System: own, Value: q.Value, Decimals: q.Decimals, Full: q.Full, Own: true})
		}
	}
}

// HasModel reports whether a model is one of the paper's.
func HasModel(model string) bool {
	return slices.ContainsFunc(paperModels, func(s System) bool { return s.Label == model })
}

// HasSystem reports whether a variant of a model belongs to the paper's models, which have
// no PonderNet. ACT, which the paper has without numbers, is in a table of its own.
func HasSystem(model, label string) bool {
	return HasModel(model) && !strings.HasSuffix(label, "-ponder")
}

// NumSystems is the number of systems in the paper.
const NumSystems = 4
