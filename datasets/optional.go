package datasets

import "io"

// Vocabularied is implemented by sources whose ids are those of words.
type Vocabularied interface {
	// Vocabulary returns the word of each id, O of them. An id that never
	// occurs in a batch, such as padding, has the empty string.
	Vocabulary() []string
}

// KindTitled is implemented by sources whose kinds have names longer than the
// column heads that Source.Kinds gives.
type KindTitled interface {
	// KindTitles returns the full name of each kind, for example "Single
	// Supporting Fact" for "1".
	KindTitles() []string
}

// MultiAnswer is implemented by sources that ask for A answers in order. The batch has
// one query; how a model comes from an answer to the next is its own affair. One that
// queries anew with as many words puts answer a, its own or the right one, in place of
// the word Shape.QuerySlot in the query of answer a+1.
type MultiAnswer interface {
	// AnswerNames returns the name of each of the A answers, in order: "node 1",
	// "node 2".
	AnswerNames() []string
}

// AnswerChecker is implemented by sources that can evaluate answers where more than one
// list of A answers is right; Batch.Targets holds one of them.
type AnswerChecker interface {
	// Ambiguous reports whether a question of this source may have more than one
	// right list. Where it may not, Accepts agrees with Batch.Targets.
	Ambiguous() bool

	// Accepts evaluates the answers, [A] word ids, to example i of b. It sets
	// each[a] to whether answer a is at place a of some right list, and
	// reports whether answers are, as a whole, a right list. It reads the example
	// alone, and b may come from any source of the same task.
	Accepts(b *Batch, i int, answers []int32, each []bool) bool
}

// Mixer is implemented by sources that can draw training examples with a given weight
// for each kind.
type Mixer interface {
	// BatchMixed is Source.Batch, but each example's kind is drawn in proportion to
	// weights, one for each of Kinds, 0 or more and not all 0; within a kind examples
	// are drawn uniformly.
	BatchMixed(dst *Batch, split Split, seed uint64, step, size int, weights []float64) error
}

// Verifier is implemented by sources that can check an answer by the memory alone.
type Verifier interface {
	// Verify reports in what the target of example i of b contradicts its rows. b
	// may come from any source of the same task.
	Verify(b *Batch, i int) error
}

// Printer is implemented by sources that can show an example to a reader.
type Printer interface {
	// Print writes example i of b, with its right answer, as lines of text.
	Print(w io.Writer, b *Batch, i int) error
}

// Verbalizer is implemented by sources that tell an example in plain language.
type Verbalizer interface {
	// Verbalize returns the memory of example i of b as sentences, oldest first, its
	// question, the right answer and the answers that are offered, if any. An answer is
	// the words of its A parts with blanks between.
	Verbalize(b *Batch, i int) (memory []string, question, answer string, choices []string, err error)
}

// QuestionParser is implemented by sources that take a person's own question.
type QuestionParser interface {
	// ParseQuestion sets b to one question: the memory, one row per line, oldest first, and
	// the query. Its target and kind are 0. names gives the words of the memory, the
	// query and the answers as they were typed. Errors name the line, from 1 (0 for the
	// query), and the word.
	ParseQuestion(b *Batch, memory []string, query string) (names func(id int32) string, err error)

	// CheckMemory returns the error that Ask would have of these rows, whatever the query.
	CheckMemory(memory []string) error

	// QuestionForm shows what a memory and a query look like, in one line.
	QuestionForm() string
}
