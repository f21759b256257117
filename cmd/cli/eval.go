package cli

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"memobench/benchmarks/evaluate"
	"memobench/benchmarks/record"
	"memobench/cmd/memobench/data"
	"memobench/datasets"
	"memobench/models/checkpoint"
	"memobench/models/engine"
	"memobench/report/results"
)

// eval evaluates trained weights again.
func (p *program) eval(args []string) error {
	f := p.flags("eval --checkpoint PATH [flags]",
		`Evaluate the weights of a run again: on another split, with more questions, or
on files of your own. The weights' file alone is enough; it says which model and
task it is of. Nothing is written, unless --keep-predictions or --out asks for it.`,
		[2]string{"eval --checkpoint runs/memo-2", "the test split of the run's own protocol"},
		[2]string{"eval --checkpoint runs/memo-2/model.safetensors --split validation --per-kind 5000", "more questions, from the validation split"},
		[2]string{"eval --checkpoint runs/memo-2 --keep-predictions", "write the answer to every question next to the run's record"},
		[2]string{"eval --checkpoint runs/memo-2 --out runs/evaluated", "a record of what these weights give now, to check against the run's own"},
		[2]string{"eval --checkpoint runs/emn-babi --data mystories --json", "bAbI files of your own, result as JSON"})
	var path, split string
	var o evaluate.Options
	var quiet, asJSON bool
	var seed uint64
	f.StringVar(&path, "checkpoint", "", "a run's directory or the weights in it, `PATH`")
	f.StringVar(&split, "split", "test", "`SPLIT` to evaluate on: train, validation or test")
	f.dataVar(&o.DataPath)
	f.IntVar(&o.PerKind, "per-kind", 0, "`NUMBER` of questions of each kind (default: as in the run's protocol)")
	f.BoolVar(&o.All, "all", false, "all questions, where the task has finitely many")
	f.Uint64Var(&seed, "seed", 0, "`NUMBER`, the seed of the questions (default: as in the run's protocol)")
	f.BoolVar(&o.KeepPredictions, "keep-predictions", false, "write the answers next to the run's record; the questions must be those of the record")
	f.StringVar(&o.Out, "out", "", "empty directory `DIR` for a record of this evaluation, for check and compare; the questions must be those of the run's record")
	f.BoolVar(&o.AllowCommand, "allow-command", false, "let the weights of an external model start the command that they name")
	f.BoolVar(&quiet, "quiet", false, "print the result only")
	f.BoolVar(&asJSON, "json", false, "print the result as JSON")
	if err := f.parse(args, ""); err != nil {
		return err
	}
	if err := required(f, "checkpoint", "runs/memo-2"); err != nil {
		return err
	}
	var err error
	if o.Split, err = datasets.ParseSplit(split); err != nil {
		return usagef("eval: --split: %w", err)
	}
	if o.PerKind < 0 || o.PerKind == 0 && f.Changed("per-kind") || o.PerKind > datasets.MaxPerKind || o.PerKind > 0 && o.All {
		return usagef("eval: --per-kind wants 1 to %d, and not --all as well", datasets.MaxPerKind)
	}
	if (o.KeepPredictions || o.Out != "") && (o.Split != datasets.Test || o.PerKind > 0 || o.All || f.Changed("seed")) {
		return usagef("eval: --keep-predictions and --out are for the questions of the run's record: leave out --split, --per-kind, --all and --seed")
	}
	if f.Changed("seed") {
		o.Seed = &seed
	}
	if err := checkDataOf(path, o.DataPath); err != nil {
		return err
	}
	engine.SetBLASThreads(1)
	o.BLAS = recordedBLAS()
	p.printBLAS(quiet, asJSON)
	result, err := evaluate.Stored(p.ctx, path, o)
	if err != nil {
		return p.stopped(err, "nothing was written", args, "eval")
	}
	if asJSON {
		return p.printJSON(evaluation(result))
	}
	p.printEvaluation(result)
	if o.Out != "" {
		fmt.Fprintf(p.stdout, "  record: %s\n", filepath.Join(o.Out, record.FileName))
	}
	if result.Predictions != "" {
		fmt.Fprintf(p.stdout, "  answers: %s\n", result.Predictions)
	}
	return nil
}

