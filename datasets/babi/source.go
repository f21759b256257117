// Package babi reads the bAbI question answering tasks (Weston et al. 2015, arXiv:1502.05698) from their
// standard files, a directory or the official archive. If no path is given and no files are found, package
// simulate generates stories. An example is one question:
//
//   - memory: the statements of the story before the question, oldest first, one per row,
//     without questions;
//   - query: the words of the question;
//   - target: the answer; a list ("apple,football") is one label.
//
// Preprocessing is that of MEMO (Banino et al., ICLR 2020, appendix C.1):
// lower-case, '.' and '?' dropped, split on blanks.
//
// The vocabulary covers all files found, of all twenty tasks, so that single-task and joint runs have the
// same word ids. Words are sorted; id 0 is padding and never occurs in a batch. The full set has O = 177,
// the paper's value. S and S_q are the lengths of the longest statement and question of all files found
// (11 and 11). I is the setting max_rows (320, as in the paper) for all tasks, so that a model's size does
// not depend on the task 3 file; for a subset of the tasks it is their longest memory, at most max_rows.
// Longer memories lose their oldest statements.
//
// Test is the test files. Validation is a tenth of the stories of each training file, sampled with a fixed
// seed; Train is the rest. A story belongs to one split with all of its questions. The official files
// repeat some short stories, also between training and test file. With held_out, training and validation
// lack the questions about certain combinations of words (heldout.go).
//
// A missing file is an error that names it and the tasks that can be run; tasks are never omitted silently.
// Substitute training data need the setting substitute_task3. They are a caveat of the Spec, and so are
// simulated stories.
package babi

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"memobench/datasets"
)

// Source serves parsed questions; it implements datasets.Source,
// datasets.Vocabularied, datasets.Mixer and datasets.Printer.
type Source struct {
	datasets.Described          // the kinds are the numbers of the tasks
	words              []string // by id
	limit              int      // statements of a memory, 0 for no limit

	sentences []sentence // that questions refer to
	distract  *distractors

	pools  [3][]*content // by split and kind
	absent [3]error      // why a split is unavailable, or nil

	datasets.Finite // implements Batch, BatchMixed and Examine
}

// Vocabulary implements datasets.Vocabularied; word 0 is padding, "".
func (src *Source) Vocabulary() []string { return slices.Clone(src.words) }

// count implements datasets.Finite.
func (src *Source) count(split datasets.Split) ([]int, error) {
	var sizes []int
	for _, p := range src.pools[split] {
		sizes = append(sizes, len(p.questions))
	}
	return sizes, src.absent[split]
}

func (src *Source) reset(dst *datasets.Batch) { dst.ResetFor(src.Dimensions, 0) }

// put implements datasets.Finite. rng draws the distractors; those of an evaluation do not depend on its
// seed.
func (src *Source) put(dst *datasets.Batch, split datasets.Split, kind, i int, rng *rand.Rand) error {
	p := src.pools[split][kind]
	q := p.questions[i]
	memory := p.statements[int(q.end)-q.rows(src.limit) : q.end]
	if src.distract != nil {
		if rng == nil {
			rng = rand.New(rand.NewPCG(datasets.StreamSeed("babi distractors", split, 0, uint64(kind)<<32|uint64(i))))
		}
		var err error
		if memory, err = src.distract.insert(rng, memory, q.text); err != nil {
			return fmt.Errorf("task %s: the question in line %d: %w", src.KindNames[kind], q.line, err)
		}
	}
	for _, s := range memory {
		dst.Rows = appendPadded(dst.Rows, src.sentences[s].words, dst.RowWidth)
	}
	dst.Offsets = append(dst.Offsets, len(dst.Rows)/dst.RowWidth)
	dst.Queries = appendPadded(dst.Queries, src.sentences[q.text].words, dst.QueryWidth)
	dst.Targets = append(dst.Targets, q.answer)
	dst.Kinds = append(dst.Kinds, int32(kind))
	return nil
}

// appendPadded appends words, and NoWord up to a number of slots.
func appendPadded(dst, words []int32, slots int) []int32 {
	dst = append(dst, words...)
	for range slots - len(words) {
		dst = append(dst, datasets.NoWord)
	}
	return dst
}

// validationStories returns for each story of a training file whether it belongs to validation.
// With a share above 0 and two stories or more, neither split is empty.
func validationStories(task, count int, share float64) []bool {
	want := int(math.Round(share * float64(count)))
	if share > 0 && count > 1 {
		want = min(max(want, 1), count-1)
	}
	return datasets.Sample("babi validation stories", datasets.Validation, 0, uint64(task), want, count)
}
