package pai

import (
	"fmt"
	"strconv"
	"strings"

	"memobench/datasets"
)

// presentation returns the Entry.Present of the task of a length on the given items. The
// settings of an evaluation may have another length.
func presentation(length int, suffix string) func(task string, settings map[string]string) datasets.Presentation {
	return func(task string, settings map[string]string) datasets.Presentation {
		length := length
		if n, err := strconv.Atoi(settings["length"]); err == nil && n >= minLength && n <= maxLength {
			length = n
		}
		all := names(kinds(length))
		p := datasets.Presentation{
			Title: fmt.Sprintf("Paired associative inference%s, chains of %d (%s)", map[string]string{
				embeddingsSuffix: " on generated embeddings", npySuffix: " on own embeddings", releasedSuffix: " on the released files",
			}[suffix], length, task),
			Variant: variant(settings),
			Row:     "query",
			Groups:  []datasets.KindGroup{{Name: "direct", Kinds: all[:length-1]}, {Name: "indirect", Kinds: all[length-1:]}},
			Choice:  "the answer chosen between the two items that the query shows",
			Chance:  50,
			Files:   suffix == npySuffix || suffix == releasedSuffix,
		}
		if length <= paperMaxLength {
			p.Paper = fmt.Sprintf("pai%d", length)
		}
		if suffix == releasedSuffix {
			p.Note = "The paper's answer is one of 1,000 classes; the released files do not name them, and the answer is left or right."
		}
		return p
	}
}

// variant describes the order of rows and items, and the sizes.
func variant(settings map[string]string) string {
	text := fmt.Sprintf("Rows %s, the two items of a row %s; ",
		datasets.Choice(settings, "rows", map[string]string{rowsGeneration: "in generation order", rowsStored: "as stored"}),
		datasets.Choice(settings, "items", map[string]string{itemsSequence: "in sequence order", itemsRandom: "in random order", itemsStored: "as stored"}))
	var sizes []string
	if settings["classes"] != "" || settings["answers"] == "" { // the released files have none
		sizes = append(sizes, datasets.Choice(settings, "classes", nil)+" classes")
	}
	sizes = append(sizes, datasets.Choice(settings, "sequences", nil)+" sequences a memory")
	if n := settings["features"]; n != "" {
		sizes = append(sizes, n+" features an item")
	}
	if settings["scale"] == "raw" {
		sizes = append(sizes, "not scaled")
	}
	return text + strings.Join(sizes, ", ")
}
