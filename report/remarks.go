package report

import (
	"fmt"
	"strings"

	"memobench/benchmarks/record"
)

// remarks explain the columns and rows.
func (b *builder) remarks() []string {
	list := []string{"mean ± sd (n): mean and sample standard deviation over n seeds."}
	if b.shown {
		list = append(list, b.source())
	}
	if pai(b.task) && b.anyHas(record.ChoiceAccuracy, b.kinds) {
		list = append(list, "1 of 2: the answer chosen between the two items that the query shows; chance is 50 %. "+
			"Above it, the answer is chosen among all classes.")
	}
	if strings.HasSuffix(b.task, released) && b.shown {
		list = append(list, "The paper's answer is one of 1,000 classes; the released files do not name them, and the answer is left or right.")
	}
	if b.answers != nil {
		list = append(list, b.chain())
	}
	for _, kind := range b.kinds {
		if b.anyHas(record.TolerantAccuracy, []string{kind}) {
			list = append(list, "any: what is as right as the target counts, too. Above, the target alone counts; it was drawn among them.")
			break
		}
	}
	return append(list, b.shared()...)
}

// source says where the published numbers are from.
func (b *builder) source() string {
	text := fmt.Sprintf("paper: Banino et al. 2020, Table %d, at the paper's sizes", b.published.Number)
	if path(b.task) {
		if b.answers != nil {
			text += fmt.Sprintf(", and Table 8 for %s given %s", b.answers[1], b.answers[0])
		}
		return text + "; " + strings.Join(b.published.Remarks, "; ") + "."
	}
	if b.task == "babi" && len(b.kinds) == numBabi {
		text += ", and Table 3 for the mean error and the tasks solved"
	}
	return text + "; MEMO over its five best settings, the others the best run."
}

// chain says what stands in the queries of all answers but the first.
func (b *builder) chain() string {
	first, second := b.answers[0], b.answers[1]
	text := fmt.Sprintf("%s is asked for with the model's own %s in the query", second, first)
	for _, kind := range b.kinds {
		if b.anyAnswer(record.GivenAccuracy, kind, 1) {
			text += fmt.Sprintf("; given %s: with the true one", first)
			break
		}
	}
	if len(b.answers) > 2 {
		text += "; and so on"
	}
	return text + "."
}
