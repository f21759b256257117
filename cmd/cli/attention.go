package cli

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"memobench/benchmarks/evaluate"
	"memobench/benchmarks/evaluate/trace"
	"memobench/datasets"
	"memobench/models/checkpoint"
	"memobench/report/figure"
)

// maxQuestion limits the number of a question: all before it are drawn, too.
const maxQuestion = 9999

func (p *program) attentionCommand() *cobra.Command {
	var path, out, kind string
	var nth int
	o := evaluate.Options{Split: datasets.Test}
	c := &cobra.Command{
		Use:   "attention --checkpoint PATH",
		Short: "Show where a trained model looks while it answers a question",
		Long: `Show the attention of a trained model to the rows of its memory at each hop, the mean over its
softmax heads in per cent, for one question: the paper's figures 2 and 4.`,
		Example: `  memobench attention --checkpoint runs/memo-2 --kind A-C
  memobench attention --checkpoint runs/memo-2 --question 7 --out runs/memo-2/7.trace.json`,
		Args: cobra.ExactArgs(0),
		RunE: func(*cobra.Command, []string) error {
			if out != "" && !strings.HasSuffix(out, trace.Suffix) {
				return usagef("attention: --out %s: want a name that ends in .trace.json, by which memobench report finds it", out)
			}
			t, err := evaluate.Attention(p.ctx, path, o, kind, nth)
			if err != nil {
				return p.stopped(err, "nothing was written")
			}
			for _, line := range figure.Shades(t, p.style().ASCII) {
				fmt.Fprintln(p.stdout, line)
			}
			if out == "" {
				return nil
			}
			if err := os.MkdirAll(filepath.Dir(out), 0o755); err != nil {
				return fmt.Errorf("attention: --out: %w", err)
			}
			return checkpoint.WriteFile(out, func(w io.Writer) error { return t.Write(w) })
		},
	}
	f := c.Flags()
	f.StringVar(&path, "checkpoint", "", "a run's directory or the weights in it, `PATH`")
	f.StringVar(&kind, "kind", "", "`KIND` of question (default: the last of the task, its hardest)")
	numberVar(f, &nth, "question", 0, maxQuestion, "`NUMBER` of the question among those of its kind, from 0")
	splitVar(f, &o.Split)
	dataVar(f, &o.DataPath)
	f.StringVar(&out, "out", "", "also write the weights to `FILE`.trace.json, which memobench report draws")
	needFlags(c, "checkpoint")
	return c
}
