package paper

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"memobench/benchmarks/record"
)

// steps is the paper's number of training steps for shortest paths and bAbI
// (appendices B and C: 20,000 epochs of 100 updates); for paired associative
// inference it states none.
const steps = 2_000_000

// SubstituteSetting is the setting of a task that allows substitute data where the paper's
// are not available.
const SubstituteSetting = "substitute_task3"

// SettingsTable is one of Tables 11 to 16: values, or ranges of a search, as printed.
type SettingsTable struct {
	Number  int
	Caption string
	Model   string   // "memo", "dnc" or "ut"
	Tasks   []string // one column each; empty where one column holds for all
	Search  bool     // lists of values that were tried
	Rows    []SettingRow
}

// ID is the table's name for links and files: "table-11".
func (t *SettingsTable) ID() string { return fmt.Sprintf("table-%d", t.Number) }

// SettingRow is a setting: its name, its key in memobench, and one printed value per task.
type SettingRow struct {
	Name   string
	Key    string // "model.width", "training.learning_rate", "shape.rows"; empty where the harness has none
	Values []string
	Note   string // of a value that is set to another one
}

// SettingsTables lists Tables 11 to 16.
func SettingsTables() []SettingsTable {
	all := func(value string) []string { return []string{value} }
	return []SettingsTable{
		{11, "MEMO, fixed settings", "memo", tasks, false, []SettingRow{
			{"I, memory rows", "shape.rows", []string{"32", "48", "64", "20", "60", "100", "320"}, ""},
			{"S, words a row", "shape.row_width", []string{"3", "3", "3", "2", "2", "2", "11"},
				"The paper counts the words of a query; a row has one fewer. A time word of bAbI is added by the model."},
			{"O, vocabulary", "shape.vocabulary", []string{"1000", "1000", "1000", "1000", "1000", "1000", "177"}, ""},
			{"d_c, embedding", "model.embedding", []string{"128", "128", "128", "128", "128", "128", "128"}, ""},
			{"d, width of a head", "model.width", []string{"256", "256", "256", "512", "512", "512", "512"}, ""},
			{"d_a, answer network", "model.answer_width", []string{"128", "128", "128", "128", "256", "256", "256"}, ""},
			{"dropout of attention", "model.dropout_attention", []string{"0.1", "0.1", "0.1", "0.1", "0.1", "0.1", "0.1"}, ""},
			{"dropout of output", "model.dropout_output", []string{"0", "0", "0", "0", "0", "0", "0.5"}, ""},
			{"GRU_R, hidden", "model.halt_gru", []string{"256", "256", "256", "256", "256", "256", "256"}, ""},
			{"MLP_R, layers", "", []string{"1", "1", "1", "1", "1", "1", "1"}, ""},
			{"MLP_R, hidden", "model.halt_mlp", []string{"64", "64", "64", "64", "64", "64", "64"}, ""},
		}},
		{12, "MEMO, settings searched over", "memo", tasks, true, []SettingRow{
			{"N, hops at most", "model.hops", spread("3, 5, 20", "5, 20", "5, 20"), ""},
			{"gamma", "model.gamma", spread("0.85, 0.9", "0.9", "0.85, 0.9"), ""},
			{"alpha, weight of the value", "model.alpha", spread("0.0001, 0.01, 0.1", "0.01, 0.1", "0.0001, 0.01, 0.1"), ""},
			{"beta, weight of hops", "model.beta", spread("0.001, 0.01, 0.1", "0.01, 0.1", "0.001, 0.01, 0.1"), ""},
			{"bias_init", "model.bias_init", spread("2, 5", "2, 10", "2, 5"), ""},
			{"H, heads", "model.heads", spread("1", "4, 8", "4, 8"), ""},
			{"learning rate of MEMO", "training.learning_rate", spread("0.0001, 0.0005, 0.0007", "0.0001, 0.0005, 0.0007", "0.0001, 0.0005, 0.0007"), ""},
			{"learning rate of halting", "model.halt_learning_rate", spread("5e-05, 0.0001", "5e-05, 0.0001", "5e-05, 0.0001"), ""},
		}},
		{13, "DNC, fixed settings", "dnc", nil, false, []SettingRow{
			{"optimizer", "training.optimizer", all("adam"), ""},
			{"learning rate", "training.learning_rate", all("0.0005"), ""},
			{"input embedding", "model.embedding", all("128"), ""},
			{"input pondering steps", "model.ponder", all("10"), ""},
			{"controller: LSTM, hidden", "model.hidden", all("128"), ""},
			{"read heads", "model.read_heads", all("3"), ""},
			{"memory word size", "model.word", all("384"), ""},
			{"memory output size", "model.output", all("128"), ""},
		}},
		{14, "DNC, settings searched over", "dnc", nil, true, []SettingRow{
			{"learning rate", "training.learning_rate", all("0.0001, 0.0005"), ""},
			{"input pondering steps", "model.ponder", all("0, 5, 10"), ""},
			{"read heads", "model.read_heads", all("1, 3"), ""},
		}},
		{15, "UT, fixed settings", "ut", nil, false, []SettingRow{
			{"optimizer", "training.optimizer", all("adam"), ""},
			{"learning rate", "training.learning_rate", all("0.0005"), ""},
			{"input embedding", "model.embedding", all("128"), ""},
			{"attention type", "", all("dot product"), ""},
			{"attention, hidden", "model.attention", all("512"), ""},
			{"attention heads", "model.heads", all("8"), ""},
			{"transition: fully connected, hidden", "model.transition", all("128"), ""},
			{"hidden layers", "model.recurrent_steps", all("6"), ""},
			{"recurrence type", "", all("RNN"), ""},
			{"recurrent steps", "model.recurrent_steps", all("6"), ""},
			{"dropout of attention", "model.dropout_attention", all("0.1"), ""},
			{"dropout of ReLU", "model.dropout_relu", all("0.1"), ""},
			{"dropout before and after", "model.dropout_residual", all("0.1"), ""},
		}},
		{16, "UT, settings searched over", "ut", nil, true, []SettingRow{
			{"learning rate", "training.learning_rate", all("0.0001, 0.0005, 0.001"), ""},
			{"hidden layers", "model.recurrent_steps", all("2, 6"), ""},
			{"attention, hidden", "model.attention", all("128, 512"), ""},
			{"transition, hidden", "model.transition", all("128, 512"), ""},
			{"heads", "model.heads", all("4, 8"), ""},
		}},
	}
}

