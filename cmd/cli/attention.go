package cli

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"memobench/benchmarks/evaluate"
	"memobench/datasets"
	"memobench/models/checkpoint"
	"memobench/models/engine"
	"memobench/report/figure"
	"memobench/report/results"
)

// maxQuestion limits the number of a question: all before it are drawn, too.
const maxQuestion = 9999

// attention shows the attention weights of a trained model on one question.
func (p *program) attention(args []string) error {
	f := p.flags("attention --checkpoint PATH [flags]",
		`Ask a trained model one question and show where it looks in its memory at each
hop, as shaded blocks with the attention in per cent, the mean over its heads
with softmax: the paper's figures 2 and 4. With --out the weights are also written to a file, which memobench report
draws where it finds it; its name must end in .trace.json.`,
		[2]string{"attention --checkpoint runs/memo-2 --kind A-C", "the first question of that kind"},
		[2]string{"attention --checkpoint runs/memo-2 --question 7 --out runs/memo-2/7.trace.json", "another one, for a report"})
	var path, split, out string
	var o evaluate.AttentionOptions
	f.StringVar(&path, "checkpoint", "", "a run's directory or the weights in it, `PATH`")
	f.StringVar(&o.Kind, "kind", "", "`KIND` of question (default: the last that the task has, its hardest)")
	f.IntVar(&o.Nth, "question", 0, "`NUMBER` of the question among those of its kind in the split, in the order of files, from 0")
	f.StringVar(&split, "split", "test", "`SPLIT` of the question: train, validation or test")
	f.dataVar(&o.DataPath)
	f.StringVar(&out, "out", "", "also write the weights to `FILE`, which ends in .trace.json")
	if err := f.parse(args, ""); err != nil {
		return err
	}
	if err := required(f, "checkpoint", "runs/memo-2"); err != nil {
		return err
	}
	var err error
	if o.Split, err = datasets.ParseSplit(split); err != nil {
		return usagef("attention: --split: %w", err)
	}
	if o.Nth < 0 || o.Nth > maxQuestion {
		return usagef("attention: --question %d: want 0 to %d", o.Nth, maxQuestion)
	}
	if out != "" && !results.IsTrace(out) {
		return usagef("attention: --out %s: want a name that ends in .trace.json, by which memobench report finds it", out)
	}
	if err := checkDataOf(path, o.DataPath); err != nil {
		return err
	}
	engine.SetBLASThreads(1)
	t, err := evaluate.Attention(p.ctx, path, o)
	if err != nil {
		return p.stopped(err, "nothing was written", args, "attention")
	}
	for _, line := range figure.Shades(t, p.style(false).ASCII) {
		fmt.Fprintln(p.stdout, line)
	}
	if out == "" {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(out), 0o755); err != nil {
		return fmt.Errorf("attention: --out: %w", err)
	}
	return checkpoint.WriteFile(out, func(w io.Writer) error { return t.Write(w) })
}
