package stats

import (
	"bytes"
	"fmt"
	"io"
	"text/tabwriter"
)

// Row is a line of a table: the stories of a task.
type Row struct {
	Task  string // number and title, for example "1 Single Supporting Fact"
	Stats *Stats
}

// Pair is a line of a comparison.
type Pair struct {
	Task string
	A, B *Stats
}

// Table prints the numbers of some tasks, one a line.
func Table(w io.Writer, rows []Row) error {
	return print(w, func(t io.Writer) {
		fmt.Fprintln(t, "task\tstories\tquestions\ta story\tmemory\tlongest\twords\tanswers\tmost frequent\tfacts\tlast fact\tfirst fact")
		for _, r := range rows {
			s := r.Stats
			fmt.Fprintf(t, "%s\t%d\t%d\t%.2f\t%.2f\t%d\t%d\t%d\t%.1f %%\t%.2f\t%.2f\t%.2f\n", r.Task, s.Stories, s.Questions, s.PerStory.Mean(),
				s.Memory.Mean(), s.Memory.Max(), len(s.Words), len(s.Answers), 100*s.Answers.top(), s.Support.Mean(), s.Youngest.Mean(), s.Oldest.Mean())
		}
	}, `
a story: questions of a story. memory: statements before a question, mean and longest. words: distinct ones of statements and questions.
most frequent: share of the most frequent answer. facts: supporting facts of a question; the last and the first of them stand so many
statements before the last one.
`)
}

// Comparison prints how two kinds of stories of some tasks differ, one task a
// line; a and b name the kinds.
func Comparison(w io.Writer, a, b string, pairs []Pair) error {
	return print(w, func(t io.Writer) {
		fmt.Fprintln(t, "task\tvocabulary\tmemory\tmost frequent\td(a story)\td(memory)\td(facts)\td(last fact)\td(first fact)\td(answers)\td(words)")
		for _, p := range pairs {
			d := Compare(p.A, p.B)
			fmt.Fprintf(t, "%s\t%s\t%.2f | %.2f\t%.1f | %.1f %%\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f\n", p.Task, vocabulary(d),
				p.A.Memory.Mean(), p.B.Memory.Mean(), 100*p.A.Answers.top(), 100*p.B.Answers.top(),
				d.PerStory, d.Memory, d.Support, d.Youngest, d.Oldest, d.Answers, d.Words)
		}
	}, fmt.Sprintf(`
%s | %s. memory: mean statements before a question. most frequent: share of the most frequent answer. d: distance between the two, 0 to
1: Kolmogorov-Smirnov of the questions of a story, of the memory, of the number of supporting facts, of the statements behind the last and
the first of them; total variation of answers and words.
`, a, b))
}

func vocabulary(d Difference) string {
	if len(d.OnlyA)+len(d.OnlyB) == 0 {
		return "same"
	}
	return fmt.Sprintf("+%d -%d", len(d.OnlyA), len(d.OnlyB))
}

func print(w io.Writer, rows func(t io.Writer), note string) error {
	var out bytes.Buffer
	t := tabwriter.NewWriter(&out, 0, 0, 2, ' ', 0)
	rows(t)
	t.Flush() // to a buffer, which takes everything
	out.WriteString(note)
	_, err := w.Write(out.Bytes())
	return err
}
