package babi

import (
	"fmt"

	"memobench/datasets/babi/format"
)

// Check reads the file to its end, calls report for each error in it, and
// returns the numbers of its stories and questions. Errors name file and line.
// It finds no fault with what Open takes.
func (f File) Check(report func(error)) (stories, questions int) {
	data, err := f.in.read()
	if err != nil {
		report(err)
		return 0, 0
	}
	format.Check(f.in.name, data, func(l *format.Line) error {
		if l.Number == 1 {
			stories++
		}
		if len(format.Words(l.Text)) == 0 {
			return fmt.Errorf("no words in %q", l.Text)
		}
		if l.IsQuestion() {
			questions++
		}
		return nil
	}, report)
	return stories, questions
}