// spread returns the value printed for the family of each task in Table 12.
func spread(pai, path, babi string) []string {
	return []string{pai, pai, pai, path, path, path, babi}
}

// PlainValue prints the value of a setting without trailing zeros.
func PlainValue(v any) string {
	if x, ok := v.(float64); ok {
		return strconv.FormatFloat(x, 'g', -1, 64)
	}
	return fmt.Sprint(v)
}

// Outside lists the settings of a run that are not the paper's, by its Tables 11 to 16 for
// the model and task or by its equations: "learning rate 0.001 (paper: 0.0001, 0.0005)".
func Outside(r *record.Record) []string {
	printed, names := map[string][]string{}, map[string]string{}
	var keys []string
	for _, t := range SettingsTables() {
		column := slices.Index(t.Tasks, r.Identity.Task)
		if t.Tasks == nil {
			column = 0
		}
		if t.Model != r.Identity.Model || column < 0 {
			continue
		}
		for _, row := range t.Rows {
			if printed[row.Key] == nil {
				keys, names[row.Key] = append(keys, row.Key), row.Name
			}
			for x := range strings.SplitSeq(row.Values[column], ", ") {
				if !slices.Contains(printed[row.Key], x) { // Tables 11 and 12 may both have it
					printed[row.Key] = append(printed[row.Key], x)
				}
			}
		}
	}
	var list []string
	for _, key := range keys {
		part, name, _ := strings.Cut(key, ".")
		from := map[string]map[string]any{"model": r.Model.Config, "training": r.Model.Training}[part]
		v, ok := from[name]
		if !ok || OfHalting(name) && r.Model.Config["halting"] != "reinforce" {
			continue
		}
		if x := PlainValue(v); !slices.Contains(printed[key], x) {
			list = append(list, fmt.Sprintf("%s %s %s (paper: %s)", strings.ToUpper(r.Identity.Model), names[key], x, strings.Join(printed[key], ", ")))
		}
	}
	several := len(r.Evaluation.AnswerNames()) > 0
	for _, n := range unprinted {
		v, ok := r.Model.Config[n.key]
		if ok && n.model == r.Identity.Model && (several || n.key != "answers") && !slices.Contains(n.paper, PlainValue(v)) {
			list = append(list, fmt.Sprintf("%s %s %s (paper: %s)", strings.ToUpper(r.Identity.Model), n.key, PlainValue(v), n.paper[0]))
		}
	}
	return list
}

// unprinted lists settings that are in none of the paper's tables, with the values that its
// networks may have by its equations and text; the first is shown.
var unprinted = []struct {
	model, key string
	paper      []string
}{
	{"memo", "attention", []string{"softmax"}}, {"memo", "wh", []string{"a matrix", "identity", "random"}},
	{"memo", "halting", []string{"reinforce", "act"}},
	{"emn", "attention", []string{"softmax"}},
	{"ut", "linear_heads", []string{"0"}}, {"ut", "position", []string{"true"}}, {"ut", "answers", []string{"append"}},
	{"dnc", "bidirectional", []string{"false"}}, {"dnc", "answers", []string{"ponder"}},
}

// OfHalting reports whether a setting only concerns halting by REINFORCE.
func OfHalting(setting string) bool {
	return slices.Contains([]string{"gamma", "alpha", "beta", "bias_init", "halt_gru", "halt_mlp", "halt_learning_rate"}, setting)
}
