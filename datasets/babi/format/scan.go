// Package format reads and writes the standard files of the bAbI tasks (Weston
// et al. 2015, arXiv:1502.05698):
//
//	1 Mary went to the hall.
//	2 Where is Mary? <tab>hall<tab>1
//
// A line number of 1 starts a story and others count up. A line with a tab is a question that ends in
// '?', followed by its answer of one word and, if given, the numbers of the statements that support it.
package format

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Line is a line of a story.
type Line struct {
	Number   int    // in the story, from 1; 1 starts a story
	FileLine int    // in the file, from 1
	Text     string // the sentence, without number, answer and supporting facts
	Answer   string // as in the file, without blanks around it; empty for a statement
	Support  []int  // Numbers of the statements that support the answer, in file order
}

// IsQuestion reports whether the line is a question, which has an answer.
func (l *Line) IsQuestion() bool { return l.Answer != "" }

// Scan calls visit for every line of a file's text, up to the first error. Empty lines are skipped.
// Errors, those of visit too, name file and line. The Line passed to visit and its Support are reused.
func Scan(file, text string, visit func(*Line) error) error {
	var s scanner
	number, found := 0, false
	for raw := range strings.Lines(text) {
		number++
		raw = strings.TrimSuffix(raw, "\n")
		if strings.TrimSpace(raw) == "" {
			continue
		}
		s.line.FileLine = number
		err := s.read(raw)
		if err == nil {
			err = visit(&s.line)
		}
		if err != nil {
			return fmt.Errorf("%s:%d: %w", file, number, err)
		}
		found = found || s.line.IsQuestion()
	}
	if !found {
		return fmt.Errorf("%s: no question in the file", file)
	}
	return nil
}

type scanner struct {
	line        Line
	isStatement []bool // by number in the story; [0] is unused; empty before the first story
}

// read parses a nonempty line.
func (s *scanner) read(raw string) error {
	head, text, found := strings.Cut(raw, " ")
	n, err := strconv.Atoi(head)
	if err != nil || !found {
		return fmt.Errorf("malformed line %.60q: want a number, a blank and a sentence", raw)
	}
	switch want := len(s.isStatement); {
	case n == 1:
		s.isStatement = append(s.isStatement[:0], false)
	case want == 0:
		return fmt.Errorf("line number %d: the first story must start with 1", n)
	case n != want:
		return fmt.Errorf("line number %d: want %d, or 1 for a new story", n, want)
	}
	sentence, fields, isQuestion := strings.Cut(text, "\t")
	s.line.Number, s.line.Text, s.line.Answer, s.line.Support = n, sentence, "", s.line.Support[:0]
	s.isStatement = append(s.isStatement, !isQuestion)
	if isQuestion {
		return s.question(fields)
	}
	if strings.Contains(text, "?") {
		return fmt.Errorf("missing answer: question %.60q has no tab and answer behind it", text)
	}
	return nil
}

// question parses the fields after the first tab.
func (s *scanner) question(fields string) error {
	answer, support, _ := strings.Cut(fields, "\t")
	s.line.Answer = strings.TrimSpace(answer)
	switch {
	case s.line.Answer == "":
		return fmt.Errorf("missing answer to the question %.60q", s.line.Text)
	case !strings.HasSuffix(strings.TrimSpace(s.line.Text), "?"):
		return fmt.Errorf("malformed question %.60q: want a '?' before the first tab, which separates the question from its answer", s.line.Text)
	case len(strings.Fields(s.line.Answer)) > 1:
		return fmt.Errorf("malformed answer %.60q: want one word, or several with commas and no blanks", s.line.Answer)
	case strings.Contains(support, "\t"):
		return fmt.Errorf("malformed line: more than question, answer and supporting facts")
	case !slices.Contains(s.isStatement, true):
		return fmt.Errorf("question %.60q precedes any statement of its story", s.line.Text)
	}
	for fact := range strings.FieldsSeq(support) {
		n, err := strconv.Atoi(fact)
		if err != nil || n < 1 || n >= len(s.isStatement) || !s.isStatement[n] {
			return fmt.Errorf("supporting fact %.60q is not the number of an earlier statement of the story", fact)
		}
		s.line.Support = append(s.line.Support, n)
	}
	return nil
}

// Words tokenizes a sentence as MEMO does (Banino et al., ICLR 2020, appendix C.1): lower-case,
// without '.' and '?', split on blanks.
func Words(sentence string) []string {
	return strings.Fields(removePunctuation.Replace(strings.ToLower(sentence)))
}

var removePunctuation = strings.NewReplacer(".", "", "?", "")

// Writer writes stories in the standard format. The zero value is ready.
type Writer struct {
	Text   []byte // what was written since the last Reset
	number int    // of the last line
}

// Reset clears the output and starts a story.
func (w *Writer) Reset() { w.Text, w.number = w.Text[:0], 0 }

// Statement writes a statement, the concatenation of parts, and returns its number. The parts
// must not contain a line break or a tab.
func (w *Writer) Statement(parts ...string) int {
	w.begin(parts)
	w.Text = append(w.Text, '\n')
	return w.number
}

// Question writes a question, the concatenation of parts, with its answer and the numbers of its
// supporting statements.
func (w *Writer) Question(answer string, support []int, parts ...string) {
	w.begin(parts)
	w.Text = fmt.Appendf(w.Text, "\t%s\t%s\n", answer, strings.Trim(fmt.Sprint(support), "[]"))
}

func (w *Writer) begin(parts []string) {
	w.number++
	w.Text = append(strconv.AppendInt(w.Text, int64(w.number), 10), ' ')
	for _, p := range parts {
		w.Text = append(w.Text, p...)
	}
}
