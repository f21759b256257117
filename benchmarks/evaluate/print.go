package evaluate

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"memobench/benchmarks/record"
)

// Print writes counts and metrics by kind, with their caveats.
func (r *Result) Print(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s seed %d, weights of step %d, on the %s split\n", r.Task, r.Model, r.Seed, r.Step, r.Evaluation.Split)
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
	fmt.Fprintf(&b, "  data: %s", r.Dataset.Task)
	for _, key := range slices.Sorted(maps.Keys(r.Dataset.Settings)) {
		fmt.Fprintf(&b, ", %s=%s", key, r.Dataset.Settings[key])
	}
	fmt.Fprintln(&b)
	if !r.SameData {
		fmt.Fprintln(&b, "  data: not those the model was trained on")
	}
	for _, l := range r.Labels {
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
