package pai

import (
	"fmt"
	"strconv"

	"memobench/datasets"
)

// Settings of the task on class symbols. Defaults are the paper's where it
// states a value.
type Settings struct {
	Length    int    `yaml:"length" range:"3 to 26" doc:"classes of a sequence; fixed by the task, pai3 to pai5"`
	Sequences int    `yaml:"sequences" range:"2 to 4096" doc:"sequences in a memory, 16 in the paper; a memory has sequences x (length-1) rows"`
	Classes   int    `yaml:"classes" doc:"classes to draw from, 1000 in the paper"`
	Items     string `yaml:"items" range:"sequence or random" doc:"order of the two items in a row: sequence (earlier first) or random"`
	Rows      string `yaml:"rows" range:"shuffled or generation" doc:"order of the rows in a memory: shuffled or generation (chain after chain)"`
}

// Values of the settings items and rows.
const (
	itemsSequence  = "sequence"
	itemsRandom    = "random"
	rowsShuffled   = "shuffled"
	rowsGeneration = "generation"
)

// The sizes of the paper (appendix A.1).
const (
	paperSequences = 16
	paperClasses   = 1000
	paperMaxLength = 5
)

const (
	minLength, maxLength = 3, 26 // positions are named A to Z
	maxClasses           = 1_000_000

	// spareClasses is how many more classes there must be than a memory uses.
	// The last chain of a memory is then drawn from 13 classes or more, which
	// make at least 858 chains up to reversal, so that a split with a tenth of
	// all chains lacks one with probability 0.9^858 = 6e-40.
	spareClasses = 10
)

// Defaults returns the paper's settings for sequences of the given length.
func Defaults(length int) *Settings {
	return &Settings{Length: length, Sequences: paperSequences, Classes: paperClasses,
		Items: itemsSequence, Rows: rowsShuffled}
}

func (s Settings) layout() layout { return layout{s.Length, s.Sequences, s.Items, s.Rows} }

// validate returns a *datasets.SettingError for the first setting out of range.
func (s Settings) validate() error {
	if err := datasets.CheckSettings(&s, false); err != nil {
		return err
	}
	if fewest := s.Sequences*s.Length + spareClasses; s.Classes < fewest || s.Classes > maxClasses {
		return &datasets.SettingError{Key: "classes", Value: s.Classes,
			Want: fmt.Sprintf("%d (sequences x length + %d) to %d", fewest, spareClasses, maxClasses)}
	}
	return nil
}

// caveats returns the caveats of the settings.
func (s Settings) caveats() datasets.Caveats {
	list := datasets.Caveats{{Kind: datasets.SubstituteData, Text: "class symbols instead of image embeddings"}}
	if s.Classes < paperClasses || s.Sequences < paperSequences {
		list = append(list, reduced("%d classes, %d sequences", s.Classes, s.Sequences))
	}
	return append(list, unknownLength(s.Length)...)
}

// reduced is the caveat of sizes below the paper's.
func reduced(format string, sizes ...any) datasets.Caveat {
	return datasets.Caveat{Kind: datasets.ReducedSize, Text: "reduced: " + fmt.Sprintf(format, sizes...), Brief: "reduced"}
}

// unknownLength returns the caveat of a length that the paper does not have.
func unknownLength(length int) datasets.Caveats {
	if length <= paperMaxLength {
		return nil
	}
	return datasets.Caveats{{Kind: datasets.OtherSize, Text: fmt.Sprintf("length %d is not in the paper", length)}}
}

// arranged are the settings of a generator.
type arranged interface {
	layout() layout
	caveats() datasets.Caveats
}

// layout holds the settings of all generators.
type layout struct {
	length, sequences int
	items, rows       string
}

// numItems and numRows return the numbers of items and rows of a memory.
func (l layout) numItems() int { return l.sequences * l.length }
func (l layout) numRows() int  { return l.sequences * (l.length - 1) }

// shape returns the shape of a task with the given numbers of classes and, for embeddings,
// features.
func (l layout) shape(classes, dim int) datasets.Shape {
	return datasets.Shape{
		Vocabulary: classes,
		MaxRows:    l.numRows(),
		RowWidth:   rowWidth,
		QueryWidth: queryWidth,
		Answers:    answers,
		ItemDim:    dim,
	}
}

// kind is a query type: from the cue's position in the chain to the match's.
type kind struct{ cue, match int }

// kinds returns all query types of chains of the given length, by distance and position, the
// order of the paper's tables 4 to 6. The first length-1 are direct.
func kinds(length int) []kind {
	var all []kind
	for distance := 1; distance < length; distance++ {
		for cue := 0; cue+distance < length; cue++ {
			all = append(all, kind{cue, cue + distance})
		}
	}
	return all
}

// String names the positions by letters: "A-C".
func (k kind) String() string {
	return string([]byte{'A' + byte(k.cue), '-', 'A' + byte(k.match)})
}

func names(kinds []kind) []string {
	list := make([]string, len(kinds))
	for i, k := range kinds {
		list[i] = k.String()
	}
	return list
}

// presentation returns the Entry.Present of the task of a length on the given items. The
// settings of an evaluation may have another length.
func presentation(length int, suffix string) func(task string, settings map[string]string) datasets.Presentation {
	return func(task string, settings map[string]string) datasets.Presentation {
		length := length
		if n, err := strconv.Atoi(settings["length"]); err == nil && n >= minLength && n <= maxLength {
			length = n
		}
		items := ""
		if suffix == embeddingsSuffix {
			items = " on generated embeddings"
		}
		all := names(kinds(length))
		p := datasets.Presentation{
			Title:   fmt.Sprintf("Paired associative inference%s, chains of %d (%s)", items, length, task),
			Variant: variant(settings),
			Row:     "query",
			Groups:  []datasets.KindGroup{{Name: "direct", Kinds: all[:length-1]}, {Name: "indirect", Kinds: all[length-1:]}},
			Choice:  "the answer chosen between the two items that the query shows",
			Chance:  50,
		}
		if length <= paperMaxLength {
			p.Paper = fmt.Sprintf("pai%d", length)
		}
		return p
	}
}

// variant describes the order of rows and items, and the sizes.
func variant(settings map[string]string) string {
	text := fmt.Sprintf("Rows %s, the two items of a row %s; %s classes, %s sequences a memory",
		datasets.Choice(settings, "rows", map[string]string{rowsGeneration: "in generation order"}),
		datasets.Choice(settings, "items", map[string]string{itemsSequence: "in sequence order", itemsRandom: "in random order"}),
		datasets.Choice(settings, "classes", nil), datasets.Choice(settings, "sequences", nil))
	if n := settings["features"]; n != "" {
		text += ", " + n + " features an item"
	}
	return text
}
