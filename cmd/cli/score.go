package cli

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"memobench/benchmarks/evaluate"
	"memobench/benchmarks/study"
	"memobench/datasets"
	"memobench/datasets/binfile"
)

func (p *program) scoreCommand() *cobra.Command {
	var o protocolFlags
	var model evaluate.ExternalModel
	var strict bool
	var task, out string
	c := &cobra.Command{
		Use:   "score --task NAME --name NAME ANSWERS",
		Short: "Make a record of the answers that another program gave",
		Long: `Count the correct answers of another program to the test questions of memobench data export, and
write a record of them. ANSWERS, a file or - for the standard input, has one JSON object per
line: {"id": ..., "answer": ...} or {"id": ..., "scores": [...]}, or the samples that
lm-evaluation-harness logs (samples_*.jsonl). What the flags say of the model is recorded as stated,
not checked.`,
		Example: `  memobench score --task pai3 --study quick answers.jsonl --name bow
  memobench score --task babi answers.jsonl --name gru --framework PyTorch --parameters 120000 --steps 5000 --seed 1`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if !modelName.MatchString(model.Name) || study.IsOwnName(model.Name) {
				return usagef("score: --name %q: want letters, digits, blanks, . _ or -, and not the name of a model of memobench ls", model.Name)
			}
			cell, src, err := o.open(task)
			if err != nil {
				return err
			}
			out = cmp.Or(out, filepath.Join("runs", study.DirName(cell.Task, model.Name, model.Seed, cell.ProtocolHash())))
			in, name := io.Reader(os.Stdin), "standard input"
			if args[0] != "-" {
				lines, err := binfile.ReadText(args[0], maxText)
				if err != nil {
					return fmt.Errorf("score: reading answers: %w", err)
				}
				in, name = strings.NewReader(lines), args[0]
			}
			rec, err := evaluate.Score(p.ctx, cell, src, in, name, out, recordedBLAS(), model, strict)
			if err != nil {
				return err
			}
			return p.printRun(out, rec)
		},
	}
	f := c.Flags()
	f.BoolVar(&strict, "strict", false, "refuse an answer that is not among the possible ones")
	f.StringVar(&task, "task", "", "`NAME` of the task")
	f.StringVar(&model.Name, "name", "", "`NAME` of the model, the title of its column")
	o.add(f)
	f.StringVar(&model.Framework, "framework", "", "`NAME` of the program or library that the model was trained with")
	numberVar(f, &model.Parameters, "parameters", 0, math.MaxInt, "`NUMBER` of trained parameters")
	numberVar(f, &model.Steps, "steps", 0, math.MaxInt, "`NUMBER` of training steps")
	f.Int64Var(&model.Examples, "examples", 0, "`NUMBER` of training examples seen, repeats counted")
	f.Uint64Var(&model.Seed, "seed", 0, "`NUMBER`, the seed of the training")
	f.StringVar(&out, "out", "", "new directory for the record, `DIR` (default: one below runs/, named after the model)")
	needFlags(c, "task", "name")
	return c
}

var modelName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9 ._-]*$`)

// studyFlags select runs of a study and change their settings.
type studyFlags struct {
	name  string // of the study, or path of its file
	tasks []string
	only  []string // names of runs
	seeds []uint64
	set   []string
}

// studyVar declares --study.
func (s *studyFlags) studyVar(f *pflag.FlagSet, name string) {
	f.StringVar(&s.name, "study", name, "`NAME` of a study (memobench ls), or path of its .yaml file")
}

// load returns the selected part of a study.
func (s *studyFlags) load() (*study.Study, error) {
	selected, err := study.Load(s.name)
	if err == nil {
		err = selected.Select(s.tasks, s.only)
	}
	if err == nil && len(selected.Experiments) == 0 {
		err = fmt.Errorf("study %s has no runs: it is a list of commands", s.name)
	}
	if err == nil && len(s.seeds) > 0 {
		err = selected.SetSeeds(s.seeds...)
	}
	for _, change := range s.set {
		if err == nil {
			err = selected.Set(change)
		}
	}
	return selected, usage(err)
}

// protocolFlags select the protocol of a task in a study.
type protocolFlags struct {
	studyFlags
	data string
}

func (o *protocolFlags) add(f *pflag.FlagSet) {
	o.studyVar(f, "standard")
	setVar(f, &o.set)
	dataVar(f, &o.data)
}

// open returns a run of the task in the study, and its data.
func (o *protocolFlags) open(task string) (*study.Cell, datasets.Source, error) {
	if err := study.CheckData(o.data, task); err != nil {
		return nil, nil, err
	}
	o.tasks = []string{task}
	selected, err := o.load()
	if err != nil {
		return nil, nil, err
	}
	cell := selected.Cells()[0]
	src, err := study.OpenSource(&cell, datasets.Options{DataPath: o.data})
	return &cell, src, err
}
