package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"time"

	"memobench/benchmarks/evaluate"
	"memobench/benchmarks/printable"
	"memobench/benchmarks/record"
	"memobench/benchmarks/study"
	"memobench/benchmarks/train"
	"memobench/cmd/cli/progress"
	"memobench/models/engine"
	"memobench/report/results"
	"memobench/report/table"
)

// mapped returns what f makes of each element of a list.
func mapped[T, U any](list []T, f func(T) U) []U {
	out := make([]U, 0, len(list))
	for _, v := range list {
		out = append(out, f(v))
	}
	return out
}

// printJSON writes a value as indented JSON.
func (p *program) printJSON(v any) error { return writeJSON(p.stdout, v) }

func writeJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// style is the style of tables on standard output: ASCII where the locale is not UTF-8.
func (p *program) style() table.Style {
	locale := strings.ToLower(cmp.Or(p.getenv("LC_ALL"), p.getenv("LC_CTYPE"), p.getenv("LANG"))) // as in POSIX
	utf8 := strings.Contains(locale, "utf-8") || strings.Contains(locale, "utf8")
	return table.Style{ASCII: p.ascii || !utf8, Width: printable.Columns(p.stdout, p.getenv, 120)}
}

// printRun prints the table of one run, and its directory.
func (p *program) printRun(dir string, rec *record.Record) error {
	if err := p.printRuns([]results.Run{{Record: rec, Source: dir}}, "text"); err != nil {
		return err
	}
	_, err := fmt.Fprintf(p.stdout, "The run is in %s\n", dir)
	return err
}

// printRecords prints the runs' records as a JSON array.
func (p *program) printRecords(runs []results.Run) error {
	return p.printJSON(mapped(runs, func(r results.Run) *record.Record { return r.Record }))
}

// printBLAS prints the first line of every command that computes: the BLAS and the
// number of cores; nothing if quiet. With asJSON it is on standard error.
func (p *program) printBLAS(quiet, asJSON bool) {
	if quiet {
		return
	}
	out := p.stdout
	if asJSON {
		out = p.stderr
	}
	blas := engine.BLAS()
	fmt.Fprintf(out, "BLAS: %s; %s, threads a call: %d\n", blas.Name, printable.Count(runtime.GOMAXPROCS(0), "cores"), blas.Threads)
	if blas.Note != "" {
		fmt.Fprintln(out, blas.Note)
	}
}

// recordedBLAS returns the name of the BLAS for records.
func recordedBLAS() string {
	blas := engine.BLAS()
	return fmt.Sprintf("%s, threads a call: %d", blas.Name, blas.Threads)
}

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
