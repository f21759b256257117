package pai

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"memobench/datasets"
)

// QuestionForm implements datasets.QuestionParser.
func (src *Source) QuestionForm() string {
	return "pairs, then a cue and two items to choose from: A B / B C / D E / E F / A ? C F"
}

// ParseQuestion implements datasets.QuestionParser, for class symbols. Each distinct
// name is one class.
func (src *Source) ParseQuestion(b *datasets.Batch, memory []string, query string) (func(int32) string, error) {
	if src.images != nil {
		return nil, fmt.Errorf("pai: %s has embeddings, for which nothing can be typed; the tasks on class symbols take questions", src.Data.Task)
	}
	if len(memory) == 0 || len(memory) > src.Dimensions.MaxRows {
		return nil, fmt.Errorf("pai: %d pairs, want 1 to %d", len(memory), src.Dimensions.MaxRows)
	}
	s := &symbols{classes: src.Dimensions.Vocabulary}
	src.reset(b)
	if err := datasets.ReadQuestion(b, "pair", memory, query, s.encode); err != nil {
		return nil, fmt.Errorf("pai: %w", err)
	}
	if query != "" {
		b.Choices, b.Targets[0] = append(b.Choices, b.Queries[1:]...), b.Queries[1]
	}
	return s.name, nil
}

// symbols assigns a class to every name.
type symbols struct {
	classes int
	names   []string // by class
}

// encode returns the classes of a pair or a query, in which all names must be known.
func (s *symbols) encode(line string, n int) ([]int32, error) {
	words := strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(" \t?,", r) })
	if len(words) != n {
		form := "A B"
		if n == queryWidth {
			form = "A ? B C"
		}
		return nil, fmt.Errorf("%d items, want %d, as in %q", len(words), n, form)
	}
	var ids []int32
	known := s.names
	for _, w := range words {
		id := slices.Index(s.names, w)
		if id < 0 {
			if len(s.names) == s.classes {
				return nil, fmt.Errorf("more than %d different items", s.classes)
			}
			id = len(s.names)
			s.names = append(s.names, w)
		}
		ids = append(ids, int32(id))
	}
	if more := s.names[len(known):]; n == queryWidth && len(more) > 0 {
		return nil, fmt.Errorf("no pair has %s; known: %s", strings.Join(more, ", "), strings.Join(known, ", "))
	}
	return ids, nil
}

func (s *symbols) name(id int32) string {
	if int(id) < len(s.names) {
		return s.names[id]
	}
	return "class " + strconv.Itoa(int(id))
}

// Verbalize implements datasets.Verbalizer, for class symbols.
func (src *Source) Verbalize(b *datasets.Batch, i int) (memory []string, question, answer string, choices []string, err error) {
	if src.images != nil {
		return nil, "", "", nil, fmt.Errorf("pai: %s has embeddings, which have no words; the tasks on class symbols have", src.Data.Task)
	}
	for r := b.Offsets[i]; r < b.Offsets[i+1]; r++ {
		memory = append(memory, fmt.Sprintf("%d goes with %d.", b.Rows[r*rowWidth], b.Rows[r*rowWidth+1]))
	}
	q := b.Queries[i*queryWidth : (i+1)*queryWidth]
	for _, c := range b.Choices[i*b.NumChoices : (i+1)*b.NumChoices] {
		choices = append(choices, strconv.Itoa(int(c)))
	}
	question = fmt.Sprintf("Which one is connected with %d, directly or through others: %d or %d?", q[0], q[1], q[2])
	return memory, question, strconv.Itoa(int(b.Targets[i])), choices, nil
}

// Print implements datasets.Printer: query and answer, then the rows in order, with marks at
// those of the cue's chain. Words that index the item table are written #0, #1, ...
func (src *Source) Print(w io.Writer, b *datasets.Batch, i int) error {
	name := func(word int32) string { return fmt.Sprint(word) }
	answer := ""
	if b.Items != nil {
		name = func(word int32) string { return fmt.Sprintf("#%d", word) }
		answer = fmt.Sprintf(" (answer %d)", b.Targets[i])
	}
	query := b.Queries[i*queryWidth : (i+1)*queryWidth]
	match := query[1+slices.Index(b.Choices[i*choices:(i+1)*choices], b.Targets[i])]
	_, err := fmt.Fprintf(w, "%v: %s goes with %s or %s? %s%s\n", src.kinds[b.Kinds[i]], name(query[0]), name(query[1]), name(query[2]), name(match), answer)
	rows := b.Rows[b.Offsets[i]*rowWidth : b.Offsets[i+1]*rowWidth]
	chain := chainOf(rows, query[0])
	for ; len(rows) > 0; rows = rows[rowWidth:] {
		mark := " "
		if slices.Contains(chain, rows[0]) {
			mark = "*"
		}
		_, err = fmt.Fprintf(w, "%s %6s %6s\n", mark, name(rows[0]), name(rows[1]))
	}
	return err
}

// chainOf returns the words that rows [R x 2] connect with the given word, itself first.
func chainOf(rows []int32, word int32) []int32 {
	chain := []int32{word}
	for next := 0; next < len(chain); next++ {
		for r := range rows {
			neighbour := rows[r^1] // in the same row
			if rows[r] == chain[next] && !slices.Contains(chain, neighbour) {
				chain = append(chain, neighbour)
			}
		}
	}
	return chain
}
