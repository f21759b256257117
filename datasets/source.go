// Package datasets defines the interface between tasks, the harness and models: Batch, a
// packed minibatch of questions about memories, and Source, which yields batches. It also
// has the registry of tasks, which are in subpackages.
//
//   - A batch is a pure function of (source, split, seed, step, size), on any machine and
//     in any order of calls. So a run can resume anywhere, and two models see the same
//     data.
//   - Train, Validation and Test share no chain of class symbols or image (paired
//     associative inference), no graph (shortest path) and no position of a story in a
//     file (bAbI, whose official test files repeat stories of the training files).
//   - Batches are packed: a story of 6 sentences takes 6 rows, not the task's maximum.
//     Packing is exact (see Batch).
package datasets

import (
	"fmt"
	"io"
	"iter"
	"slices"
)

// Split names a disjoint part of a dataset.
type Split int

// The three splits. The zero value is Train.
const (
	Train Split = iota
	Validation
	Test
)

var splitNames = [...]string{"train", "validation", "test"}

func (s Split) String() string {
	if s < 0 || int(s) >= len(splitNames) {
		return fmt.Sprintf("Split(%d)", int(s))
	}
	return splitNames[s]
}

// ParseSplit returns the split of the given name ("train", "validation",
// "test").
func ParseSplit(name string) (Split, error) {
	if i := slices.Index(splitNames[:], name); i >= 0 {
		return Split(i), nil
	}
	return 0, fmt.Errorf("unknown split %q: want train, validation or test", name)
}

// Spec identifies the data of a Source. It is part of every result record.
type Spec struct {
	Task string `json:"task"` // registry name with sizes, for example "pai3"

	// Settings holds every setting that changes the data, with its value
	// ("items": "sequence", "rows": "shuffled", ...).
	Settings map[string]string `json:"settings"`

	// Hash identifies the data: equal hashes mean equal batches. It covers the contents of
	// files, or the settings and version of a generator.
	Hash string `json:"hash"`

	// Caveats say how the data differ from the paper's.
	Caveats Caveats `json:"caveats,omitempty"`

	// Unasked says that the data are others than the user may expect, because those were not
	// found: a warning when training begins.
	Unasked string `json:"-"`
}

// Source yields the batches of one task. Implementations are safe for
// concurrent use.
type Source interface {
	Spec() Spec
	Shape() Shape

	// Kinds names the query types ("A-B", "A-C", ...) or tasks for which accuracy is
	// reported separately; Batch.Kinds indexes it.
	Kinds() []string

	// Batch fills dst with size examples sampled from split. The result is a pure function
	// of (source, split, seed, step, size).
	Batch(dst *Batch, split Split, seed uint64, step, size int) error

	// Examine yields the evaluation examples of split in a fixed order, in batches of at
	// most size examples. perKind is the number of examples per kind; 0 means all of a
	// finite dataset, in its order, and is ErrEndless for a generator. For a finite dataset
	// a positive perKind takes a sample that depends only on seed. The yielded batch is
	// reused.
	Examine(split Split, seed uint64, perKind, size int) iter.Seq2[*Batch, error]
}

// Described implements the methods of Source that describe it.
type Described struct {
	Data       Spec
	Dimensions Shape
	KindNames  []string
}

// Spec implements Source.
func (d *Described) Spec() Spec { return d.Data }

// Shape implements Source.
func (d *Described) Shape() Shape { return d.Dimensions }

// Kinds implements Source.
func (d *Described) Kinds() []string { return d.KindNames }

// Vocabularied is implemented by sources whose ids stand for words.
type Vocabularied interface {
	// Vocabulary returns the word of each id, O of them. An id that never
	// occurs in a batch, such as padding, has the empty string.
	Vocabulary() []string
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

// Asker is implemented by sources that can ask several questions about a memory.
type Asker interface {
	// BatchAsked is Source.Batch, but as many examples in a row as questions says share their
	// memory. size is the number of examples, a multiple of questions.
	BatchAsked(dst *Batch, split Split, seed uint64, step, size, questions int) error
}

// Printer is implemented by sources that can show an example to a reader.
type Printer interface {
	// Print writes example i of b, a valid batch, with its right answer, as lines of text.
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
	// typed. Errors name the line, from 1, or the query, and the word. An empty query checks only
	// the memory.
	ParseQuestion(b *Batch, memory []string, query string) (names func(id int32) string, err error)

	// QuestionForm returns an example of a memory and a query, in one line.
	QuestionForm() string
}

// Numbered returns names such as "node 1", "node 2" for MultiAnswer.
func Numbered(what string, n int) []string {
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprintf("%s %d", what, i+1)
	}
	return names
}

// ReadQuestion implements QuestionParser.ParseQuestion, but for its names: it adds a question to an empty
// batch. encode returns the words of a line; row names a line of the memory in errors.
func ReadQuestion(b *Batch, row string, memory []string, query string, encode func(line string, words int) ([]int32, error)) error {
	for i, line := range memory {
		words, err := encode(line, b.RowWidth)
		if err != nil {
			return fmt.Errorf("%s %d, %q: %w", row, i+1, line, err)
		}
		b.Rows = append(b.Rows, words...)
	}
	if query == "" {
		return nil
	}
	words, err := encode(query, b.QueryWidth)
	if err != nil {
		return fmt.Errorf("question %q: %w", query, err)
	}
	b.Offsets, b.Kinds = append(b.Offsets, len(memory)), append(b.Kinds, 0)
	b.Queries, b.Targets = append(b.Queries, words...), append(b.Targets, make([]int32, b.Answers)...)
	return nil
}
