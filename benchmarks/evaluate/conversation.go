package evaluate

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Conversation answers the questions among lines of text. A line with a question mark is a
// question about the rows in the lines before it; an empty line forgets them.
type Conversation struct {
	Asker       *Asker
	Name        string // of the input, for errors
	JSON        bool   // print each answer as a line of JSON
	Interactive bool   // print a prompt, and continue after a wrong line

	out    io.Writer
	memory []string // rows
}

// Run reads lines and prints the answers: of each the most probable ones and the rows that were
// attended to most at each hop.
func (c *Conversation) Run(in io.Reader, out io.Writer) error {
	c.out = out
	if c.Interactive {
		fmt.Fprintf(c.out, "%s. A line for each row, then a question; an empty line begins anew, Ctrl-D ends.\nFor example: %s\n> ",
			c.Asker.Title(), c.Asker.QuestionForm())
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
			if err = c.Asker.CheckMemory(longer); err == nil {
				c.memory = longer
			}
		case strings.Count(strings.TrimRight(line, "? "), "?")+strings.Count(line[len(line)-1:], "?") > 1:
			err = errors.New("several question marks, want one question per line")
		default:
			asked = true
			err = c.answer(line)
		}
		if err != nil && !c.Interactive {
			return fmt.Errorf("%s:%d: %w", c.Name, number, err)
		}
		if err != nil {
			fmt.Fprintf(c.out, "%v; this line is left out, an empty line begins anew\n", err)
		}
		if c.Interactive {
			fmt.Fprint(c.out, "> ")
		}
	}
	if c.Interactive {
		fmt.Fprintln(c.out)
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("ask: reading questions from %s: %w", c.Name, err)
	}
	if !asked && !c.Interactive {
		return fmt.Errorf("%s: no question, that is, no line with a question mark", c.Name)
	}
	return nil
}

// answer prints the reply to a question.
func (c *Conversation) answer(question string) error {
	r, err := c.Asker.Ask(c.memory, question)
	if err != nil {
		return err
	}
	if c.JSON {
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
