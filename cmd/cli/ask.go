package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"memobench/benchmarks/evaluate"
	"memobench/benchmarks/evaluate/trace"
	"memobench/datasets"
	"memobench/datasets/binfile"
	"memobench/models/checkpoint"
	"memobench/report/figure"
)

// defaultWeights are weights in the repository.
const defaultWeights = "benchmarks/recorded/pretrained/babi-memo"

// maxText is the maximum size of a file of questions or answers in bytes.
const maxText = 256 << 20

func (p *program) askCommand() *cobra.Command {
	var path string
	var o evaluate.Options
	var asJSON bool
	c := &cobra.Command{
		Use:   "ask [FILE]",
		Short: "Ask trained weights questions of your own",
		Long: `Answer the questions in FILE or the standard input with trained weights. A line with a question mark
is a question about the rows (for bAbI: statements) in the lines before it; an empty line starts anew.`,
		Example: `  memobench ask                              type a bAbI story
  memobench ask story.txt --json             a file of stories, for a program
  memobench ask --checkpoint runs/memo-2     for weights of pai3: A B, B C, then A ? C D`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			in, name := io.Reader(os.Stdin), "standard input"
			if len(args) == 1 {
				file, err := os.Open(args[0]) // also a pipe
				if err != nil {
					return usagef("ask: reading questions: %w", err)
				}
				defer file.Close()
				data, err := io.ReadAll(io.LimitReader(file, maxText))
				var questions string
				if err == nil {
					questions, err = binfile.Text(data)
				}
				if err != nil {
					return usagef("ask: reading questions from %s: %w", args[0], err)
				}
				in, name = strings.NewReader(questions), args[0]
			}
			a, err := evaluate.OpenAsker(path, o)
			if errors.Is(err, fs.ErrNotExist) && !c.Flags().Changed("checkpoint") {
				return fmt.Errorf("%w: these weights are in the repository, from whose root they are found; --checkpoint names others", err)
			}
			if err != nil {
				return err
			}
			defer a.Close()
			interactive := len(args) == 0 && term.IsTerminal(int(os.Stdin.Fd()))
			return usage(a.Converse(in, name, p.stdout, asJSON, interactive))
		},
	}
	f := c.Flags()
	f.StringVar(&path, "checkpoint", defaultWeights, "a run's directory or the weights in it, `PATH`")
	dataVar(f, &o.DataPath)
	f.BoolVar(&o.AllowCommand, "allow-command", false, allowCommand)
	f.BoolVar(&asJSON, "json", false, "print each answer as a line of JSON")
	return c
}

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