// checkDataOf is checkData for the task of the weights at path. Weights that cannot be read
// pass: evaluating them reports that.
func checkDataOf(path, data string) error {
	if data == "" {
		return nil
	}
	text, _, err := checkpoint.LoadWeights(evaluate.WeightsPath(path))
	var meta struct {
		Cell struct {
			Task string `json:"task"`
		} `json:"cell"`
	}
	if err != nil || json.Unmarshal(text, &meta) != nil {
		return nil
	}
	return checkData(data, meta.Cell.Task)
}

// evalJSON is what eval --json prints.
type evalJSON struct {
	Weights    string            `json:"weights"` // path
	Step       int               `json:"step"`
	Task       string            `json:"task"`
	Model      string            `json:"model"` // label in the preset
	Seed       uint64            `json:"seed"`
	SameData   bool              `json:"same_data"` // as in training
	Dataset    datasets.Spec     `json:"dataset"`
	Kept       string            `json:"predictions,omitempty"` // path of the answers, if they were kept
	Labels     []string          `json:"labels"`                // caveats of the data and of the run
	Overrides  []string          `json:"overrides,omitempty"`   // changes to the preset in training, as key=value
	Evaluation record.Evaluation `json:"evaluation"`
}

func evaluation(r *evaluate.Result) evalJSON {
	return evalJSON{Weights: r.Path, Step: r.Step, Task: r.Cell.Task, Model: r.Cell.Label, Seed: r.Cell.Seed,
		SameData: r.SameData, Dataset: r.Dataset, Labels: labels(r), Kept: r.Predictions, Overrides: r.Cell.Overrides, Evaluation: r.Evaluation}
}

// labels lists the caveats of the data of the evaluation, those of the training data if
// they are different, and those of the run.
func labels(r *evaluate.Result) []string {
	var training []string
	if !r.SameData {
		for _, l := range r.TrainedOn {
			training = append(training, "trained on: "+l)
		}
	}
	return results.AddNew([]string{}, slices.Concat(r.Dataset.Caveats.Texts(), training, r.Cell.Labels)...)
}

// printEvaluation prints counts and accuracies by kind, with their caveats.
func (p *program) printEvaluation(r *evaluate.Result) {
	fmt.Fprintf(p.stdout, "%s, weights of step %d, on the %s split\n", r.Cell.Name(), r.Step, r.Evaluation.Split)
	rec := &record.Record{Evaluation: r.Evaluation}
	for i, k := range r.Evaluation.Kinds {
		if k.Total == 0 {
			continue
		}
		fmt.Fprintln(p.stdout, score("  ", k.Name, k.Correct, k.Total, func(m record.Metric) (float64, bool) { return m.Value(rec, i) }))
		for a, answer := range k.Answers {
			fmt.Fprintln(p.stdout, score("    ", answer.Name, answer.Correct, k.Total, func(m record.Metric) (float64, bool) { return m.OfAnswer(rec, i, a) }))
		}
	}
	mean, _ := record.Accuracy.Value(rec, record.AllKinds)
	fmt.Fprintf(p.stdout, "  %-8s %6.2f %%", "mean", mean)
	if r.Evaluation.Loss != nil {
		fmt.Fprintf(p.stdout, ", loss %.4f nats", *r.Evaluation.Loss)
	}
	fmt.Fprintln(p.stdout, hops(&r.Evaluation))
	fmt.Fprintf(p.stdout, "  data: %s, %s\n", r.Dataset.Task, data.SettingsText(r.Dataset.Settings))
	if !r.SameData {
		fmt.Fprintln(p.stdout, "  data: not those the model was trained on")
	}
	if len(r.Cell.Overrides) > 0 {
		fmt.Fprintf(p.stdout, "  changed in preset %s: %s\n", r.Cell.Preset, strings.Join(r.Cell.Overrides, ", "))
	}
	for _, l := range labels(r) {
		fmt.Fprintf(p.stdout, "  label: %s\n", l)
	}
}

// hops prints the mean number of hops, also for each of several answers; empty for a model
// without hops.
func hops(e *record.Evaluation) string {
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

// score returns a line with counts and all metrics in per cent, accuracy first.
func score(indent, name string, correct, total int, value func(m record.Metric) (float64, bool)) string {
	right, _ := value(record.Accuracy)
	line := fmt.Sprintf("%s%-8s %6.2f %%  (%d of %d)", indent, name, right, correct, total)
	for _, m := range record.Metrics {
		if v, ok := value(m); ok && m.Unit == "%" && m.Name != record.Accuracy.Name {
			line += fmt.Sprintf(", %s %.2f %%", m.Title, v)
		}
	}
	return line
}
