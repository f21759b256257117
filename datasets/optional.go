package datasets

import "io"

// Vocabularied is implemented by sources whose ids stand for words.
type Vocabularied interface {
	// Vocabulary returns the word of each id, O of them. An id that never
	// occurs in a batch, such as padding, has the empty string.
	Vocabulary() []string
}

// KindTitled is implemented by sources whose kinds have longer names than those of
// Source.Kinds.
type KindTitled interface {
	// KindTitles returns the full name of each kind, for example "Single
	// Supporting Fact" for "1".
	KindTitles() []string
}

// MultiAnswer is implemented by sources with A answers in order per query. The batch has one
// query; the model decides how the next answer depends on the previous one. A model that
// queries again with S_q words replaces the word Shape.QuerySlot by the previous answer, its
// own (free running) or the right one (teacher forcing).
type MultiAnswer interface {
	// AnswerNames returns the name of each of the A answers, in order: "node 1",
	// "node 2".
	AnswerNames() []string
}

// AnswerChecker is implemented by sources for which more than one list of A answers may be
// right; Batch.Targets holds one of them.
type AnswerChecker interface {
	// Ambiguous reports whether a question may have more than one right list. If not,
	// Accepts agrees with Batch.Targets.
	Ambiguous() bool

	// Accepts evaluates the answers, [A] word ids, to example i of b. It sets each[a] to
	// whether answer a is at position a of some right list, and reports whether answers
	// are a right list as a whole. It depends only on the example; b may come from any
	// source of the task.
	Accepts(b *Batch, i int, answers []int32, each []bool) bool
}

// Mixer is implemented by sources that can sample training examples with a weight per kind.
type Mixer interface {
	// BatchMixed is Source.Batch, but each example's kind is drawn in proportion to
	// weights, one for each of Kinds, 0 or more and not all 0; within a kind examples
	// are drawn uniformly.
	BatchMixed(dst *Batch, split Split, seed uint64, step, size int, weights []float64) error
}

// Verifier is implemented by sources that can derive an answer from the memory.
type Verifier interface {
	// Verify returns an error if the target of example i of b contradicts its rows. b may
	// come from any source of the task.
	Verify(b *Batch, i int) error
}

// Printer is implemented by sources that can show an example to a reader.
type Printer interface {
	// Print writes example i of b, with its right answer, as lines of text.
	Print(w io.Writer, b *Batch, i int) error
}

// Verbalizer is implemented by sources that express an example in plain language.
type Verbalizer interface {
	// Verbalize returns the memory of example i of b as sentences, oldest first, its
	// question, the right answer and the choices, if any. An answer is its A words,
	// separated by blanks.
	Verbalize(b *Batch, i int) (memory []string, question, answer string, choices []string, err error)
}

// QuestionParser is implemented by sources that can parse a user's question.
type QuestionParser interface {
	// ParseQuestion sets b to one question: the memory, one row per line, oldest first,
	// and the query. Its target and kind are 0. names returns the words as they were
	// typed. Errors name the line, from 1 (0 for the query), and the word.
	ParseQuestion(b *Batch, memory []string, query string) (names func(id int32) string, err error)

	// CheckMemory returns the error of ParseQuestion for these rows and any query.
	CheckMemory(memory []string) error

	// QuestionForm returns an example of a memory and a query, in one line.
	QuestionForm() string
}
