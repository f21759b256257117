package cli

import (
	"strings"

	"memobench/benchmarks/config"
	"memobench/cmd/memobench/data"
	"memobench/datasets"
)

// dataExport writes the training batches and questions of a protocol.
func (p *program) dataExport(args []string) error {
	f := p.groupFlags("data export TASK --out DIR|- [flags]",
		`Write exactly what a model of this program sees under a preset's protocol: the questions
of the validation and the test split, and as many training batches as --steps says, into
a new directory. Every example has an id; memobench score takes the answers to the test
questions by these. dataset.json names the protocol, the sizes, the words and the fingerprint
of the data, SCHEMA.md explains every key. Formats, by --as: jsonl, npz (NumPy; rows packed,
with offsets), parquet, and text: each example in plain language with its answer, and a
task file for lm-evaluation-harness. With --out - the examples of one split are written to
standard output as JSON lines, training examples without end unless --steps says so.`,
		[2]string{"data export pai3 --preset quick --out data/pai3", "the questions of the small preset"},
		[2]string{"data export babi --steps 2000 --as npz,parquet --out data/babi-batches", "with training batches, for NumPy and others"},
		[2]string{"data export sp10-2-2 --as text --out data/sp-text", "for language models"},
		[2]string{"data export pai3 --seed 3 --out -", "training examples of seed 3, without end"})
	var w dataWriter
	var o protocolFlags
	var seed uint64
	var steps int
	var split string
	var formats []string
	w.add(f)
	o.add(f)
	f.Uint64Var(&seed, "seed", 0, "`NUMBER`, the seed of the training examples (default 0)")
	f.IntVar(&steps, "steps", 0, "`NUMBER` of training batches (default 0; with --out - without end)")
	f.StringSliceVar(&formats, "as", []string{"jsonl"}, "`NAMES` of formats: "+strings.Join(data.FormatNames(), ", "))
	f.StringVar(&split, "split", "train", "`SPLIT` that --out - writes: train, validation or test")
	task, err := f.one(args, "a task", "pai3 --out data/pai3")
	if err != nil {
		return err
	}
	if err := required(f, "out", "data/"+task); err != nil {
		return err
	}
	of, err := datasets.ParseSplit(split)
	stream := w.out == "-"
	switch {
	case err != nil:
		return usagef("data export: --split: %w", err)
	case steps < 0 || steps == 0 && f.Changed("steps") && stream && of == datasets.Train:
		return usagef("data export: --steps %d: want 0 or more, with --out - 1 or more", steps)
	case len(formats) == 0:
		return usagef("data export: --as: no format, want one or more of %s", strings.Join(data.FormatNames(), ", "))
	case stream && f.Changed("as"):
		return usagef("data export: --out - writes JSON lines; --as is for directories")
	case !stream && f.Changed("split"):
		return usagef("data export: --split is for --out -; a directory has all splits")
	case stream && steps == 0:
		steps = -1
	}
	cell, src, err := o.open(task)
	if err != nil {
		return err
	}
	cell.Seed = seed
	plan, err := data.NewExport(p.ctx, cell, src, steps, formats)
	if err != nil {
		return err
	}
	if stream {
		return plan.Stream(p.ctx, p.stdout, of)
	}
	return p.writeData(&w, plan, "export", args)
}

// protocolFlags select the protocol of a task.
type protocolFlags struct {
	preset, data string
	set          []string
}

func (o *protocolFlags) add(f *flagSet) {
	f.StringVar(&o.preset, "preset", "standard", "`NAME` of the preset whose protocol is taken (memobench ls), or a .yaml file of that form")
	f.StringArrayVar(&o.set, "set", nil, "change the preset, as `KEY=VALUE`; may be given several times (keys: memobench ls -v)")
	f.dataVar(&o.data)
}

// open returns a run of the task in the preset, and its data.
func (o *protocolFlags) open(task string) (*config.Cell, datasets.Source, error) {
	if err := checkData(o.data, task); err != nil {
		return nil, nil, err
	}
	preset, err := partOf(o.preset, []string{task}, nil, nil, o.set)
	if err != nil {
		return nil, nil, err
	}
	cell := preset.Cells()[0]
	src, err := config.OpenSource(&cell, datasets.Options{DataPath: o.data})
	return &cell, src, err
}
