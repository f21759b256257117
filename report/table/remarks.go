package table

import (
	"fmt"
	"slices"
	"strings"

	"memobench/benchmarks/record"
	"memobench/report/paper"
)

// remarks explain the columns and rows.
func (b *builder) remarks() []string {
	list := []string{"mean ± sd (n): mean and sample standard deviation over n seeds."}
	if b.quoted {
		list = append(list, paper.Source(b.shown.Paper, b.answers, b.wholeSuite()))
	}
	if b.shown.Choice != "" && b.anyHas(record.ChoiceAccuracy, b.kinds) {
		list = append(list, fmt.Sprintf("1 of 2: %s; chance is %g %%. Above it, the answer is chosen among all classes.", b.shown.Choice, b.shown.Chance))
	}
	if b.shown.Note != "" && b.quoted {
		list = append(list, b.shown.Note)
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

// chain says what the queries of all answers but the first hold, of the models that
// are queried for one answer after the other: those that can be given the true ones.
// Others give all answers to one query.
func (b *builder) chain() string {
	first, second := b.answers[0], b.answers[1]
	var chained, whole []string
	for _, c := range b.columns {
		switch {
		case len(c.runs) == 0:
		case slices.ContainsFunc(b.kinds, func(kind string) bool { return len(c.answerValues(record.GivenAccuracy, kind, 1)) > 0 }):
			chained = append(chained, c.Title)
		default:
			whole = append(whole, c.Title)
		}
	}
	once := strings.Join(whole, ", ") + ": all answers are given to one query."
	if chained == nil {
		return once
	}
	text := fmt.Sprintf("%s is asked for with the model's own %s in the query; given %s: with the true one", second, first, first)
	if len(b.answers) > 2 {
		text += "; and so on"
	}
	if whole != nil {
		return strings.Join(chained, ", ") + ": " + text + ". " + once
	}
	return text + "."
}
