package pai

import (
	"fmt"
	"strconv"

	"memobench/datasets"
)

// layout is what a generator must know of a task, whatever its items are.
type layout struct {
	length, sequences int
	items, rows       string
}

// numItems returns the number of items of a memory, numRows that of its rows.
func (l layout) numItems() int { return l.sequences * l.length }
func (l layout) numRows() int  { return l.sequences * (l.length - 1) }

// validate returns a *datasets.SettingError for the first setting out of range.
func (l layout) validate() error {
	switch {
	case l.length < minLength || l.length > maxLength:
		return &datasets.SettingError{Key: "length", Value: l.length, Want: fmt.Sprintf("%d to %d", minLength, maxLength)}
	case l.sequences < minSequences || l.sequences > maxSequences:
		return &datasets.SettingError{Key: "sequences", Value: l.sequences, Want: fmt.Sprintf("%d to %d", minSequences, maxSequences)}
	case l.items != ItemsSequence && l.items != ItemsRandom:
		return &datasets.SettingError{Key: "items", Value: l.items, Want: ItemsSequence + " or " + ItemsRandom}
	case l.rows != RowsShuffled && l.rows != RowsGeneration:
		return &datasets.SettingError{Key: "rows", Value: l.rows, Want: RowsShuffled + " or " + RowsGeneration}
	}
	return nil
}

// strings returns the settings as they stand in a Spec.
func (l layout) strings() map[string]string {
	return map[string]string{
		"length":    strconv.Itoa(l.length),
		"sequences": strconv.Itoa(l.sequences),
		"items":     l.items,
		"rows":      l.rows,
	}
}

// shape returns the shape of a task of so many classes and, for embeddings,
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
