package babi

import (
	"fmt"
	"strings"

	"memobench/datasets/babi/format"
)

// stories is the content of one file. The statements of a story are stored once, for all its
// questions.
type stories struct {
	statements []int32 // indices in lexicon.statements, story after story
	questions  []question
	facts      []int32 // indices in statements, question after question
	count      int     // number of stories
}

// question refers to its memory, statements[start:end].
type question struct {
	start, end int32
	text       int32 // index in lexicon.questions
	answer     int32 // word id
	story      int32 // 0 for the first story of the file
	line       int32 // in the file, from 1

	firstFact, lastFact int32 // its supporting facts are facts[firstFact:lastFact]
}

// limits holds the maximum numbers of words that a trained model supports; 0 means no limit.
type limits struct{ statement, question int }

// parse reads a file in the standard format, see package format. Errors name
// file and line.
func parse(file string, data []byte, lex *lexicon, lim limits) (*stories, error) {
	p := parser{lex: lex, lim: lim, out: &stories{}}
	if err := format.Scan(file, data, p.line); err != nil {
		return nil, err
	}
	return p.out, nil
}

type parser struct {
	lex *lexicon
	lim limits
	out *stories

	start   int32   // index of the story's first statement in out.statements
	indices []int32 // by line of the story, in out.statements
}

func (p *parser) line(l *format.Line) error {
	if l.Number == 1 {
		p.out.count++
		p.start, p.indices = int32(len(p.out.statements)), p.indices[:0]
	}
	p.indices = append(p.indices, int32(len(p.out.statements)))
	if l.IsQuestion() {
		return p.question(l)
	}
	s, err := p.lex.sentence(&p.lex.statements, l.Text)
	if err != nil {
		return err
	}
	if w := len(p.lex.statements.words[s]); p.lim.statement > 0 && w > p.lim.statement {
		return fmt.Errorf("statement of %d words: the model takes %d", w, p.lim.statement)
	}
	p.out.statements = append(p.out.statements, s)
	return nil
}

func (p *parser) question(l *format.Line) error {
	text, err := p.lex.sentence(&p.lex.questions, l.Text)
	if err != nil {
		return err
	}
	if w := len(p.lex.questions.words[text]); p.lim.question > 0 && w > p.lim.question {
		return fmt.Errorf("question of %d words: the model takes %d", w, p.lim.question)
	}
	id, err := p.lex.word(strings.ToLower(l.Answer))
	if err != nil {
		return fmt.Errorf("answer: %w", err)
	}
	first := int32(len(p.out.facts))
	for _, number := range l.Support {
		p.out.facts = append(p.out.facts, p.indices[number-1])
	}
	p.out.questions = append(p.out.questions, question{
		start: p.start, end: int32(len(p.out.statements)),
		text: text, answer: id, story: int32(p.out.count - 1), line: int32(l.FileLine),
		firstFact: first, lastFact: int32(len(p.out.facts)),
	})
	return nil
}
