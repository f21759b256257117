package pai

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"memobench/datasets"
)

// Settings of the task on class symbols, which that on embeddings has too. Defaults are the paper's
// where it states a value.
type Settings struct {
	Length    int    `yaml:"length" range:"3 to 26" doc:"items of a sequence; fixed by the task"`
	Sequences int    `yaml:"sequences" range:"2 to 4096" doc:"sequences in a memory, 16 in the paper; a memory has sequences x (length-1) rows"`
	Classes   int    `yaml:"classes" doc:"classes of the items, and answers; 1000 in the paper"`
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

// validate returns a *datasets.SettingError for the first setting out of range.
func (s Settings) validate() error {
	if err := datasets.CheckSettings(&s, false); err != nil {
		return err
	}
	if fewest := s.Sequences*s.Length + spareClasses; s.Classes < fewest || s.Classes > maxClasses {
		return datasets.BadSetting("classes", s.Classes, "%d (sequences x length + %d) to %d", fewest, spareClasses, maxClasses)
	}
	return nil
}

func (s Settings) caveats() datasets.Caveats {
	return s.caveatsOf(datasets.Caveat{Kind: datasets.SubstituteData, Text: "class symbols instead of image embeddings"})
}

// caveatsOf returns the caveats of substitute items, of sizes below the paper's (smaller lists those that only
// embeddings have) and of a length that the paper does not have.
func (s Settings) caveatsOf(substitute datasets.Caveat, smaller ...string) datasets.Caveats {
	list := datasets.Caveats{substitute}
	if s.Classes < paperClasses || s.Sequences < paperSequences {
		smaller = slices.Insert(smaller, 0, fmt.Sprintf("%d classes, %d sequences", s.Classes, s.Sequences))
	}
	if len(smaller) > 0 {
		list = append(list, datasets.Caveat{Kind: datasets.ReducedSize, Text: "reduced: " + strings.Join(smaller, ", "), Brief: "reduced"})
	}
	if s.Length > paperMaxLength {
		list = append(list, datasets.Caveat{Kind: datasets.OtherSize, Text: fmt.Sprintf("length %d is not in the paper", s.Length)})
	}
	return list
}

// arranged are the settings of a generator.
type arranged interface {
	shared() Settings
	caveats() datasets.Caveats
}

func (s Settings) shared() Settings { return s }

// numItems and numRows return the numbers of items and rows of a memory.
func (s Settings) numItems() int { return s.Sequences * s.Length }
func (s Settings) numRows() int  { return s.Sequences * (s.Length - 1) }

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
