package cli

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"golang.org/x/term"

	"memobench/benchmarks/evaluate"
	"memobench/models/engine"
)

// defaultWeights are weights in the repository.
const defaultWeights = "benchmarks/recorded/pretrained/babi-memo"

// ask answers typed questions with trained weights.
func (p *program) ask(args []string) error {
	f := p.flags("ask [FILE] [flags]",
		`Ask trained weights questions of your own, from FILE or from the standard input.
Every line is a row of the memory, for bAbI a statement; a line with a question
mark is a question about the rows before it, and an empty line forgets them.
Printed are the answer, the next best ones with their probabilities, and for each
hop the rows that were attended to most, by the heads with softmax.`,
		[2]string{"ask", "type a bAbI story"},
		[2]string{"ask story.txt --json", "a file of stories, for a program"},
		[2]string{"ask --checkpoint runs/memo-2", "pairs, where the weights are of pai3: A B, B C, then A ? C D"})
	var path, data string
	var asJSON, allow bool
	f.StringVar(&path, "checkpoint", defaultWeights, "a run's directory or the weights in it, `PATH`")
	f.dataVar(&data)
	f.BoolVar(&allow, "allow-command", false, "let the weights of an external model start its command")
	f.BoolVar(&asJSON, "json", false, "print each answer as a line of JSON")
	if err := f.parse(args, "a file"); err != nil {
		return err
	}
	if f.NArg() > 1 {
		return usagef("ask: %d files, want one", f.NArg())
	}
	in, name := io.Reader(os.Stdin), "standard input"
	if f.NArg() == 1 {
		file, err := os.Open(f.Arg(0))
		if err != nil {
			return usagef("ask: reading questions: %w", err)
		}
		defer file.Close()
		in, name = file, f.Arg(0)
	}
	engine.SetBLASThreads(1)
	a, err := evaluate.OpenAsker(path, data, allow)
	if errors.Is(err, fs.ErrNotExist) && !f.Changed("checkpoint") {
		return fmt.Errorf("%w: these weights lie in the repository, from whose root they are found; --checkpoint names others", err)
	}
	if err != nil {
		return err
	}
	c := &conversation{asker: a, json: asJSON, interactive: f.NArg() == 0 && term.IsTerminal(int(os.Stdin.Fd())), out: p.stdout, name: name}
	return c.run(in)
}

// conversation reads lines and answers questions.
type conversation struct {
	asker             *evaluate.Asker
	json, interactive bool
	name              string // of the input
	out               io.Writer
	memory            []string
}

func (c *conversation) run(in io.Reader) error {
	if c.interactive {
		fmt.Fprintf(c.out, "%s. A line for each row, then a question; an empty line begins anew, Ctrl-D ends.\nFor example: %s\n> ",
			c.asker.Title(), c.asker.QuestionForm())
	}
	lines := bufio.NewScanner(in)
	asked := false
	for number := 1; lines.Scan(); number++ {
		line := strings.TrimSpace(lines.Text())
		var err error
		switch {
		case line == "":
			c.memory = nil
		case !strings.Contains(line, "?"):
			longer := append(slices.Clip(c.memory), line)
			if err = c.asker.CheckMemory(longer); err == nil {
				c.memory = longer
			}
		case severalQuestions(line):
			err = errors.New("several question marks, want one question per line")
		default:
			asked = true
			err = c.answer(line)
		}
		if err != nil && !c.interactive {
			return usagef("%s:%d: %w", c.name, number, err)
		}
		if err != nil {
			fmt.Fprintf(c.out, "%v; this line is left out, an empty line begins anew\n", err)
		}
		if c.interactive {
			fmt.Fprint(c.out, "> ")
		}
	}
	if c.interactive {
		fmt.Fprintln(c.out)
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("ask: reading questions from %s: %w", c.name, err)
	}
	if !asked && !c.interactive {
		return usagef("%s: no question, that is, no line with a question mark", c.name)
	}
	return nil
}

// severalQuestions reports whether a line has several question marks, of which those at its
// end count as one.
func severalQuestions(line string) bool {
	inner := strings.TrimRight(line, "? ")
	return strings.Count(inner, "?") > 1 || strings.Contains(inner, "?") && strings.Contains(line[len(inner):], "?")
}

// answer prints the reply to a question.
func (c *conversation) answer(question string) error {
	r, err := c.asker.Ask(c.memory, question)
	if err != nil {
		return err
	}
	if c.json {
		return json.NewEncoder(c.out).Encode(r)
	}
	var b strings.Builder
	for _, a := range r.Answers {
		b.WriteString(strings.TrimSpace(a.Name + " "))
		if a.Name != "" {
			b.WriteString(": ")
		}
		fmt.Fprintf(&b, "%s (%s)", a.Best[0].Answer, percent(a.Best[0].Probability))
		for i, other := range a.Best[1:] {
			fmt.Fprintf(&b, "%s%s (%s)", []string{"; then ", ", "}[min(i, 1)], other.Answer, percent(other.Probability))
		}
		b.WriteString("\n")
		for hop, weights := range a.Hops {
			fmt.Fprintf(&b, "  hop %d: %s\n", hop+1, strongest(weights, r.Memory))
		}
	}
	_, err = io.WriteString(c.out, b.String())
	return err
}

// At most maxAttended rows of a hop are printed: those with at least minAttention, and the
// first.
const (
	maxAttended  = 3
	minAttention = 0.05
)

// strongest lists the rows with the highest attention.
func strongest(weights []float64, memory []string) string {
	order := make([]int, len(weights))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(x, y int) int { return cmp.Compare(weights[y], weights[x]) })
	var list []string
	for n, i := range order {
		if n == maxAttended || n > 0 && weights[i] < minAttention {
			break
		}
		list = append(list, fmt.Sprintf("%s %q", percent(weights[i]), memory[i]))
	}
	return strings.Join(list, ", ")
}

func percent(p float64) string { return fmt.Sprintf("%.1f %%", 100*p) }
