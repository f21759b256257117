package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"memobench/benchmarks/evaluate"
	"memobench/benchmarks/record"
	"memobench/benchmarks/study"
	"memobench/benchmarks/train"
	"memobench/cmd/cli/progress"
)

// reporter shows the events of a run on the display.
type reporter struct {
	display *progress.Display
	now     progress.State
	start   time.Time
	begun   bool
}

func (r *reporter) Begin(c study.Cell, from int) {
	r.begun = true
	r.now.Step, r.now.Steps = from, c.Protocol.Steps
	if from > 0 {
		r.display.Print(fmt.Sprintf("%s: resumed after step %d", r.now.Name, from))
	}
	r.display.Show(r.now)
}

func (r *reporter) Stepped(u train.Update) {
	r.now.Step, r.now.Steps, r.now.Loss = u.Step, u.Total, u.Loss
	r.now.Speed, r.now.Left = u.PerSecond, u.Left
	r.display.Show(r.now)
}

func (r *reporter) Evaluated(p record.Point) {
	r.now.Kinds = accuracies(p.Kinds)
	r.display.Show(r.now)
}

func (r *reporter) Evaluating(split string) {
	r.now.Phase = "evaluating on the " + split + " split"
	r.display.Show(r.now)
}

func (r *reporter) Warned(text string) {
	r.display.Print(r.now.Name + ": " + text)
}

func (r *reporter) Phase(text string) {
	r.display.Print(fmt.Sprintf("%s: from step %d on %s", r.now.Name, r.now.Step+1, text))
}

func (r *reporter) Ended(rec *record.Record, err error) {
	end := r.now
	end.Closed = true
	var stopped *train.Interrupted
	switch {
	case !r.begun && errors.Is(err, context.Canceled):
		return // stopped before the run started
	case errors.As(err, &stopped):
		end.Note = fmt.Sprintf("stopped and saved at step %d", stopped.Step)
	case errors.Is(err, context.Canceled):
		end.Note = "stopped, nothing was saved"
	case err != nil:
		end.Note = "failed"
	case !r.begun:
		end.Note = "finished before, not run again"
	default:
		end.Note = fmt.Sprintf("%s at step %d after %s: %s", rec.Status, rec.Training.Steps,
			progress.Duration(time.Since(r.start)), progress.Accuracy(accuracies(rec.Evaluation.Kinds))) + evaluate.HopsText(&rec.Evaluation)
		if rec.Status == record.Interrupted {
			end.Note += fmt.Sprintf("; ended by --limit before step %d, the same command (train: with --resume) continues it", r.now.Steps)
		}
	}
	r.display.Show(end)
}

// warner shows only the warnings of a run.
type warner struct {
	train.Progress
	display *progress.Display
	name    string
}

func (w *warner) Warned(text string) { w.display.Print(w.name + ": " + text) }

// accuracies converts counts to per cent.
func accuracies(kinds []record.Kind) []progress.Kind {
	var list []progress.Kind
	for _, k := range kinds {
		if k.Total > 0 {
			list = append(list, progress.Kind{Name: k.Name, Accuracy: k.PerCent()})
		}
	}
	return list
}
