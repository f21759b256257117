// Package format reads and writes the standard files of the bAbI tasks (Weston
// et al. 2015, arXiv:1502.05698):
//
//	1 Mary went to the hall.
//	2 Where is Mary? <tab>hall<tab>1
//
// Scan accepts numbered lines, questions that end in '?' with an answer of one word, and supporting
// facts that are earlier statements of the same story. Errors name file and line. Writer writes what Scan
// accepts.
package format

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
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

// Scan calls visit for every line of a file, up to the first error.
//
// A line number of 1 starts a story and others count up. A line with a tab is a
// question, followed by its answer and, if given, the numbers of the statements
// that support it. Lines end in LF or CRLF; empty lines and a UTF-8 byte order
// mark are skipped. Errors, those of visit too, name file and line. The Line
// passed to visit and its Support are reused.
func Scan(file string, data []byte, visit func(*Line) error) error {
	var first error
	scan(file, data, visit, func(err error) bool {
		first = err
		return false
	})
	return first
}

// Check is Scan that calls report for each error and continues. After a wrong line number it
// skips the rest of the story, whose lines cannot be checked.
func Check(file string, data []byte, visit func(*Line) error, report func(error)) {
	scan(file, data, visit, func(err error) bool {
		report(err)
		return true
	})
}

// Plain returns the data of a file without a byte order mark and with Unix line ends. It
// makes no other data of a file: its hash is that of the plain data.
func Plain(data []byte) []byte {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	return bytes.TrimSuffix(bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n")), []byte("\r"))
}

// scan continues after an error if report returns true.
func scan(file string, data []byte, visit func(*Line) error, report func(error) (resume bool)) {
	if bytes.HasPrefix(data, []byte{0xff, 0xfe}) || bytes.HasPrefix(data, []byte{0xfe, 0xff}) {
		report(fmt.Errorf("%s:1: wrong encoding: the file is UTF-16, want UTF-8", file))
		return
	}
	data = Plain(data)
	var s scanner
	found := false // a question, or an error, which may be one
	for number := 1; len(data) > 0; number++ {
		var raw []byte
		raw, data, _ = bytes.Cut(data, []byte{'\n'})
		if len(bytes.TrimSpace(raw)) == 0 || s.lost && !startsStory(raw) {
			continue
		}
		s.line.FileLine = number
		err := s.read(raw)
		if err == nil {
			err = visit(&s.line)
		}
		found = found || err != nil || s.line.IsQuestion()
		if err != nil && !report(fmt.Errorf("%s:%d: %w", file, number, err)) {
			return
		}
	}
	if !found {
		report(fmt.Errorf("%s: no question in the file", file))
	}
}

func startsStory(raw []byte) bool { return bytes.HasPrefix(raw, []byte("1 ")) }

type scanner struct {
	line        Line
	isStatement []bool // by number in the story; [0] is unused; empty before the first story
	statements  int    // of the story so far
	lost        bool   // the story's line numbers are unknown after an error
}

// read parses a nonempty line.
func (s *scanner) read(raw []byte) error {
	s.line.Answer, s.lost = "", true
	switch {
	case bytes.IndexByte(raw, 0) >= 0:
		return fmt.Errorf("wrong encoding: a NUL byte, want UTF-8 text")
	case !utf8.Valid(raw):
		return fmt.Errorf("wrong encoding: not valid UTF-8")
	}
	head, text, found := strings.Cut(string(raw), " ")
	n, err := strconv.Atoi(head)
	if err != nil || !found {
		return fmt.Errorf("malformed line %s: want a number, a blank and a sentence", quote(string(raw)))
	}
	switch {
	case n == 1:
		s.isStatement, s.statements = append(s.isStatement[:0], false), 0
	case len(s.isStatement) == 0:
		return fmt.Errorf("line number %d: the first story must start with 1", n)
	case n != len(s.isStatement):
		return fmt.Errorf("line number %d: want %d, or 1 for a new story", n, len(s.isStatement))
	}
	s.lost = false
	s.line.Number, s.line.Text, s.line.Support = n, text, s.line.Support[:0]
	sentence, fields, isQuestion := strings.Cut(text, "\t")
	s.isStatement = append(s.isStatement, !isQuestion)
	if isQuestion {
		s.line.Text = sentence
		return s.question(fields)
	}
	if strings.Contains(text, "?") {
		return fmt.Errorf("missing answer: question %s has no tab and answer behind it", quote(text))
	}
	s.statements++
	return nil
}

// question parses the fields after the first tab.
func (s *scanner) question(fields string) error {
	answer, support, _ := strings.Cut(fields, "\t")
	s.line.Answer = strings.TrimSpace(answer)
	switch {
	case s.line.Answer == "":
		return fmt.Errorf("missing answer to the question %s", quote(s.line.Text))
	case !strings.HasSuffix(strings.TrimSpace(s.line.Text), "?"):
		return fmt.Errorf("malformed question %s: want a '?' before the first tab, which separates the question from its answer", quote(s.line.Text))
	case len(strings.Fields(s.line.Answer)) > 1:
		return fmt.Errorf("malformed answer %s: want one word, or several with commas and no blanks", quote(s.line.Answer))
	case strings.Contains(support, "\t"):
		return fmt.Errorf("malformed line: more than question, answer and supporting facts")
	case s.statements == 0:
		return fmt.Errorf("question %s precedes any statement of its story", quote(s.line.Text))
	}
	for fact := range strings.FieldsSeq(support) {
		n, err := strconv.Atoi(fact)
		if err != nil || n < 1 || n >= len(s.isStatement) || !s.isStatement[n] {
			return fmt.Errorf("supporting fact %s is not the number of an earlier statement of the story", quote(fact))
		}
		s.line.Support = append(s.line.Support, n)
	}
	return nil
}

// quote shortens text for a message.
func quote(text string) string {
	const most = 60
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "..."
	}
	return strconv.Quote(text)
}

// Story is a story with its questions.
type Story []Line

// Read returns the stories of a file.
func Read(file string, data []byte) ([]Story, error) {
	var stories []Story
	err := Scan(file, data, func(l *Line) error {
		if l.Number == 1 {
			stories = append(stories, nil)
		}
		kept := *l
		kept.Support = slices.Clone(l.Support)
		last := &stories[len(stories)-1]
		*last = append(*last, kept)
		return nil
	})
	return stories, err
}

// Words tokenizes a sentence as MEMO does (Banino et al., ICLR 2020, appendix C.1): lower-case,
// without '.' and '?', split on blanks.
func Words(sentence string) []string {
	sentence = strings.ToLower(sentence)
	if strings.ContainsAny(sentence, ".?") {
		sentence = strings.Map(func(r rune) rune {
			if r == '.' || r == '?' {
				return -1
			}
			return r
		}, sentence)
	}
	return strings.Fields(sentence)
}
