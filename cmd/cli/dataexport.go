package cli

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"memobench/benchmarks/evaluate"
	"memobench/benchmarks/printable"
	"memobench/datasets"
	"memobench/datasets/export"
)

// exportFlags are the flags of data export.
type exportFlags struct {
	protocolFlags
	out           string
	seed          uint64
	steps, count  int
	formats       []string
	split         datasets.Split // that --out - writes
	header        bool           // with --out -: a line with the header first
	quiet, asJSON bool
}

func (p *program) dataExportCommand() *cobra.Command {
	e := exportFlags{split: datasets.Train, count: 10_000}
	ownFormats := datasets.NamesOf(func(e datasets.Entry) bool { return e.WriteFiles != nil }) // of a task
	formats := append(export.FormatNames(), ownFormats...)
	c := &cobra.Command{
		Use:   "export TASK --out DIR|-",
		Short: "Write what a model sees under a protocol",
		Long: `Write exactly what a model sees under a study's protocol into a new directory: the questions of the
validation and test split, and the training batches that --steps asks for. SCHEMA.md in it explains
every key, and the task file reads the directory again. With --out - the examples of one split are
printed as JSON lines, with --header after one that describes them. --as babi writes simulated stories
in the format of the official bAbI files.`,
		Example: `  memobench data export pai3 --study quick --out data/pai3
  memobench data export babi --steps 2000 --as npz --out data/babi-batches
  memobench data export babi --as babi --count 1000 --out data/stories`,
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: completeNames(datasets.Names),
		RunE: func(c *cobra.Command, args []string) error {
			f, task := c.Flags(), args[0]
			for _, name := range e.formats {
				if !slices.Contains(formats, name) {
					return unknown("format", name, formats)
				}
			}
			own := slices.Contains(ownFormats, e.formats[0])
			switch {
			case e.out == "-" && f.Changed("as"):
				return usagef("data export: --as: --out - writes only JSON lines; --as needs --out DIR")
			case e.out != "-" && f.Changed("split"):
				return usagef("data export: --split: a directory gets all splits; --split needs --out -")
			case e.out != "-" && e.header:
				return usagef("data export: --header: a directory gets the header as dataset.json; --header needs --out -")
			case own && (len(e.formats) > 1 || task != e.formats[0]):
				return usagef("data export: --as %s: the format is only for the task %s, and only without other formats", e.formats[0], e.formats[0])
			case !own && f.Changed("count"):
				return usagef("data export: --count: it has an effect only with --as %s", strings.Join(ownFormats, ", "))
			case own:
				return p.writeFiles(&e, task)
			case e.out == "-" && e.steps == 0:
				e.steps = -1
			}
			return p.export(&e, task)
		},
	}
	f := c.Flags()
	f.StringVar(&e.out, "out", "", "new directory, `DIR`, or - for standard output")
	e.add(f)
	f.Uint64Var(&e.seed, "seed", 0, "`NUMBER`, the seed of the training examples, or of the stories (default 0)")
	numberVar(f, &e.steps, "steps", 0, math.MaxInt32, "`NUMBER` of training batches (default 0; with --out - without end)")
	f.StringSliceVar(&e.formats, "as", []string{"jsonl"}, "`NAMES` of formats: "+strings.Join(formats, ", "))
	numberVar(f, &e.count, "count", 1, math.MaxInt32, "`NUMBER` of training questions of each task, for --as babi; test has a tenth of it")
	splitVar(f, &e.split)
	f.BoolVar(&e.header, "header", false, "with --out -: first print the content of dataset.json in a line")
	f.BoolVar(&e.quiet, "quiet", false, "no progress")
	f.BoolVar(&e.asJSON, "json", false, "print the header as JSON")
	needFlags(c, "out")
	c.MarkFlagsMutuallyExclusive("steps", "count")
	return c
}

// export writes the training batches and questions of a protocol.
func (p *program) export(e *exportFlags, task string) error {
	cell, src, err := e.open(task)
	if err != nil {
		return err
	}
	cell.Seed = e.seed
	plan, err := evaluate.ExportPlan(p.ctx, cell, src, e.steps)
	if err != nil {
		return err
	}
	plan.Formats = slices.Compact(e.formats)
	if e.out == "-" {
		return plan.Stream(p.ctx, p.stdout, e.split, e.header)
	}
	tick, stop := p.ticks("writing "+e.out, e.quiet)
	h, err := export.Write(p.ctx, e.out, plan, tick)
	stop()
	if err != nil {
		return p.stopped(err, "nothing was written")
	}
	if e.asJSON {
		return p.printJSON(h)
	}
	return p.printWritten(e.out, h)
}

// writeFiles writes generated files in a task's own format.
func (p *program) writeFiles(e *exportFlags, task string) error {
	e.tasks = []string{task}
	selected, err := e.load()
	if err != nil {
		return err
	}
	cell := selected.Cells()[0]
	entry, _ := datasets.Lookup(task)
	err = export.Stage(e.out, func(staged string) error { return entry.WriteFiles(staged, cell.Settings, e.seed, e.count) })
	if _, setting := errors.AsType[*datasets.SettingError](err); setting {
		return usage(err)
	}
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(p.stdout, "%s: generated files, seed %d\nTo train on them: --task %s --data %s\n", e.out, e.seed, task, quote(e.out))
	return err
}

// printWritten prints what was written.
func (p *program) printWritten(dir string, h *export.Header) error {
	var size int64
	fmt.Fprintf(p.stdout, "%s: %s, seed %d, protocol %s, fingerprint %s\n", dir, h.Task, h.Seed, h.Protocol.Hash, h.Fingerprint)
	for _, f := range h.Files {
		if size += f.Bytes; f.Count > 0 {
			fmt.Fprintf(p.stdout, "  %s: %d of the %s split\n", f.Name, f.Count, f.Split)
		}
	}
	for _, l := range h.Labels {
		fmt.Fprintf(p.stdout, "label: %s\n", l)
	}
	_, err := fmt.Fprintf(p.stdout, "%s in all; the keys are explained in %s\n", printable.Bytes(size), filepath.Join(dir, export.SchemaName))
	return err
}
