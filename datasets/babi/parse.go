package babi

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// stories is the content of one file. Statements of a story stand once, however
// many questions follow them.
type stories struct {
	statements []int32 // numbers in lexicon.statements, story after story
	questions  []question
	count      int // number of stories
}

// question refers to its memory, statements[start:end].
type question struct {
	start, end int32
	text       int32 // number in lexicon.questions
	answer     int32 // word id
	story      int32 // 0 for the first story of the file
	line       int32 // in the file, from 1
}

// limits is the widest that a fixed model takes; 0 means no limit.
type limits struct{ statement, question int }

// parse reads a file in the standard format:
//
//	1 Mary went to the hall.
//	2 Where is Mary? <tab>hall<tab>1
//
// A line number of 1 starts a story and others count up. A line with a tab is a
// question, followed by its answer and, if given, the numbers of the statements
// that support it, which are checked and not kept. Lines end in LF or CRLF;
// empty lines and a UTF-8 byte order mark are skipped. Errors name file and
// line.
func parse(file string, data []byte, lex *lexicon, lim limits) (*stories, error) {
	if bytes.HasPrefix(data, []byte{0xff, 0xfe}) || bytes.HasPrefix(data, []byte{0xfe, 0xff}) {
		return nil, fmt.Errorf("%s:1: wrong encoding: the file is UTF-16, want UTF-8", file)
	}
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	p := parser{lex: lex, lim: lim, out: &stories{}}
	for number := 1; len(data) > 0; number++ {
		var line []byte
		line, data, _ = bytes.Cut(data, []byte{'\n'})
		if err := p.line(bytes.TrimSuffix(line, []byte{'\r'}), number); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", file, number, err)
		}
	}
	if len(p.out.questions) == 0 {
		return nil, fmt.Errorf("%s: no question in the file", file)
	}
	return p.out, nil
}

type parser struct {
	lex *lexicon
	lim limits
	out *stories

	isStatement []bool // by line number in the story, from 1; [0] is unused
	start       int32  // of the story in out.statements
}

func (p *parser) line(raw []byte, number int) error {
	switch {
	case len(bytes.TrimSpace(raw)) == 0:
		return nil
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
		p.out.count++
		p.start = int32(len(p.out.statements))
		p.isStatement = append(p.isStatement[:0], false)
	case p.out.count == 0:
		return fmt.Errorf("line number %d: the first story must start with 1", n)
	case n != len(p.isStatement):
		return fmt.Errorf("line number %d: want %d, or 1 for a new story", n, len(p.isStatement))
	}
	if sentence, fields, isQuestion := strings.Cut(text, "\t"); isQuestion {
		p.isStatement = append(p.isStatement, false)
		return p.question(sentence, fields, number)
	}
	if strings.HasSuffix(strings.TrimSpace(text), "?") {
		return fmt.Errorf("missing answer: question %s has no tab and answer behind it", quote(text))
	}
	p.isStatement = append(p.isStatement, true)
	s, err := p.lex.sentence(&p.lex.statements, text)
	if err != nil {
		return err
	}
	if w := len(p.lex.statements.words[s]); p.lim.statement > 0 && w > p.lim.statement {
		return fmt.Errorf("statement of %d words: the model takes %d", w, p.lim.statement)
	}
	p.out.statements = append(p.out.statements, s)
	return nil
}

// question reads what stands before and after the first tab.
func (p *parser) question(sentence, fields string, number int) error {
	answer, support, _ := strings.Cut(fields, "\t")
	answer = strings.ToLower(strings.TrimSpace(answer))
	switch {
	case answer == "":
		return fmt.Errorf("missing answer to the question %s", quote(sentence))
	case len(strings.Fields(answer)) > 1:
		return fmt.Errorf("malformed answer %s: want one word, or several with commas and no blanks", quote(answer))
	case strings.Contains(support, "\t"):
		return fmt.Errorf("malformed line: more than question, answer and supporting facts")
	case int(p.start) == len(p.out.statements):
		return fmt.Errorf("question %s stands before any statement of its story", quote(sentence))
	}
	for fact := range strings.FieldsSeq(support) {
		n, err := strconv.Atoi(fact)
		if err != nil || n < 1 || n >= len(p.isStatement) || !p.isStatement[n] {
			return fmt.Errorf("supporting fact %s is not the number of an earlier statement of the story", quote(fact))
		}
	}
	text, err := p.lex.sentence(&p.lex.questions, sentence)
	if err != nil {
		return err
	}
	if w := len(p.lex.questions.words[text]); p.lim.question > 0 && w > p.lim.question {
		return fmt.Errorf("question of %d words: the model takes %d", w, p.lim.question)
	}
	id, err := p.lex.word(answer)
	if err != nil {
		return fmt.Errorf("answer: %w", err)
	}
	p.out.questions = append(p.out.questions, question{
		start: p.start, end: int32(len(p.out.statements)),
		text: text, answer: id, story: int32(p.out.count - 1), line: int32(number),
	})
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
