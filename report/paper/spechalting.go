package paper

import (
	"slices"

	"memobench/benchmarks/record"
)

// halting returns a MEMO with one way of halting.
func halting(label, title, way string) System {
	return System{Label: label, Title: title, Is: func(r *record.Record) bool {
		id := r.Identity
		return id.Model == "memo" && r.Model.Config["halting"] == way && (id.Label == "memo" || id.Label == "memo-"+way)
	}}
}

// paperHaltings are the ways of halting in the paper; the first is none.
var paperHaltings = []System{
	halting("memo", "fixed", "fixed"), halting("memo-reinforce", "REINFORCE", "reinforce"), halting("memo-act", "ACT", "act"),
}

// haltings are all ways of halting.
var haltings = slices.Concat(paperHaltings, []System{halting("memo-ponder", "PonderNet", "ponder")})

// hopsOn returns the mean number of hops per answer, averaged over the kinds of queries
// that of selects; false if the record does not have it.
func hopsOn(of func(kind string) bool) func(*record.Record) (float64, bool) {
	return func(r *record.Record) (float64, bool) {
		sum, kinds := 0.0, 0
		for i, k := range r.Evaluation.Kinds {
			if !of(rowName(k.Name)) {
				continue
			}
			v, ok := record.Hops.Value(r, i)
			if !ok {
				return 0, false
			}
			sum += v
			kinds++
		}
		return sum / float64(max(1, kinds)), kinds > 0
	}
}

// The columns of Table B that findings use.
const (
	HaltingAccuracy = iota
	HaltingHops
	HaltingDirect
	HaltingHardest
	HaltingMost
)

// haltingSpec is Table B: hops and accuracy by the way of halting and its settings.
func haltingSpec() Spec {
	s := Spec{Letter: "B", Title: "Halting on paired associative inference: the hardest query, hops, and what was set", Corner: "halting", BySettings: true,
		Groups: []SpecGroup{
			measuredAlone("accuracy, %"), measuredAlone("mean hops"),
			measuredAlone("hops, direct queries"), measuredAlone("hops, hardest query"),
		},
		Remarks: []string{
			"Mean hops are over the questions of all kinds; beside them those of queries that one memory row answers (A-B, B-C, ...), and of the hardest query, where records tell. N: hops at most. beta: what REINFORCE pays for a hop; alpha: weight of its value; gamma: discount of its reward; " +
				"l_halt: learning rate of the halting network; bias: of its logit at the start; ponder: cost of ACT for a hop.",
		}}
	settings := []struct {
		title, key string
		of         []string // the ways of halting that have it
	}{
		{"N", "hops", []string{"fixed", "reinforce", "act", "ponder"}}, {"beta", "beta", []string{"reinforce"}},
		{"l_halt", "halt_learning_rate", []string{"reinforce", "act"}}, {"alpha", "alpha", []string{"reinforce"}}, {"gamma", "gamma", []string{"reinforce"}},
		{"bias", "bias_init", []string{"reinforce", "act"}}, {"ponder", "ponder_cost", []string{"act"}},
	}
	for _, set := range settings {
		s.Groups = append(s.Groups, settingAlone(set.title))
	}
	for _, l := range lengths {
		block := SpecBlock{Task: l.task, Name: l.name + ", " + l.query}
		for i, m := range haltings {
			row := SpecRow{Label: m.Title, Secondary: i == 0, Questions: []Question{
				{System: m, Value: onKind(l.query), Decimals: 1, Full: 100}, {System: m, Value: record.Hops.Overall, Decimals: 2},
				{System: m, Value: hopsOn(Direct), Decimals: 2}, {System: m, Value: hopsOn(func(kind string) bool { return kind == l.query }), Decimals: 2},
			}}
			for _, set := range settings {
				row.Questions = append(row.Questions, Question{System: m, Value: onKind(l.query), Words: configured(set.key, set.of)})
			}
			block.Rows = append(block.Rows, row)
		}
		s.Blocks = append(s.Blocks, block)
	}
	return s
}

// configured prints a setting of models with one of the given ways of halting.
func configured(key string, ways []string) func(*record.Record) string {
	return func(r *record.Record) string {
		way, _ := r.Model.Config["halting"].(string)
		if v, ok := r.Model.Config[key]; ok && slices.Contains(ways, way) {
			return PlainValue(v)
		}
		return ""
	}
}
