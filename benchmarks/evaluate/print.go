package evaluate

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"memobench/benchmarks/record"
	"memobench/datasets"
)

// MarshalJSON returns what memobench eval --json prints.
func (r *Result) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Weights     string            `json:"weights"` // path
		Step        int               `json:"step"`
		Task        string            `json:"task"`
		Model       string            `json:"model"` // name of the run
		Seed        uint64            `json:"seed"`
		SameData    bool              `json:"same_data"` // as in training
		Dataset     datasets.Spec     `json:"dataset"`
		Predictions string            `json:"predictions,omitempty"` // path of the answers, if they were kept
		Labels      []string          `json:"labels"`                // caveats of the data and of the run
		Evaluation  record.Evaluation `json:"evaluation"`
	}{r.Path, r.Step, r.Cell.Task, r.Cell.Name, r.Cell.Seed, r.SameData, r.Dataset, r.Predictions, r.labels(), r.Evaluation})
}

// labels lists the caveats of the data of the evaluation, those of the training data if
// they are different, and those of the run.
func (r *Result) labels() []string {
	all := r.Dataset.Caveats.Texts()
	if !r.SameData {
		for _, l := range r.TrainedOn {
			all = append(all, "trained on: "+l)
		}
	}
	list := []string{}
	for _, l := range all {
		if !slices.Contains(list, l) {
			list = append(list, l)
		}
	}
	return list
}

// Print writes counts and metrics by kind, with their caveats.
func (r *Result) Print(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%v, weights of step %d, on the %s split\n", &r.Cell, r.Step, r.Evaluation.Split)
	rec := &record.Record{Evaluation: r.Evaluation}
	for i, k := range r.Evaluation.Kinds {
		if k.Total == 0 {
			continue
		}
		fmt.Fprintln(&b, metrics("  ", k.Name, k.Correct, k.Total, func(m record.Metric) (float64, bool) { return m.Value(rec, i) }))
		for a, answer := range k.Answers {
			fmt.Fprintln(&b, metrics("    ", answer.Name, answer.Correct, k.Total, func(m record.Metric) (float64, bool) { return m.OfAnswer(rec, i, a) }))
		}
	}
	mean, _ := record.Accuracy.Value(rec, record.AllKinds)
	fmt.Fprintf(&b, "  %-8s %6.2f %%", "mean", mean)
	if r.Evaluation.Loss != nil {
		fmt.Fprintf(&b, ", loss %.4f nats", *r.Evaluation.Loss)
	}
	fmt.Fprintln(&b, HopsText(&r.Evaluation))
	var settings []string
	for _, key := range slices.Sorted(maps.Keys(r.Dataset.Settings)) {
		settings = append(settings, key+"="+r.Dataset.Settings[key])
	}
	fmt.Fprintf(&b, "  data: %s, %s\n", r.Dataset.Task, strings.Join(settings, ", "))
	if !r.SameData {
		fmt.Fprintln(&b, "  data: not those the model was trained on")
	}
	for _, l := range r.labels() {
		fmt.Fprintf(&b, "  label: %s\n", l)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// HopsText prints the mean number of hops, also for each of several answers; "" for a model
// without hops.
func HopsText(e *record.Evaluation) string {
	if e.Hops == nil {
		return ""
	}
	text := fmt.Sprintf(", hops %.2f", *e.Hops)
	var each []string
	for a, h := range e.AnswerHops {
		each = append(each, fmt.Sprintf("%s: %.2f", e.Kinds[0].Answers[a].Name, h))
	}
	if each != nil {
		text += " (" + strings.Join(each, ", ") + ")"
	}
	return text
}

// metrics returns a line with counts and all metrics in per cent, accuracy first.
func metrics(indent, name string, correct, total int, value func(m record.Metric) (float64, bool)) string {
	accuracy, _ := value(record.Accuracy)
	line := fmt.Sprintf("%s%-8s %6.2f %%  (%d of %d)", indent, name, accuracy, correct, total)
	for _, m := range record.Metrics {
		if v, ok := value(m); ok && m.Unit == "%" && m.Name != record.Accuracy.Name {
			line += fmt.Sprintf(", %s %.2f %%", m.Title, v)
		}
	}
	return line
}
