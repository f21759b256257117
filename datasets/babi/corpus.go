package babi

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"memobench/datasets"
	"memobench/datasets/babi/format"
	"memobench/datasets/babi/simulate"
)

// corpus is the parsed data of the selected tasks.
type corpus struct {
	lex     *lexicon
	kinds   []kind
	digests []string // one per file, for the hash
}

// kind is a task with its parsed files.
type kind struct {
	task  int
	files [3]*content // by split; nil for none, and where validation is a part of train
}

// content is a parsed file. The statements of a story are stored once, for all its questions.
type content struct {
	file       string
	digest     string  // SHA-256 of the text, hexadecimal
	statements []int32 // indices in lexicon.sentences, story after story
	questions  []question
	facts      []int32 // indices in statements, question after question
	count      int     // number of stories
}

// filter returns the file with those of its questions that keep reports.
func (f *content) filter(keep func(question) bool) *content {
	other := *f
	other.questions = slices.DeleteFunc(slices.Clone(f.questions), func(q question) bool { return !keep(q) })
	return &other
}

// question refers to its memory, statements[start:end].
type question struct {
	start, end int32
	text       int32 // index in lexicon.sentences
	answer     int32 // word id
	story      int32 // 0 for the first story of the file
	line       int32 // in the file, from 1

	firstFact, lastFact int32 // its supporting facts are facts[firstFact:lastFact]
}

// rows returns the number of statements of q's memory, at most limit (0 for no limit).
func (q question) rows(limit int) int {
	if n := int(q.end - q.start); limit == 0 || n < limit {
		return n
	}
	return limit
}

// load reads the files of lib and keeps those of the given tasks. If the vocabulary is not known, it
// reads the files of all tasks.
func load(lib *library, numbers []int, trained *datasets.Trained) (*corpus, error) {
	c := &corpus{lex: newLexicon(nil)}
	var widest datasets.Shape // sizes that a trained model supports; 0 means no limit
	switch {
	case trained != nil:
		c.lex, widest = newLexicon(trained.Vocabulary), trained.Shape
	case lib.generated: // known without generating all stories
		c.lex = newLexicon(append([]string{""}, simulate.Vocabulary()...))
	}
	for n := 1; n <= numTasks; n++ {
		wanted := slices.Contains(numbers, n)
		if c.lex.fixed && !wanted {
			continue
		}
		k := kind{task: n}
		for split := range datasets.Test + 1 {
			in := lib.files[split][n]
			if in == nil {
				continue
			}
			f, err := c.lex.parse(in, widest)
			if err != nil {
				return nil, err
			}
			k.files[split] = f
			if wanted {
				c.digests = append(c.digests, fmt.Sprintf("%v %d %s", split, n, f.digest))
			}
		}
		if wanted {
			c.kinds = append(c.kinds, k)
		}
	}
	if !c.lex.fixed {
		final := c.lex.sort()
		for _, k := range c.kinds {
			for _, f := range k.files {
				for i := 0; f != nil && i < len(f.questions); i++ {
					f.questions[i].answer = final[f.questions[i].answer]
				}
			}
		}
	}
	c.digests = append(c.digests, fmt.Sprintf("vocabulary %x", sha256.Sum256([]byte(strings.Join(c.lex.words, "\n")))))
	return c, nil
}

// parse reads a file. Errors name file and line.
func (lex *lexicon) parse(in *input, widest datasets.Shape) (*content, error) {
	text, err := in.read()
	if err != nil {
		return nil, err
	}
	f := &content{file: in.name, digest: fmt.Sprintf("%x", sha256.Sum256([]byte(text)))}
	var start int32     // index of the story's first statement
	var indices []int32 // of statements, by line of the story
	err = format.Scan(in.name, text, func(l *format.Line) error {
		if l.Number == 1 {
			f.count++
			start, indices = int32(len(f.statements)), indices[:0]
		}
		indices = append(indices, int32(len(f.statements)))
		sentence, err := lex.sentence(l.Text, l.IsQuestion())
		if err != nil {
			return err
		}
		width := widest.RowWidth
		if l.IsQuestion() {
			width = widest.QueryWidth
		}
		if n := len(lex.sentences[sentence].words); width > 0 && n > width {
			return fmt.Errorf("sentence of %d words: the model takes %d", n, width)
		}
		if !l.IsQuestion() {
			f.statements = append(f.statements, sentence)
			return nil
		}
		answer, err := lex.word(strings.ToLower(l.Answer))
		first := int32(len(f.facts))
		for _, number := range l.Support {
			f.facts = append(f.facts, indices[number-1])
		}
		f.questions = append(f.questions, question{
			start: start, end: int32(len(f.statements)), text: sentence, answer: answer, story: int32(f.count - 1), line: int32(l.FileLine),
			firstFact: first, lastFact: int32(len(f.facts)),
		})
		return err
	})
	return f, err
}

// keepTest keeps the questions of each test file that kept returns, and omits tasks without any.
func (c *corpus) keepTest(kept func(*content) *content) {
	var kinds []kind
	for _, k := range c.kinds {
		if f := k.files[datasets.Test]; f != nil {
			if k.files[datasets.Test] = kept(f); len(k.files[datasets.Test].questions) > 0 {
				kinds = append(kinds, k)
			}
		}
	}
	c.kinds = kinds
}

// selectAge keeps the test questions whose newest supporting fact is so many statements old: 0 for the
// statement just before the question.
func (c *corpus) selectAge(age int) error {
	c.keepTest(func(f *content) *content {
		return f.filter(func(q question) bool {
			facts := f.facts[q.firstFact:q.lastFact]
			return len(facts) > 0 && int(q.end-1-slices.Max(facts)) == age
		})
	})
	if c.kinds == nil {
		return datasets.BadSetting("age", age, "the age of some question's newest supporting fact")
	}
	return nil
}

// longest returns the length of the longest memory of a split, at most limit statements (0 for no
// limit), and its question's file and line.
func (c *corpus) longest(split datasets.Split, limit int) (rows int, where string) {
	for _, k := range c.kinds {
		f := k.files[split]
		if f == nil && split == datasets.Validation {
			f = k.files[datasets.Train]
		}
		for i := 0; f != nil && i < len(f.questions); i++ {
			if n := f.questions[i].rows(limit); n > rows {
				rows, where = n, fmt.Sprintf("%s:%d", f.file, f.questions[i].line)
			}
		}
	}
	return rows, where
}
