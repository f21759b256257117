package cli

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"

	"memobench/benchmarks/config"
	"memobench/benchmarks/evaluate"
	"memobench/benchmarks/record"
	"memobench/datasets/binfile"
	"memobench/report/results"
)

// score makes a record of another program's answers.
func (p *program) score(args []string) error {
	f := p.flags("score --task NAME ANSWERS --name NAME [flags]",
		`Count the right ones among answers that another program gave to the test questions of
memobench data export, and write a record of them: a column in every table, report, check
and comparison, marked as scored from outside. ANSWERS, a file or - for the standard
input, has one JSON object per line:
{"id": ..., "answer": ...} with a number, a word, or a list where several are asked for, or
{"id": ..., "scores": [...]} with a score for each possible answer. What is said of the
model and its training is stated, and not checked. Refused are answers to questions of
another protocol, of other data or of another split, missing and duplicated ones.`,
		[2]string{"score --task pai3 --preset quick answers.jsonl --name bow", "a column next to those of make run"},
		[2]string{"score --task babi answers.jsonl --name gru --framework PyTorch --parameters 120000 --steps 5000 --seed 1", "what its user states of it"})
	var o protocolFlags
	var model evaluate.ExternalModel
	var task, out string
	f.StringVar(&task, "task", "", "`NAME` of the task")
	f.StringVar(&model.Name, "name", "", "`NAME` of the model, the title of its column")
	o.add(f)
	f.StringVar(&model.Framework, "framework", "", "`NAME` of the program or library that the model was trained with")
	f.IntVar(&model.Parameters, "parameters", 0, "`NUMBER` of trained parameters")
	f.IntVar(&model.Steps, "steps", 0, "`NUMBER` of training steps")
	f.Int64Var(&model.Examples, "examples", 0, "`NUMBER` of training examples seen, repeats counted")
	f.Uint64Var(&model.Seed, "seed", 0, "`NUMBER`, the seed of the training (default 0)")
	f.StringVar(&out, "out", "", "new directory for the record, `DIR` (default: one below runs/, named after the model)")
	path, err := f.one(args, "a file of answers", "--task pai3 --preset quick answers.jsonl --name bow")
	for _, flag := range [][2]string{{"task", "pai3"}, {"name", "bow"}} {
		if err == nil {
			err = required(f, flag[0], flag[1])
		}
	}
	if err != nil {
		return err
	}
	if !modelName.MatchString(model.Name) || config.IsOwnName(model.Name) {
		return usagef("score: --name %q: want letters, digits, blanks, . _ or -, and not the name of a model of memobench ls", model.Name)
	}
	if model.Parameters < 0 || model.Steps < 0 || model.Examples < 0 {
		return usagef("score: --parameters, --steps and --examples: want 0 or more")
	}
	cell, src, err := o.open(task)
	if err != nil {
		return err
	}
	out = cmp.Or(out, filepath.Join("runs", config.DirName(cell.Task, model.Name, model.Seed, cell.ProtocolHash())))
	in, name := io.Reader(os.Stdin), "standard input"
	if path != "-" {
		file, _, err := binfile.OpenRegular(path)
		if err != nil {
			return fmt.Errorf("score: reading answers: %w", err)
		}
		defer file.Close()
		in, name = file, path
	}
	rec, err := evaluate.Score(p.ctx, cell, src, in, name, out, recordedBLAS(), model)
	if err != nil {
		return err
	}
	return p.printRun(results.Run{Path: filepath.Join(out, record.FileName), Record: rec})
}

var modelName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9 ._-]*$`)
