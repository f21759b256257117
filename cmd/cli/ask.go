package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"memobench/benchmarks/evaluate"
	"memobench/datasets/binfile"
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
				return fmt.Errorf("%w: the default weights are found only from the root of the repository; --checkpoint names others", err)
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
